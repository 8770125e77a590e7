import { baseName, extensionOf, isSystemPath } from '../../model/container-path';
import { mentionsByPath } from '../../model/path-roles';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { editDistance } from '../../text/edit-distance';
import type { PathMention } from '../../text/markdown/instruction-text';
import { claimAt, eachStep, rangeOf } from '../places';
import type { Claim, Rule } from '../rule';

export const instructionMissingInput: Rule = {
  id: 'instruction-missing-input',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'docker', 'tree', 'py:tests', 'shell:solve'],
  needsDisk: true,
  why: 'The agent is sent to a file that is not there. It guesses, or gives up, and neither shows what it can do.',
  docs: {
    finds: 'The instruction has the agent read or run a file by an absolute path, and the image does not have it.',
    silent:
      'Outputs, system paths, patterns and examples, what a script of the image or an earlier step makes, what the tests make or read, and images that cannot be read to the end.',
    bad: 'Read `/srv/tides_2024.csv` …   # the image has /srv/tides-2024.csv',
    good: 'Read `/srv/tides-2024.csv` …',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => missing(subject, view));
  },
};

function* missing(subject: Subject, view: StepView): Generator<Claim> {
  const { step, space, instructions, own } = view;
  const instruction = own;
  if (instruction === null || step.instruction === null || space.image === null) return;
  const mentioned = mentionsByPath(instructions);
  const seen = new Set<string>();
  for (const mention of instruction.mentions.paths) {
    const { path } = mention;
    if (seen.has(path) || !isInput(mention) || isSystemPath(path) || space.has(path) !== 'no') continue;
    seen.add(path);
    const roles = (mentioned.get(path) ?? []).map(({ context }) => context.role);
    if (roles.some((role) => role !== 'input' && role !== 'protected')) continue;
    const name = baseName(path);
    // Whoever mentions it may make it: a script of the image, the tests before they judge, the solution on its way.
    if (hasWord(view.tests, name) || space.texts.some(({ text }) => hasWord(text, name))) continue;
    if (hasWord(view.solution, name) || [...step.solution.keys()].some((file) => baseName(file) === name)) continue;
    const near = nearest([...space.image.files.keys()], path);
    // Without a solution to look into, only a name that is nearly right shows a mistake.
    if (near === null && !view.isSolutionWhole) continue;
    const range = rangeOf(subject, { file: step.instruction, start: mention.start, end: mention.end });
    yield* claimAt(
      subject,
      { file: step.instruction, start: mention.start, end: mention.end },
      {
        message: `The image does not have ${path}${near === null ? '' : `, but it has ${near}`}.`,
        confidence: space.image.complete ? 'certain' : 'possible',
        fixes:
          near === null || range === null || mention.text !== path
            ? []
            : [{ title: `Use ${near}`, edits: [{ file: step.instruction, range, newText: near }] }],
      },
    );
  }
}

function isInput({ path, pattern, context, folder, form }: PathMention): boolean {
  if (!path.startsWith('/') || pattern || folder || form === 'relative' || extensionOf(path) === '') return false;
  if (context.role !== 'input' || context.example || context.negated || context.optional) return false;
  return context.place === 'code' || context.place === 'prose';
}

function nearest(paths: readonly string[], path: string): string | null {
  const name = baseName(path);
  const same = paths.filter((one) => baseName(one) === name);
  if (same.length === 1) return same[0] ?? null;
  let best: string | null = null;
  let least = Math.min(3, Math.floor(name.length / 4));
  for (const one of paths) {
    if (Math.abs(one.length - path.length) > least) continue;
    const distance = editDistance(one, path);
    if (distance <= least) [best, least] = [one, distance - 1];
  }
  return best;
}
