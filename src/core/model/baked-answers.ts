import type { ComparedFiles } from './compared-files';
import { comparedFiles } from './compared-files';
import { baseName } from './container-path';
import { expectedPath, isAnswerName } from './expected-path';
import type { Image, ImageFile } from './image';
import { hasWord, isNamed } from './path-words';
import type { StepView } from './step-views';
import { stepViews } from './step-views';
import type { Derivation, Subject } from './subject';

/** A file of the agent's image that holds what the tests expect. */
export interface BakedAnswer {
  readonly image: Image;
  readonly file: ImageFile;
  readonly path: string;
  /** `read`: the tests read the expected value from it. `equal`: it holds a value that they expect. `name`: it is called so. */
  readonly how: 'read' | 'equal' | 'name';
  /** The place in the tests that shows it; null for `name`. */
  readonly proof: { readonly file: string; readonly start: number; readonly end: number } | null;
}

/** Answers that lie in the agent's image and that the instruction does not hand out, each file once. */
export const bakedAnswers: Derivation<readonly BakedAnswer[]> = {
  name: 'baked-answers',
  derive: (subject) => {
    const found = new Map<string, BakedAnswer>();
    const add = (answer: BakedAnswer): void => {
      if (!found.has(answer.path)) found.set(answer.path, answer);
    };
    for (const one of subject.derive(comparedFiles)) readAnswers(one, add);
    for (const view of subject.derive(stepViews)) {
      equalAnswers(view, subject.derive(comparedFiles), add);
      namedAnswers(subject, view, add);
    }
    return [...found.values()];
  },
};

function readAnswers(one: ComparedFiles, add: (answer: BakedAnswer) => void): void {
  const { image } = one.view.space;
  if (image === null || one.view.step.verifier === 'separate') return;
  for (const [expected, actual] of [
    [one.left, one.right],
    [one.right, one.left],
  ] as const) {
    const path = expectedPath(expected, actual, one);
    const file = path === null ? undefined : image.files.get(path.path);
    if (path === null || file === undefined || isNamed(one.view.instruction, path.path)) continue;
    const place = path.use.literal ?? path.use.pathNode;
    add({
      image,
      file,
      path: path.path,
      how: 'read',
      proof: { file: one.reached.file, start: place.start, end: place.end },
    });
  }
}

/** Constants of the tests that nobody meets by chance. */
function equalAnswers(view: StepView, comparisons: readonly ComparedFiles[], add: (answer: BakedAnswer) => void): void {
  const { image, texts } = view.space;
  if (image === null || texts.length === 0) return;
  for (const one of comparisons) {
    if (one.view !== view || one.comparison.operator !== '==') continue;
    const { module, comparison } = one;
    for (const [node, other] of [
      [comparison.left, one.right],
      [comparison.right, one.left],
    ] as const) {
      const value = module.fold(node);
      if (value === null || (other.sources.constants.length > 0 && other.paths.length === 0 && other.sources.known))
        continue;
      const text = value.kind === 'text' ? value.text.trim() : value.kind === 'number' ? String(value.value) : null;
      if (text === null || !isDistinctive(text) || view.instruction.includes(text)) continue;
      const read = new Set(other.paths.map(({ path }) => path));
      for (const visible of texts) {
        const file = image.files.get(visible.path);
        if (file === undefined || visible.text.length > text.length + 4 || visible.text.trim() !== text) continue;
        if (read.has(visible.path) || isNamed(view.instruction, visible.path)) continue;
        // A file that the tests look at themselves is one that they ask for, not an answer that lies about.
        if (hasWord(view.tests, baseName(visible.path))) continue;
        add({
          image,
          file,
          path: visible.path,
          how: 'equal',
          proof: { file: one.reached.file, start: node.start, end: node.end },
        });
      }
    }
  }
}

/** At least six characters, and no plain word or small or round number. */
export function isDistinctive(text: string): boolean {
  if (text.length < 6 || /^[A-Za-z]{1,12}$/u.test(text)) return false;
  return !/^-?\d+(?:\.\d+)?$/u.test(text) || text.replace(/[.-]|0+$/gu, '').length >= 5;
}

const dataExtension =
  /^(?:txt|json|jsonl|csv|tsv|yaml|yml|toml|xml|md|npy|npz|pkl|pickle|parquet|out|dat|bin|gz|enc|b64|)$/u;

function namedAnswers(subject: Subject, view: StepView, add: (answer: BakedAnswer) => void): void {
  const { image, texts } = view.space;
  if (image === null || view.instruction === '') return;
  for (const [path, file] of image.files) {
    const name = baseName(path);
    const dot = name.lastIndexOf('.');
    const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
    if (!dataExtension.test(extension) || !isAnswerName(path)) continue;
    // Files of a project's own tests are called so everywhere.
    if (
      /\/(?:tests?|testdata|test_data|fixtures?|snapshots?|__snapshots__|specs?|examples?|samples?|docs?|node_modules|site-packages)\//u.test(
        path,
      )
    )
      continue;
    if (isNamed(view.instruction, path) || hasWord(view.tests, name)) continue;
    if (texts.some((visible) => visible.path !== path && hasWord(visible.text, name))) continue;
    if (file.origin.kind === 'context' && subject.text(file.origin.file)?.trim() === '') continue;
    add({ image, file, path, how: 'name', proof: null });
  }
}
