import type { ComparedFiles, Side } from './compared-files';
import { mentionsByPath } from './path-roles';
import { roleAt } from './path-uses';
import { hasWord, isNamed } from './path-words';
import { baseName } from './container-path';

/** The file whose content is the expected value, as it stands; null when the comparison is none of that kind. */
export function expectedPath(expected: Side, actual: Side, { view }: ComparedFiles): Side['paths'][number] | null {
  const [first] = expected.paths;
  if (first === undefined || !expected.sources.plain || !expected.sources.known) return null;
  if (expected.sources.reads.length !== expected.paths.length) return null;
  if (expected.paths.some(({ path }) => path !== first.path)) return null;
  if (expected.sources.commands.length > 0 || expected.sources.requests.length > 0) return null;
  if (actual.paths.some(({ path }) => path === first.path)) return null;
  const role = roleAt(view.expectations, first.path);
  const there = view.space.has(first.path);
  if (role === 'own' || role === 'scratch' || role === 'system' || view.space.writable(first.path) !== true)
    return null;
  // What a command of the image, or its start, may have put there is one of the image's files when it is called so.
  const isMade = there === 'unknown' || view.space.texts.some(({ text }) => hasWord(text, baseName(first.path)));
  const isCalledSo = isMade && isAnswerName(first.path) && !isNamed(view.instruction, first.path);
  if (!isCalledSo && (role !== 'input' || there !== 'yes')) return null;
  const mentioned = mentionsByPath(view.instructions).get(first.path) ?? [];
  if (mentioned.some(({ context }) => context.role === 'output' || context.role === 'edited')) return null;
  const isAgents =
    actual.sources.commands.length > 0 ||
    actual.sources.requests.length > 0 ||
    actual.paths.some(({ path }) => roleAt(view.expectations, path) === 'output');
  return isAgents ? first : null;
}

const answerWord = /^(?:expected|golden|gold|answers?|truth|groundtruth|oracle|solutions?)$/u;

/** Is a file called like an answer? */
export function isAnswerName(path: string): boolean {
  return baseName(path)
    .toLowerCase()
    .split(/[^a-z]+/u)
    .some((word) => answerWord.test(word));
}
