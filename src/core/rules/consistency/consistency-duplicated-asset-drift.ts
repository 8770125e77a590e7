import { baseName, extensionOf } from '../../model/container-path';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { startOfFile } from '../../text/position';
import { eachStep } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyDuplicatedAssetDrift: Rule = {
  id: 'consistency-duplicated-asset-drift',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['texts', 'tree', 'docker'],
  needsDisk: true,
  why: 'Two copies that were one file once: after the next change the agent works from one version, and the tests from another.',
  docs: {
    finds:
      'A file of the image and one of `tests/` that the tests use have the same name and at least four fifths of their lines in common, but are not equal.',
    silent:
      'Expected output, configuration and requirements, files that the agent changes, and copies of which a comment says that they differ.',
    bad: 'environment/schema.json ≠ tests/schema.json',
    good: 'environment/schema.json = tests/schema.json',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => drifted(subject, view));
  },
};

const usual = new Set([
  'dockerfile',
  'requirements.txt',
  'conftest.py',
  '__init__.py',
  'readme.md',
  'docker-compose.yaml',
  'pyproject.toml',
  'package.json',
  'package-lock.json',
  'pytest.ini',
  'setup.cfg',
  'makefile',
  'test.sh',
  'main.py',
  'index.js',
  '.gitignore',
]);

function* drifted(subject: Subject, { step, space, solution, reach, instructions }: StepView): Generator<Claim> {
  const reached = new Set(reach.files.map(({ file }) => file));
  for (const [name, file] of step.tests) {
    const base = baseName(name);
    const own = subject.text(file);
    if (own === null || own.length < 120 || usual.has(base.toLowerCase()) || !reached.has(file)) continue;
    if (/expected|golden|answer|truth|oracle|solution|reference|hidden|heldout|held_out/iu.test(name)) continue;
    if (/^(?:md|txt|lock|log)$/u.test(extensionOf(name))) continue;
    // Whoever is asked to change the file changes what the tests hold another version of.
    if (hasWord(solution, base)) continue;
    const isEdited = instructions.some(({ mentions }) =>
      mentions.paths.some(
        ({ path, context }) => baseName(path) === base && (context.role === 'edited' || context.role === 'output'),
      ),
    );
    if (isEdited) continue;
    for (const visible of space.texts) {
      if (visible.file === null || visible.file === file || baseName(visible.path) !== base) continue;
      if (visible.text === own || !isNearlyEqual(visible.text, own)) continue;
      if (
        /on purpose|intentional|differs? from|deliberate/iu.test(own) ||
        /on purpose|intentional|differs? from/iu.test(visible.text)
      )
        continue;
      yield {
        file,
        range: startOfFile,
        message: `${name} in tests/ is not the same as ${visible.file}, though nearly: agent and tests work from different versions.`,
        related: [{ file: visible.file, range: startOfFile, message: 'The copy that the agent has.' }],
        section: visible.file,
      };
    }
  }
}

/** At least four fifths of the lines in common, counted as often as they occur. */
function isNearlyEqual(a: string, b: string): boolean {
  const [linesA, linesB] = [linesOf(a), linesOf(b)];
  const total = Math.max(linesA.length, linesB.length);
  if (total < 5 || Math.min(linesA.length, linesB.length) < total * 0.8) return false;
  const counts = new Map<string, number>();
  for (const line of linesA) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of linesB) {
    const left = counts.get(line) ?? 0;
    if (left > 0) {
      common++;
      counts.set(line, left - 1);
    }
  }
  return common >= total * 0.8;
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
