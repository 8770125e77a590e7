import type { RelatedPlace } from '../finding';
import type { StepView } from '../model/step-views';
import { stepViews } from '../model/step-views';
import type { Subject } from '../model/subject';
import type { Range } from '../text/position';
import type { Claim } from './rule';

/** A stretch of a file, in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** null where the file has no text. */
export function rangeOf(subject: Subject, { file, start, end }: Place): Range | null {
  return subject.lines(file)?.range(start, end) ?? null;
}

export function relatedTo(subject: Subject, place: Place | null, message: string): readonly RelatedPlace[] {
  const range = place === null ? null : rangeOf(subject, place);
  return place === null || range === null ? [] : [{ file: place.file, range, message }];
}

/** A claim at a place; nothing where the file has no text. */
export function claimAt(subject: Subject, place: Place, claim: Omit<Claim, 'file' | 'range'>): readonly Claim[] {
  const range = rangeOf(subject, place);
  return range === null ? [] : [{ ...claim, file: place.file, range }];
}

/** Leaves out what was claimed before with the same words at the same place: steps share files. */
export function* once(claims: Iterable<Claim>): Generator<Claim> {
  const all = [...claims];
  if (all.length < 2) {
    yield* all;
    return;
  }
  const seen = new Set<string>();
  for (const claim of all) {
    const { start, end } = claim.range;
    const key = [claim.file, start.line, start.character, end.line, end.character, claim.message].join('|');
    if (seen.has(key)) continue;
    seen.add(key);
    yield claim;
  }
}

/** What a check claims of each step, each claim once. */
export function* eachStep(subject: Subject, check: (view: StepView) => Iterable<Claim>): Generator<Claim> {
  yield* once(subject.derive(stepViews).flatMap((view) => [...check(view)]));
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[], most = 4): string {
  if (names.length <= 1) return names.join('');
  const shown = names.slice(0, names.length > most ? most - 1 : most);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}
