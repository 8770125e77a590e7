import { isDistinctive } from '../../model/baked-answers';
import { comparedFiles } from '../../model/compared-files';
import { baseName, extensionOf } from '../../model/container-path';
import type { Image } from '../../model/image';
import { expectedPath } from '../../model/expected-path';
import { hasWord, mentionOf } from '../../model/path-words';
import { pythonReader } from '../../model/readers/python';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PythonModule } from '../../text/python/module';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Place } from '../places';
import type { Claim, Rule } from '../rule';

export const dockerLeftoverGenerator: Rule = {
  id: 'docker-leftover-generator',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'py:tests', 'instruction', 'texts'],
  needsDisk: true,
  why: 'A script that made the data also knows the answer. Left in the image, it shows the agent how the expected values came about.',
  docs: {
    finds:
      'A script of the final image that the Dockerfile runs, that nothing removes, and that shares with the tests a distinctive expected value, the body of a function, or the seed of a random generator.',
    silent:
      'Generators of inputs alone, scripts that the instruction mentions, and scripts that are removed or stay in a builder stage.',
    bad: 'COPY seed_orchard.py /srv/\nRUN python /srv/seed_orchard.py',
    good: 'COPY --from=seed /out/ /srv/',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => leftovers(subject, view));
  },
};

function* leftovers(subject: Subject, view: StepView): Generator<Claim> {
  const { image } = view.space;
  if (image === null) return;
  for (const [path, file] of image.files) {
    if (file.origin.kind !== 'context' || extensionOf(path) !== 'py') continue;
    if (mentionOf(view.instruction, path) !== null || !isRun(image, path)) continue;
    const script = subject.read(pythonReader, file.origin.file);
    const shared = script?.syntaxError !== null ? null : sharedWith(subject, view, script);
    if (shared === null) continue;
    yield* claimAt(
      subject,
      { file: image.file, start: file.start, end: file.end },
      {
        message: `${path} stays in the image after it has made the data, and shares ${shared.what} with the tests.`,
        related: relatedTo(subject, shared.place, 'The tests have it here.'),
        section: path,
      },
    );
  }
}

function isRun(image: Image, path: string): boolean {
  const name = baseName(path);
  const stem = name.replace(/\.py$/u, '');
  return image.dockerfile.instructions.some(
    ({ keyword, text }) =>
      keyword === 'RUN' &&
      (text.includes(name) || new RegExp(`-m\\s+(?:\\w+\\.)*${stem.replace(/\W/gu, '')}\\b`, 'u').test(text)),
  );
}

function sharedWith(subject: Subject, view: StepView, script: PythonModule): { what: string; place: Place } | null {
  const texts = new Set(script.strings.flatMap(({ text }) => (text === null ? [] : [text.trim()])));
  for (const one of subject.derive(comparedFiles)) {
    const { view: own, module, reached, comparison } = one;
    if (own !== view) continue;
    const expected = expectedPath(one.left, one.right, one) ?? expectedPath(one.right, one.left, one);
    if (
      expected !== null &&
      script.strings.some(({ text }) => text !== null && hasWord(text, baseName(expected.path)))
    ) {
      const { start, end } = expected.use.literal ?? expected.use.pathNode;
      return { what: `${expected.path}, the expected values,`, place: { file: reached.file, start, end } };
    }
    for (const node of [comparison.left, comparison.right]) {
      const value = module.fold(node);
      if (value?.kind !== 'text') continue;
      const text = value.text.trim();
      if (text.length < 8 || !isDistinctive(text) || !texts.has(text) || view.instruction.includes(text)) continue;
      return { what: 'an expected value', place: { file: reached.file, start: node.start, end: node.end } };
    }
  }
  const bodies = new Map(script.functions.map((one) => [bodyOf(script, one), one.name]));
  const seeds = seedsOf(script);
  for (const { file, python } of view.reach.files) {
    if (python === null) continue;
    for (const one of python.functions) {
      const body = bodyOf(python, one);
      if (body.length < 120 || !bodies.has(body)) continue;
      return { what: `the function ${one.name}`, place: { file, start: one.nameNode.start, end: one.nameNode.end } };
    }
    for (const [seed, node] of seedsOf(python)) {
      if (seeds.has(seed)) return { what: `the seed ${seed}`, place: { file, start: node.start, end: node.end } };
    }
  }
  return null;
}

function bodyOf(module: PythonModule, one: PythonModule['functions'][number]): string {
  return module.text.slice(one.body.start, one.body.end).replace(/\s+/gu, ' ').trim();
}

function seedsOf(module: PythonModule): ReadonlyMap<number, { readonly start: number; readonly end: number }> {
  const found = new Map<number, { start: number; end: number }>();
  for (const { callee, arguments: given, node } of module.calls) {
    if (!/^(?:random\.(?:seed|Random)|numpy\.random\.(?:seed|default_rng|RandomState))$/u.test(callee ?? '')) continue;
    const value = given[0] === undefined ? null : module.fold(given[0]);
    // Everybody takes 0, 1 and 42.
    if (value?.kind === 'number' && ![0, 1, 42, 123, 1234, 7].includes(value.value)) found.set(value.value, node);
  }
  return found;
}
