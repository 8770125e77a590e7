import { baseName } from '../../model/container-path';
import { hasWord, mentionOf } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PathMention } from '../../text/markdown/instruction-text';
import { claimAt, eachStep, rangeOf, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { isMisspelt } from './similar-paths';

export const consistencyPathSpelling: Rule = {
  id: 'consistency-path-spelling',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'docker'],
  needsDisk: true,
  why: 'Two names that differ by a letter, a hyphen or an ending are usually one file, spelled two ways: whoever follows the instruction to the letter then fails.',
  docs: {
    finds:
      'A path in the tests that occurs nowhere else, and one in the instruction that the tests do not know, which differ by case, by `-` and `_`, by the extension or by one or two letters.',
    silent: 'Files of the image, numbered series, and names that the instruction lists both.',
    bad: '# instruction: /srv/results.json\nopen("/srv/result.json")',
    good: '# instruction: /srv/results.json\nopen("/srv/results.json")',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => misspelt(subject, view));
  },
};

function* misspelt(subject: Subject, view: StepView): Generator<Claim> {
  const { expectations, own, step, space } = view;
  const candidates: { mention: PathMention; file: string }[] = [];
  for (const mention of own?.mentions.paths ?? []) {
    if (!mention.path.startsWith('/') || mention.pattern) continue;
    if (hasWord(view.tests, mention.path) || space.has(mention.path) === 'yes') continue;
    candidates.push({ mention, file: step.instruction ?? '' });
  }
  if (candidates.length === 0) return;
  const seen = new Set<string>();
  for (const use of expectations.uses) {
    const { path, action, role } = use;
    if (seen.has(path) || role === 'own' || role === 'scratch' || role === 'system' || role === 'input') continue;
    if (action !== 'read' && action !== 'probe' && action !== 'run') continue;
    const known = mentionOf(view.instruction, path);
    if (known === 'path' || known === 'pattern' || space.has(path) !== 'no') continue;
    const found = candidates.find(({ mention }) => {
      if (!isMisspelt(path, mention.path)) return false;
      // Whoever writes both takes them for two.
      if (hasWord(view.solution, path) && hasWord(view.solution, mention.path)) return false;
      // A name that both know is right where only the folders differ.
      const sameName = baseName(path) === baseName(mention.path);
      return sameName || (known !== 'name' && !hasWord(view.tests, baseName(mention.path)));
    });
    if (found === undefined) continue;
    seen.add(path);
    const text = subject.text(use.file)?.slice(use.start, use.end) ?? '';
    const at = text.indexOf(path);
    const range = rangeOf(subject, { file: use.file, start: use.start + at, end: use.start + at + path.length });
    yield* claimAt(subject, use, {
      message: `${baseName(use.file)} looks for ${path}, but the instruction says ${found.mention.path}.`,
      related: relatedTo(
        subject,
        { file: found.file, start: found.mention.start, end: found.mention.end },
        'The instruction spells it like this.',
      ),
      supersedes: ['consistency-output-not-in-instruction', 'tests-missing-input', 'consistency-oracle-skips-output'],
      fixes:
        at < 0 || range === null
          ? []
          : [
              {
                title: `Use ${found.mention.path}`,
                edits: [{ file: use.file, range, newText: found.mention.path }],
              },
            ],
    });
  }
}
