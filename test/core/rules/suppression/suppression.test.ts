import { describe, expect, test } from 'vitest';
import type { JudgedTask } from '../../../../src/core/rules/check';
import { readTaskFolder, subjectOfReading } from '../../../../src/core/model/task-reading';
import { judgeReading } from '../../../../src/core/rules/check';
import { harborProfile } from '../../../../src/core/rules/profile';
import { effectiveSettings } from '../../../../src/core/settings/effective';
import { readSettings } from '../../../../src/core/settings/read';
import { allowByComment, allowInSettings } from '../../../../src/core/suppression/allow-here';
import { parseAllow } from '../../../../src/core/suppression/allow-comments';
import { commentsIn } from '../../../../src/core/suppression/comments';
import { applyEdits } from '../../../../src/core/text/edits';
import { grammars } from '../../grammars';
import { memoryFiles, soundConfig, taskTree } from '../../memory-files';
import type { Changes } from '../checked';

const dir = '/tasks/t';

async function judge(changes: Changes, settingsText = ''): Promise<JudgedTask> {
  const { table } = readSettings(settingsText, ['config-unknown-key', 'suppression-unused']);
  const reading = await readTaskFolder(memoryFiles(taskTree(dir, changes)), dir);
  return judgeReading(reading, { grammars, settings: effectiveSettings(table), taskPath: 'tasks/t' });
}

const shown = ({ findings }: JudgedTask): readonly string[] =>
  findings.map(({ ruleId, file, range, message }) => `${ruleId} ${file}:${range.start.line + 1} ${message}`);

const withKey = (key: string): Changes => ({ 'task.toml': `${soundConfig}${key}\n` });

describe('a comment', () => {
  test.each([
    ['behind', 'nonsense = 1 # taskwright: allow config-unknown-key — kept for our tools'],
    ['above', '# taskwright: allow config-unknown-key — kept for our tools\nnonsense = 1'],
    [
      'above another one',
      '# taskwright: allow config-unknown-key - kept for our tools\n# taskwright: allow config-syntax -- x\nnonsense = 1',
    ],
  ])('lets a finding pass %s it', async (_where, text) => {
    const judged = await judge(withKey(text));
    expect(judged.suppressed.map(({ finding, reason }) => [finding.ruleId, reason])).toEqual([
      ['config-unknown-key', 'kept for our tools'],
    ]);
    expect(judged.findings.map(({ ruleId }) => ruleId)).not.toContain('config-unknown-key');
  });

  test.each([
    ['without a reason', 'nonsense = 1 # taskwright: allow config-unknown-key', 'suppression-invalid'],
    ['for another rule', 'nonsense = 1 # taskwright: allow config-syntax — x', 'suppression-unused'],
    ['for no rule', 'nonsense = 1 # taskwright: allow', 'suppression-invalid'],
    ['for a rule that does not exist', 'nonsense = 1 # taskwright: allow config-unknown — x', 'suppression-invalid'],
    ['two lines above', '# taskwright: allow config-unknown-key — x\n\nnonsense = 1', 'suppression-unused'],
    ['in a text', 'nonsense = "# taskwright: allow config-unknown-key — x"', 'config-unknown-key'],
  ])('%s lets nothing pass', async (_what, text, ruleId) => {
    const judged = await judge(withKey(text));
    expect(judged.suppressed).toEqual([]);
    expect(judged.findings.map((finding) => finding.ruleId)).toEqual(
      expect.arrayContaining(['config-unknown-key', ruleId]),
    );
  });

  test('of no use is a hint, and goes away with its line', async () => {
    const text = '#!/bin/bash\n# taskwright: allow config-syntax — x\necho 42 > /app/answer.txt\n';
    const judged = await judge({ 'solution/solve.sh': text });
    const [unused] = judged.findings.filter(({ ruleId }) => ruleId === 'suppression-unused');
    expect(unused).toMatchObject({ severity: 'hint', file: 'solution/solve.sh', range: { start: { line: 1 } } });
    expect(applyEdits(text, unused?.fixes[0]?.edits ?? [])).toBe('#!/bin/bash\necho 42 > /app/answer.txt\n');
  });

  test.each([
    ['instruction.md', 'Write the answer to /app/answer.txt.\n<!-- taskwright: allow instruction-x — y -->\n', 2],
    [
      'environment/Dockerfile',
      'FROM python:3.13-slim\n# taskwright: allow docker-x — y\nRUN useradd dev\nUSER dev\n',
      2,
    ],
    ['environment/app.py', '# taskwright: allow x — y\n', 1],
  ])('that the agent sees in %s is not honoured', async (file, text, line) => {
    expect(shown(await judge({ [file]: text })).filter((one) => one.startsWith('suppression-'))).toEqual([
      expect.stringContaining(`suppression-misplaced ${file}:${line} The agent gets to see ${file}`),
    ]);
  });

  test.each(['—', '–', '--', '-', ':'])('takes %s before its reason', (separator) => {
    expect(parseAllow(`# taskwright: allow docker-x ${separator} because of it`)).toEqual({
      rule: 'docker-x',
      reason: 'because of it',
    });
  });

  test.each([
    ['shell', 'cat <<EOF\n# no\nEOF\necho "# no" # yes\n', ['# yes']],
    ['python', 'x = """\n# no\n"""\ny = "# no"  # yes\n', ['# yes']],
    ['toml', 'a = """\n# no\n"""\nb = "# no" # yes\n', ['# yes']],
    ['yaml', 'a: |\n  # no\nb: "# no" # yes\n# also\n', ['# yes', '# also']],
    ['dockerfile', 'FROM x\nRUN <<EOF\n# no\nEOF\n# yes\nRUN a \\\n  # perhaps\n  b\n', ['# yes']],
    ['lines', '# yes\n*.pyc # no\n  # also\n', ['# yes', '# also']],
  ] as const)('is known for one in %s', (style, text, expected) => {
    expect(commentsIn(text, style, grammars).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
});

describe('an [[allow]]', () => {
  const entry = (path: string): string => `[[allow]]\nrule = "config-unknown-key"\npath = "${path}"\nreason = "ours"\n`;

  test.each(['tasks/t/task.toml', 'tasks/t', 'tasks/**', '/tasks/*/task.toml', 'task.toml'])(
    'with the path %s lets a finding pass',
    async (path) => {
      const judged = await judge(withKey('nonsense = 1'), entry(path));
      expect(judged.suppressed).toMatchObject([{ reason: 'ours', comment: null }]);
      expect(judged.usedAllowances).toEqual([0]);
    },
  );

  test.each(['tasks/other', 'tests/t/task.toml', 'tasks/T'])('with the path %s does not', async (path) => {
    const judged = await judge(withKey('nonsense = 1'), entry(path));
    expect([judged.suppressed, judged.usedAllowances]).toEqual([[], []]);
  });
});

describe('what writes an allowance', () => {
  async function allowed(changes: Changes, file: string, line: number): Promise<string | null> {
    const reading = await readTaskFolder(memoryFiles(taskTree(dir, changes)), dir);
    const subject = subjectOfReading(reading, { profile: harborProfile, grammars });
    const place = { line, character: 0 };
    const finding = {
      ruleId: 'x-y',
      severity: 'warning',
      confidence: 'certain',
      file,
      range: { start: place, end: place },
      message: '',
      why: '',
      fixes: [],
      fingerprint: '',
    } as const;
    const fix = allowByComment(finding, subject, ' because\nof it ', grammars);
    return fix === null ? null : applyEdits(subject.text(file) ?? '', fix.edits);
  }

  test('puts it above the line, as deep as that', async () => {
    const text = 'def test_a():\n    x = 1\r\n';
    expect(await allowed({ 'tests/test_a.py': text }, 'tests/test_a.py', 1)).toBe(
      'def test_a():\n    # taskwright: allow x-y — because of it\r\n    x = 1\r\n',
    );
  });

  test('puts it behind a line that has to stay the first', async () => {
    expect(await allowed({ 'tests/a.toml': 'a = [\n1, # one\n]\n' }, 'tests/a.toml', 1)).toContain(
      '— because of it\n1,',
    );
    expect(await allowed({ 'tests/test.sh': '#!/bin/bash\nexit 0\n' }, 'tests/test.sh', 0)).toBe(null);
  });

  test.each([
    ['a here-document', 'tests/test.sh', '#!/bin/bash\ncat <<EOF\ntext\nEOF\n', 2],
    ['a continued line', 'tests/test.sh', '#!/bin/bash\necho a \\\n  b\n', 1],
    ['a text of many lines', 'tests/test_a.py', 'x = """\na\n"""\n', 1],
    ['a file that the agent sees', 'environment/a.py', 'x = 1\n', 0],
    ['a file without comments', 'tests/a.json', '{}\n', 0],
  ])('writes none into %s', async (_what, file, text, line) => {
    const result = await allowed({ [file]: text }, file, line);
    if (line === 1 && file.endsWith('.sh')) expect(result).toContain('because of it\necho a \\\n  b\n');
    else expect(result).toBe(null);
  });

  test('adds an entry to taskwright.toml that lets just this file pass', async () => {
    const judged = await judge(withKey('nonsense = 1'));
    const [finding] = judged.findings.filter(({ ruleId }) => ruleId === 'config-unknown-key');
    if (finding === undefined) throw new Error('nothing found');
    for (const before of [null, 'profile = "harbor"', '[rules]\n', '[[allow]]\nrule="x"\npath="y"\nreason="z"\n']) {
      const text = allowInSettings(finding, 'tasks/t', 'ours "now"', before) ?? '';
      expect((await judge(withKey('nonsense = 1'), text)).suppressed).toMatchObject([{ reason: 'ours "now"' }]);
    }
    expect(allowInSettings(finding, 'tasks/t', 'x', 'broken =')).toBe(null);
    expect(allowInSettings(finding, 'tasks/t', 'x', 'allow = []')).toBe(null);
  });
});
