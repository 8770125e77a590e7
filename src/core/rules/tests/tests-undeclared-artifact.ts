import { absolutePath, isAtOrBelow, baseName } from '../../model/container-path';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { inImage } from '../../model/agent-space';
import { verifierImageOf } from '../../model/step-views';
import { entryAt, valueAt } from '../../text/toml-tree';
import { claimAt, eachStep } from '../places';
import type { Fix } from '../../finding';
import type { Claim, Rule } from '../rule';

export const testsUndeclaredArtifact: Rule = {
  id: 'tests-undeclared-artifact',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'toml', 'docker'],
  needsDisk: true,
  why: 'A separate verifier starts from an image of its own and gets nothing from the agent but the declared artifacts. Whatever else a test opens is not there, and a perfect answer scores 0.',
  docs: {
    finds:
      'With a separate verifier, a test reads a path that is neither below `/logs/artifacts`, nor in `artifacts`, nor in the verifier’s image.',
    silent:
      'Paths that the tests create, reads that provide for a missing file, and images that cannot be read to the end.',
    bad: '# artifacts = []\nopen("/srv/plan.json")',
    good: '# artifacts = ["/srv/plan.json"]\nopen("/srv/plan.json")',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => (view.step.verifier === 'separate' ? undeclared(subject, view) : []));
  },
};

function* undeclared(subject: Subject, view: StepView): Generator<Claim> {
  const config = subject.toml?.config ?? null;
  const image = verifierImageOf(subject, view.step);
  if (config === null || image === null) return;
  const step = config.steps[view.step.index ?? -1];
  const declared = [...config.artifacts, ...(step?.artifacts ?? [])];
  // A relative one is looked for in the agent's working directory, which may be anything.
  if (declared.some(({ source }) => !source.startsWith('/'))) return;
  const folders = ['/logs/artifacts', ...declared.map(({ source }) => absolutePath(source, null) ?? source)];
  const root = subject.toml?.root ?? null;
  const entry = root === null ? undefined : entryAt(root, ['artifacts']);
  const lines = subject.toml?.lines;
  const seen = new Set<string>();
  for (const use of view.expectations.uses) {
    const { path } = use;
    if (use.action !== 'read' || use.guarded || use.role === 'own' || use.role === 'scratch' || use.role === 'system')
      continue;
    if (seen.has(path) || folders.some((folder) => isAtOrBelow(path, folder) || isAtOrBelow(folder, path))) continue;
    if (inImage(image, path) !== 'no') continue;
    seen.add(path);
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} reads ${path}, which no artifact brings to the separate verifier.`,
      related:
        entry === undefined || lines === undefined
          ? []
          : [{ file: 'task.toml', range: entry.value.range, message: 'These are the artifacts.' }],
      fixes: fixOf(subject, path),
    });
  }
}

function fixOf(subject: Subject, path: string): readonly Fix[] {
  const root = subject.toml?.root ?? null;
  const list = root === null ? undefined : valueAt(root, ['artifacts']);
  if (list?.kind !== 'array' || list.isOfTables) return [];
  const at = list.range.start;
  const start = { line: at.line, character: at.character + 1 };
  return [
    {
      title: `Add ${path} to the artifacts`,
      preferred: true,
      edits: [
        {
          file: 'task.toml',
          range: { start, end: start },
          newText: `${JSON.stringify(path)}${list.items.length > 0 ? ', ' : ''}`,
        },
      ],
    },
  ];
}
