import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { baselineOf, parseBaseline, withoutKnown } from '../../src/cli/findings/baseline';
import type { CheckedFile, CheckedTask } from '../../src/cli/findings/checked-task';
import { githubCommands } from '../../src/cli/findings/github';
import { findingsDocument } from '../../src/cli/findings/json';
import { planMending, writeMending } from '../../src/cli/findings/mend';
import { prettyFindings } from '../../src/cli/findings/pretty';
import type { CheckReport } from '../../src/cli/findings/report';
import { sarifLog } from '../../src/cli/findings/sarif';
import type { Files } from '../../src/core/files';
import type { Finding } from '../../src/core/finding';
import { linesOf } from '../../src/core/text/lines';
import { nodeFiles, sha256 } from '../../src/node/files';
import { temporaryFolder } from './call';

const finding: Finding = {
  ruleId: 'config-invalid-value',
  severity: 'error',
  confidence: 'certain',
  file: 'task.toml',
  range: { start: { line: 4, character: 7 }, end: { line: 4, character: 12 } },
  path: ['environment', 'cpus'],
  message: '100% wrong:\nnot a number, \u001b[31mtwo',
  why: 'Harbor rejects this file.',
  related: [
    {
      file: 'a b/ü.py',
      range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
      message: 'used here',
    },
  ],
  fixes: [{ title: 'Write 2', edits: [], preferred: true }],
  fingerprint: 'f1',
};
const hint: Finding = {
  ruleId: 'structure-task-name',
  severity: 'hint',
  confidence: 'likely',
  file: 'tests/test.sh',
  range: { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } },
  message: 'a hint',
  why: 'Names end up in reports.',
  fixes: [],
  fingerprint: 'f2',
};
const tasks: readonly CheckedTask[] = [
  {
    path: 'tasks/a',
    name: 'acme/a',
    harbor: { outcome: 'dropped', reason: 'task.toml is not valid' },
    dir: '/x/tasks/a',
    findings: [finding, hint],
    suppressed: [{ finding: { ...hint, fingerprint: 'f3' }, reason: 'it has to', comment: null }],
    isReadable: true,
    failure: null,
  },
  {
    path: 'tasks/b',
    name: 'acme/b',
    harbor: { outcome: 'loads', reason: null },
    dir: '/x/tasks/b',
    findings: [{ ...hint, confidence: 'possible', severity: 'error', message: 'perhaps', fingerprint: 'f4' }],
    suppressed: [],
    isReadable: true,
    failure: null,
  },
];
const aboutSettings: Finding = {
  ...hint,
  ruleId: 'settings-unknown-key',
  severity: 'warning',
  file: 'taskwright.toml',
  message: 'an unknown key',
  fingerprint: 'f5',
};
const report: CheckReport = {
  tasks,
  settings: [{ path: 'taskwright.toml', dir: '/x', findings: [aboutSettings] }],
};
const pathOf = (checked: CheckedFile, file: string): string =>
  checked.path === file ? file : `${checked.path}/${file}`;

describe('findings', () => {
  it('as JSON have the documented shape', () => {
    const shown = {
      ruleId: 'structure-task-name',
      severity: 'hint',
      confidence: 'likely',
      file: 'tests/test.sh',
      range: { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } },
      message: 'a hint',
      why: 'Names end up in reports.',
      fixes: [],
      fingerprint: 'f2',
    };
    expect(JSON.parse(JSON.stringify(findingsDocument(report)))).toEqual({
      version: 1,
      tasks: [
        {
          path: 'tasks/a',
          name: 'acme/a',
          loadable: false,
          findings: [
            {
              ruleId: 'config-invalid-value',
              severity: 'error',
              confidence: 'certain',
              file: 'task.toml',
              range: { start: { line: 4, character: 7 }, end: { line: 4, character: 12 } },
              path: ['environment', 'cpus'],
              message: '100% wrong:\nnot a number, \u001b[31mtwo',
              why: 'Harbor rejects this file.',
              related: finding.related,
              fixes: [{ title: 'Write 2' }],
              fingerprint: 'f1',
            },
            shown,
          ],
          suppressed: [{ ...shown, fingerprint: 'f3', reason: 'it has to', by: 'taskwright.toml' }],
        },
        {
          path: 'tasks/b',
          name: 'acme/b',
          loadable: true,
          findings: [{ ...shown, confidence: 'possible', severity: 'error', message: 'perhaps', fingerprint: 'f4' }],
          suppressed: [],
        },
      ],
      settings: [
        {
          path: 'taskwright.toml',
          findings: [
            {
              ...shown,
              ruleId: 'settings-unknown-key',
              severity: 'warning',
              file: 'taskwright.toml',
              message: 'an unknown key',
              fingerprint: 'f5',
            },
          ],
        },
      ],
      summary: { tasks: 2, loadable: 1, error: 2, warning: 1, information: 0, hint: 1, suppressed: 1 },
    });
  });

  it('as SARIF agree with its schema', () => {
    const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json');
    const schema = JSON.parse(
      readFileSync(join(dirname(path), 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
    ) as object;
    // Its dialect is an older one, of which only the names of these keys differ.
    // Its dialect is an older one, of which only the names of these keys differ.
    const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== 'id'));
    const options = { strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false };
    const validate = new Ajv(options).compile(rest);
    const failed = { ...tasks[1]!, failure: 'made the checker end' };
    for (const one of [report, { tasks: [], settings: [] }, { tasks: [failed], settings: [] }]) {
      const log: unknown = JSON.parse(JSON.stringify(sarifLog(one, { version: '1.2.3', uriOf: pathOf })));
      validate(log);
      expect(validate.errors).toBe(null);
    }
    expect(validate({ version: '2.1.0', runs: [{ results: [{ level: 'bad' }] }] })).toBe(false);
  });

  it('as SARIF count from 1 and point into the list of rules', () => {
    const log = sarifLog(report, { version: '1.2.3', uriOf: (task, file) => encodeURI(pathOf(task, file)) });
    const [run] = log.runs;
    expect([log.version, run?.columnKind, run?.tool.driver.semanticVersion]).toEqual([
      '2.1.0',
      'utf16CodeUnits',
      '1.2.3',
    ]);
    const ids = run?.tool.driver.rules?.map(({ id }) => id) ?? [];
    const ours = ['settings-unknown-key', 'config-invalid-value', ...Array<string>(3).fill('structure-task-name')];
    expect(run?.results?.map(({ ruleId, ruleIndex = -1 }) => [ruleId, ids[ruleIndex]])).toEqual(
      ours.map((id) => [id, id]),
    );
    const [, first, second, suppressed] = run?.results ?? [];
    expect(suppressed?.suppressions).toEqual([{ kind: 'external', justification: 'it has to' }]);
    expect([first?.level, second?.level]).toEqual(['error', 'note']);
    expect(first?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'tasks/a/task.toml' },
      region: { startLine: 5, startColumn: 8, endLine: 5, endColumn: 13 },
    });
    expect(first?.relatedLocations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('tasks/a/a%20b/%C3%BC.py');
    expect(first?.partialFingerprints).toEqual({ 'taskwright/v1': 'f1' });
  });

  it('as workflow commands cannot break out of them', () => {
    const odd: CheckReport = { tasks: [{ ...tasks[0]!, path: 'a,b:c%' }, tasks[1]!], settings: [] };
    expect(githubCommands(odd, pathOf)).toBe(
      '::error file=a%2Cb%3Ac%25/task.toml,line=5,endLine=5,col=8,endColumn=12,title=config-invalid-value::' +
        '100%25 wrong:%0Anot a number, two\n' +
        '::notice file=a%2Cb%3Ac%25/tests/test.sh,line=1,endLine=3,title=structure-task-name::a hint\n',
    );
  });

  it('for people show the line, and nothing that steers a terminal', () => {
    const show = (showsPossible: boolean): string =>
      prettyFindings(report, {
        color: false,
        showsPossible,
        pathOf,
        lineOf: (_checked, file) => (file === 'task.toml' ? '本\tab = "two"' : null),
      });
    const lines = [
      'taskwright.toml:1:1: warning: an unknown key [settings-unknown-key]',
      '  why: Names end up in reports.',
      'tasks/a: not loadable: task.toml is not valid',
      'tasks/a/task.toml:5:8: error: 100% wrong:\\u{a}not a number, \\u{1b}[31mtwo [config-invalid-value]',
      '  5 | 本    ab = "two"',
      '    |            ^^^^^',
      '  why: Harbor rejects this file.',
      '  fix: Write 2',
      'tasks/a/tests/test.sh:1:1: hint: a hint [structure-task-name]',
      '  why: Names end up in reports.',
    ];
    expect(show(false).split('\n')).toEqual([
      ...lines,
      '2 tasks, 1 of them loadable: 1 error, 1 warning, 1 hint. 1 finding let pass with a reason. ' +
        '1 possible finding not shown (--possible). 1 finding with a fix at hand.',
      '',
    ]);
    expect(show(true).split('\n').slice(lines.length, -2)).toEqual([
      'tasks/b/tests/test.sh:1:1: error: perhaps [structure-task-name]',
    ]);
  });
});

describe('a baseline', () => {
  const twice = [finding, { ...finding, message: 'again' }, hint];

  it('lets pass what it knows, as often as it counts it', () => {
    const baseline = baselineOf([{ key: 'tasks/a', findings: twice.slice(1) }]);
    expect(baseline).toEqual({ version: 1, tasks: { 'tasks/a': { f1: 1, f2: 1 } } });
    expect(withoutKnown(twice, baseline.tasks['tasks/a']!).map(({ message }) => message)).toEqual(['again']);
    expect(withoutKnown(twice, {})).toEqual(twice);
  });

  it('is read back', () => {
    const text = JSON.stringify(baselineOf([{ key: 'tasks/a', findings: twice }]));
    expect(parseBaseline(text)).toEqual({ ok: true, baseline: { version: 1, tasks: { 'tasks/a': { f1: 2, f2: 1 } } } });
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"version":2,"tasks":{}}',
    '{"version":1,"tasks":{"a":{"f":"x"}}}',
    '{"version":1,"tasks":[]}',
  ])('%j is none', (text) => {
    expect(parseBaseline(text).ok).toBe(false);
  });
});

describe('mending', () => {
  /** A rule of toy kind: every `bad` in x.txt is a warning, and `worse` an error that no fix mends. */
  function judging(dir: string, replacement: string, file = 'x.txt') {
    return async (files: Files): Promise<readonly Finding[]> => {
      const read = await files.read(join(dir, 'x.txt'), 1000);
      const text = read.ok ? new TextDecoder().decode(read.bytes) : '';
      return [...text.matchAll(/bad|worse/g)].map((match, index): Finding => {
        const range = linesOf(text).range(match.index, match.index + match[0].length);
        const edits = [{ file, range, newText: replacement }];
        const isBad = match[0] === 'bad';
        return {
          ...hint,
          severity: isBad ? 'warning' : 'error',
          file: 'x.txt',
          range,
          message: `${match[0]} ${index}`,
          fixes: isBad ? [{ title: 'replace', preferred: true, edits }] : [],
          fingerprint: match[0],
        };
      });
    };
  }

  function options(dir: string, replacement: string, file?: string) {
    return {
      dir,
      files: nodeFiles,
      sha256,
      signal: new AbortController().signal,
      judge: judging(dir, replacement, file),
      isSafe: () => Promise.resolve(true),
    };
  }

  it('makes each fix where its finding has moved to', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'x.txt'), 'bad bad\nbad 🌊 bad', { mode: 0o600 });
    const plan = await planMending(options(dir, 'excellent'));
    expect(plan.mended.length).toBe(4);
    expect(readFileSync(join(dir, 'x.txt'), 'utf8')).toBe('bad bad\nbad 🌊 bad');
    expect(await writeMending(plan, nodeFiles, sha256)).toEqual({ ok: true });
    expect(readFileSync(join(dir, 'x.txt'), 'utf8')).toBe('excellent excellent\nexcellent 🌊 excellent');
    expect((await nodeFiles.stat(join(dir, 'x.txt')))?.mode).toBe(0o600);
  });

  it.each([
    ['makes an error', 'worse', 'x.txt'],
    ['changes nothing', 'bad', 'x.txt'],
    ['mends nothing', 'very bad', 'x.txt'],
    ['reaches out of the task', 'good', '../x.txt'],
  ])('leaves out a fix that %s', async (_what, replacement, file) => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'task'));
    writeFileSync(join(dir, 'x.txt'), 'bad');
    writeFileSync(join(dir, 'task/x.txt'), 'bad');
    const plan = await planMending(options(join(dir, 'task'), replacement, file));
    expect({ mended: plan.mended.length, leftOut: plan.leftOut.length, changes: plan.changes.size }).toEqual({
      mended: 0,
      leftOut: 1,
      changes: 0,
    });
  });

  it('changes nothing through a link', async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'task'));
    writeFileSync(join(dir, 'x.txt'), 'bad');
    symlinkSync('../x.txt', join(dir, 'task/x.txt'));
    const plan = await planMending(options(join(dir, 'task'), 'good'));
    expect({ mended: plan.mended.length, leftOut: plan.leftOut.length }).toEqual({ mended: 0, leftOut: 1 });
  });

  it('writes nothing over a file that was changed meanwhile', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'x.txt'), 'bad');
    const plan = await planMending(options(dir, 'good'));
    writeFileSync(join(dir, 'x.txt'), 'bad and new');
    expect(await writeMending(plan, nodeFiles, sha256)).toMatchObject({ ok: false });
    expect(readFileSync(join(dir, 'x.txt'), 'utf8')).toBe('bad and new');
  });

  it('shows the judge a file that a fix makes', async () => {
    const dir = temporaryFolder();
    const place = 'new/a.sh';
    const judge = async (files: Files): Promise<readonly Finding[]> => {
      const listed = await files.list(join(dir, 'new'));
      const isThere = (await files.stat(join(dir, place)))?.kind === 'file' && listed?.[0]?.name === 'a.sh';
      const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      const fix = { title: 'make it', preferred: true, edits: [{ file: place, range, newText: 'exit 1\n' }] };
      return isThere ? [] : [{ ...finding, fixes: [fix] }];
    };
    const plan = await planMending({ ...options(dir, ''), judge });
    expect(plan.mended.length).toBe(1);
    expect(existsSync(join(dir, 'new'))).toBe(false);
    expect(await writeMending(plan, nodeFiles, sha256)).toEqual({ ok: true });
    expect(readFileSync(join(dir, place), 'utf8')).toBe('exit 1\n');
  });
});
