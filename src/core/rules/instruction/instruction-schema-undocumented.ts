import { baseName, isAtOrBelow } from '../../model/container-path';
import type { ReachedFile } from '../../model/expectations';
import { folderIn, placeOf, roleAt } from '../../model/path-uses';
import { mentionsByPath } from '../../model/path-roles';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { CallUses } from '../../model/value-sources';
import { callUses, sourcesOf } from '../../model/value-sources';
import type { KeyUse, PythonModule } from '../../text/python/module';
import { claimAt, eachStep, listed, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const instructionSchemaUndocumented: Rule = {
  id: 'instruction-schema-undocumented',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'docker', 'texts'],
  needsDisk: true,
  why: 'An agent cannot guess how the tests call the parts of its answer. Right values under other names fail.',
  docs: {
    finds:
      'The tests take keys or columns from a file that the agent makes, and their names stand neither in the instruction nor in any text of the image.',
    silent: 'Keys that an example, a schema or the input shows, and keys that the test provides for missing ones of.',
    bad: 'Write a JSON report to `/srv/report.json`.   # the tests read ["late_minutes"]',
    good: 'Write a JSON object with `line` (string) and `late_minutes` (integer) to `/srv/report.json`.',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => undocumented(subject, view));
  },
};

const maxKeys = 400;

function* undocumented(subject: Subject, view: StepView): Generator<Claim> {
  const instruction = view.own;
  const { step, space } = view;
  if (instruction === null || step.instruction === null || !isOpen(subject, view)) return;
  const missing = new Map<string, { keys: Set<string>; file: string; start: number; end: number }>();
  const known = [view.instruction, ...space.texts.map(({ text }) => text)].map((text) => text.toLowerCase());
  const isKnown = (key: string): boolean => {
    const word = key.toLowerCase();
    const spaced = word.replace(/[-_]+/gu, ' ');
    return known.some((text) => text.includes(word) || text.includes(spaced));
  };
  for (const reached of view.reach.files) {
    const { python, file } = reached;
    if (python === null || reached.via === 'read') continue;
    const uses = callUses(python);
    if (uses.reads.size + uses.passed.length === 0) continue;
    const shown = keysOfInputs(view, reached, uses);
    for (const use of python.keys.slice(0, maxKeys)) {
      const key = python.fold(use.key);
      if (key?.kind !== 'text' || !/^[A-Za-z][\w -]{2,40}$/u.test(key.text) || isKnown(key.text)) continue;
      if (shown.has(key.text)) continue;
      if (isOptional(python, use)) continue;
      const path = outputOf(view, reached, uses, use);
      if (path === null) continue;
      const found = missing.get(path) ?? { keys: new Set(), file, start: use.key.start, end: use.key.end };
      found.keys.add(key.text);
      missing.set(path, found);
    }
  }
  const mentioned = mentionsByPath([instruction]);
  for (const [path, { keys, ...place }] of missing) {
    const mention =
      mentioned.get(path)?.[0] ?? instruction.mentions.paths.find((one) => baseName(one.path) === baseName(path));
    if (mention === undefined) continue;
    yield* claimAt(
      subject,
      { file: step.instruction, start: mention.start, end: mention.end },
      {
        message: `The tests read the ${keys.size === 1 ? 'key' : 'keys'} ${listed([...keys])} of ${path}, which neither the instruction nor the image names.`,
        related: relatedTo(subject, place, 'The test takes it here.'),
        section: path,
      },
    );
  }
}

/** Can everything in the image be read that might name a key? A repository, an archive or a database may. */
function isOpen(subject: Subject, { space }: StepView): boolean {
  const { image } = space;
  if (image === null) return false;
  if (image.gaps.some(({ reason }) => reason === 'clone' || reason === 'archive' || reason === 'download'))
    return false;
  return [...image.files.values()].every(
    ({ origin }) => origin.kind === 'text' || (origin.kind === 'context' && subject.text(origin.file) !== null),
  );
}

/** The keys that the tests also take from a file which the agent can look into. */
function keysOfInputs(view: StepView, reached: ReachedFile, uses: CallUses): ReadonlySet<string> {
  const { python } = reached;
  const keys = new Set<string>();
  for (const use of python?.keys.slice(0, maxKeys) ?? []) {
    const key = python?.fold(use.key);
    const path = key?.kind === 'text' ? sourceOf(reached, uses, use) : null;
    if (key?.kind !== 'text' || path === null || isAtOrBelow(path, '/tests')) continue;
    if (roleAt(view.expectations, path) !== 'output') keys.add(key.text);
  }
  return keys;
}

/** The one output of the agent that a value with keys comes from; null where it may come from anything else. */
function outputOf(view: StepView, reached: ReachedFile, uses: CallUses, use: KeyUse): string | null {
  const path = sourceOf(reached, uses, use);
  return path !== null && roleAt(view.expectations, path) === 'output' ? path : null;
}

/** The one file that a value with keys comes from. */
function sourceOf(reached: ReachedFile, uses: CallUses, { object }: KeyUse): string | null {
  const { python } = reached;
  if (python === null) return null;
  const { reads, commands, requests, known } = sourcesOf(python, object, uses);
  if (!known || reads.length === 0 || commands.length > 0 || requests.length > 0) return null;
  const folder = folderIn(python, reached);
  const paths = new Set(reads.map(({ path }) => (path === null ? null : placeOf(path, reached.at, folder))));
  const [only] = paths;
  return paths.size === 1 ? (only ?? null) : null;
}

/** `.get(key, other)`, and keys that the test asks for first or assigns itself. */
function isOptional(python: PythonModule, { node, key }: KeyUse): boolean {
  const call = python.callAt(node);
  if (call !== null) return true;
  const text = python.fold(key);
  return python.blocks.some(
    ({ kind, head, start, end }) =>
      kind === 'if' &&
      head !== null &&
      start <= node.start &&
      node.end <= end &&
      text?.kind === 'text' &&
      python.source(head).includes(text.text),
  );
}
