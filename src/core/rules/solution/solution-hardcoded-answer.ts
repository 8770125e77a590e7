import { baseName, extensionOf } from '../../model/container-path';
import { absolutePath } from '../../model/container-path';
import type { PathUse } from '../../model/expectations';
import type { SolutionView } from '../../model/solution-view';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionHardcodedAnswer: Rule = {
  id: 'solution-hardcoded-answer',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:solve', 'py:solution', 'py:tests', 'shell:test', 'instruction', 'docker', 'tree', 'toml'],
  needsDisk: true,
  why: 'A solution that only writes the answer down proves that the answer passes, not that it can be found.',
  docs: {
    finds:
      'The solve script writes a constant to a file that the tests read as a result, and nothing computes any of it. It is an error where the tests expect that very text.',
    silent:
      'Programs, scripts, configuration and markup; text that the instruction itself dictates; plain sentences; a header that computed lines follow.',
    bad: 'echo \'{"late": 14}\' > /srv/report.json',
    good: 'python3 /solution/report.py > /srv/report.json',
  },
  *check(subject) {
    yield* once(subject.derive(solutionViews).flatMap((one) => [...claims(subject, one)]));
  },
};

// What such a file holds is a result as a rule; anything else may be code, markup or settings.
const resultExtensions = new Set(['txt', 'csv', 'tsv', 'json', 'jsonl', 'ndjson', 'out', '']);
const settingsName =
  /conf|setting|schema|manifest|package|policy|rules|hosts|crontab|makefile|dockerfile|license|readme|requirements/iu;

function* claims(subject: Subject, { view, file, visits }: SolutionView): Generator<Claim> {
  if (file === null) return;
  const outputs = new Map<string, PathUse>();
  for (const use of view.expectations.uses) {
    if (use.role === 'output' && use.action === 'read' && !outputs.has(use.path)) outputs.set(use.path, use);
  }
  if (outputs.size === 0) return;
  const writes = visits.flatMap(({ command, folder, script }) =>
    command.writes.map((write) => ({ write, command, script, path: absolutePath(write.file ?? '', folder) })),
  );
  for (const { write, script, path } of writes) {
    const { content } = write;
    const use = path === null || write.file === null ? undefined : outputs.get(path);
    if (use === undefined || path === null || content === null || script.file !== file) continue;
    const answer = content.trim();
    const extension = extensionOf(path);
    if (answer === '' || !resultExtensions.has(extension) || settingsName.test(baseName(path))) continue;
    // Another write to the same file may be the computed part.
    if (writes.some((other) => other.write !== write && other.path === path && other.write.content === null)) continue;
    if (isDictated(view.instruction, answer)) continue;
    const proof = expectedLiteral(view, answer);
    if (proof === null && isProse(answer)) continue;
    yield* claimAt(
      subject,
      { file, start: write.start, end: write.end },
      {
        ...(proof !== null && { severity: 'error', confidence: 'certain' }),
        message: `${baseName(file)} writes ${path} as a constant${proof === null ? '' : ', the very text that the tests expect'}; nothing computes it.`,
        related:
          proof === null
            ? relatedTo(subject, use, 'The tests read it here.')
            : relatedTo(subject, proof, 'The tests expect this.'),
      },
    );
  }
}

/** Every line of a constant that the instruction gives word for word is no answer to find. */
function isDictated(instruction: string, answer: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/gu, ' ');
  const all = plain(instruction);
  return answer.split('\n').every((line) => line.trim() === '' || all.includes(plain(line.trim())));
}

/** What someone has to put into words, nobody can compute. */
function isProse(answer: string): boolean {
  return !/\d/u.test(answer) && /\p{L}{2,}(?: \p{L}{2,}){3}/u.test(answer);
}

function expectedLiteral(
  { reach }: SolutionView['view'],
  answer: string,
): { readonly file: string; readonly start: number; readonly end: number } | null {
  if (answer.length < 3) return null;
  for (const { file, python } of reach.files) {
    const found = python?.strings.find(({ text, bare }) => !bare && text?.trim() === answer);
    if (found !== undefined) return { file, start: found.node.start, end: found.node.end };
  }
  return null;
}
