import type { Finding, Fix, TextEdit } from '../core/finding';
import type { Subject } from '../core/model/subject';
import { safeFixes } from '../core/rules/safe-fix';
import type { Position, Range } from '../core/text/position';
import type { Grammars } from '../core/text/syntax-tree';
import type { Allowing, SettingsPlace } from './allow-action';
import { allowing } from './allow-action';

export type FileAction =
  | { readonly kind: 'fix'; readonly title: string; readonly finding: Finding; readonly fix: Fix }
  | { readonly kind: 'allow'; readonly title: string; readonly finding: Finding; readonly allowing: Allowing }
  | { readonly kind: 'fix-all'; readonly title: string; readonly edits: readonly TextEdit[] };

/** What can be done about the findings at a place: fixes, the preferred ones first, and letting them pass as the last. */
export function actionsAt(
  findings: readonly Finding[],
  range: Range,
  subject: Subject,
  grammars: Grammars | null,
  settings: SettingsPlace | null,
): readonly FileAction[] {
  const here = findings.filter((finding) => touches(finding.range, range));
  const fixes = here.flatMap((finding) =>
    [...finding.fixes]
      .sort((a, b) => Number(b.preferred === true) - Number(a.preferred === true))
      .map((fix): FileAction => ({ kind: 'fix', title: fix.title, finding, fix })),
  );
  const allowed = here.flatMap((finding): FileAction[] => {
    const found = allowing(finding, subject, grammars, settings);
    const where = found?.where === 'settings' ? 'Allow it in taskwright.toml' : 'Allow it here';
    return found === null
      ? []
      : [{ kind: 'allow', title: `${where}, with a reason (${finding.ruleId})`, finding, allowing: found }];
  });
  return [...fixes, ...allowed];
}

/** Every fix of task.toml that cannot change what the file means; null where there is none. */
export function fixAll(findings: readonly Finding[], subject: Subject): FileAction | null {
  const fixes = findings.filter(({ file }) => file === 'task.toml').flatMap((finding) => finding.fixes);
  const edits = safeFixes(fixes, subject.toml).flatMap((fix) => fix.edits);
  return edits.length === 0 ? null : { kind: 'fix-all', title: 'Fix all that cannot change the meaning', edits };
}

function touches(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
