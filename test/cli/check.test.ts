import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerCheck } from '../../src/cli/check';
import { call, temporaryFolder, type Called } from './call';

const template = resolve(import.meta.dirname, '../../media/template');

interface CheckDocument {
  readonly version: number;
  readonly tasks: readonly {
    readonly path: string;
    readonly name: string;
    readonly loadable: boolean;
    readonly findings: readonly Readonly<Record<string, unknown>>[];
    readonly suppressed: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly settings?: readonly {
    readonly path: string;
    readonly findings: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

/** A folder with `tasks/order-totals` as `new` makes it, and what a test adds. */
function dataset(change: (tasks: string) => void = () => undefined): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'tasks'));
  cpSync(template, join(cwd, 'tasks/order-totals'), { recursive: true });
  change(join(cwd, 'tasks'));
  return cwd;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/** Beside the good task one that Harbor refuses for its number of CPUs, and has a key nobody knows. */
function withBad(tasks: string): void {
  cpSync(template, join(tasks, 'bad'), { recursive: true });
  edit(join(tasks, 'bad/task.toml'), 'cpus = 1', 'cpus = "two"\nmemory_gb = 1');
  edit(join(tasks, 'bad/task.toml'), 'local/order-totals', 'local/bad');
}

const check = (cwd: string, ...args: string[]): Promise<Called> => call(registerCheck, ['check', ...args], { cwd });
const document = ({ stdout }: Called): CheckDocument => JSON.parse(stdout) as CheckDocument;
const rules = (called: Called): readonly unknown[] =>
  document(called).tasks.flatMap((task) => task.findings.map(({ ruleId }) => ruleId));

describe('taskwright.toml', () => {
  it('sets severities, lets findings pass, and is itself looked at', async () => {
    const cwd = dataset(withBad);
    const settings = [
      'profile = "harbour"',
      '[rules]',
      'config-invalid-value = "warning"',
      'config-unknown = "off"',
      '[[allow]]',
      'rule = "config-unknown-key"',
      'path = "tasks/bad/task.toml"',
      'reason = "our own key"',
      '[[allow]]',
      'rule = "config-unknown-key"',
      'path = "tasks/order-totals"',
      'reason = "never needed"',
    ];
    writeFileSync(join(cwd, 'taskwright.toml'), settings.join('\n'));
    const called = await check(cwd, 'tasks', '--format', 'json');
    const { tasks, settings: about, summary } = document(called);
    expect(tasks[0]?.findings.map(({ ruleId, severity }) => [ruleId, severity])).toContainEqual([
      'config-invalid-value',
      'warning',
    ]);
    expect(tasks[0]?.suppressed).toMatchObject([
      { ruleId: 'config-unknown-key', reason: 'our own key', by: 'taskwright.toml' },
    ]);
    expect(about?.map(({ path, findings }) => [path, findings.map(({ ruleId }) => ruleId)])).toEqual([
      ['taskwright.toml', ['settings-invalid-value', 'settings-unknown-rule', 'settings-unused-allow']],
    ]);
    expect([called.code, summary.suppressed]).toEqual([1, 1]);
    const pretty = await check(cwd, 'tasks', '--rule', 'config-invalid-value=hint');
    expect(pretty.stdout).toContain('taskwright.toml:1:11: error: profile has to be one of "harbor"');
    expect(pretty.stdout).toContain('hint: environment.cpus must be a whole number.');
  });

  it('that is broken stops nothing', async () => {
    const cwd = dataset();
    writeFileSync(join(cwd, 'taskwright.toml'), 'profile =');
    const called = await check(cwd, '--format', 'json');
    expect(document(called).settings).toMatchObject([{ findings: [{ ruleId: 'settings-syntax', severity: 'error' }] }]);
    expect([called.code, document(called).tasks.length]).toEqual([1, 1]);
  });
});

describe('check', () => {
  it('finds nothing to complain about in the template', async () => {
    const called = await check(dataset(), '--fail-on', 'warning', '--format', 'json');
    expect(called).toMatchObject({ code: 0, stderr: '' });
    const [task, ...others] = document(called).tasks;
    expect([task?.path, task?.name, task?.loadable, others]).toEqual([
      'tasks/order-totals',
      'local/order-totals',
      true,
      [],
    ]);
    expect(task?.findings.filter(({ severity }) => severity !== 'information')).toEqual([]);
  });

  it('prints one document of the shape that was promised', async () => {
    const called = await check(dataset(withBad), 'tasks', '--format', 'json');
    expect(called).toMatchObject({ code: 1, stderr: '' });
    const { version, tasks, summary } = document(called);
    expect(version).toBe(1);
    expect(tasks.map(({ path, loadable }) => [path, loadable])).toEqual([
      ['tasks/bad', false],
      ['tasks/order-totals', true],
    ]);
    const line = readFileSync(join(template, 'task.toml'), 'utf8').split('\n').indexOf('cpus = 1');
    const invalid = tasks[0]?.findings.find(({ ruleId }) => ruleId === 'config-invalid-value');
    expect(invalid).toMatchObject({
      severity: 'error',
      confidence: 'certain',
      file: 'task.toml',
      range: { start: { line, character: 7 }, end: { line, character: 12 } },
      path: ['environment', 'cpus'],
    });
    expect(Object.keys(invalid ?? {})).toEqual([
      'ruleId',
      'severity',
      'confidence',
      'file',
      'range',
      'path',
      'message',
      'why',
      'fixes',
      'fingerprint',
    ]);
    expect(summary).toMatchObject({ tasks: 2, loadable: 1, error: 1, warning: 1, hint: 0, suppressed: 0 });
  });

  it('never lets one broken task hide the others', async () => {
    const cwd = dataset((tasks) => {
      withBad(tasks);
      cpSync(template, join(tasks, 'binary'), { recursive: true });
      writeFileSync(join(tasks, 'binary/task.toml'), Buffer.from([0xff, 0xfe, 0x00]));
      mkdirSync(join(tasks, 'empty'));
    });
    const called = await check(cwd, '--format', 'json');
    expect(called.code).toBe(1);
    expect(document(called).tasks.map(({ path, loadable }) => [path, loadable])).toEqual([
      ['tasks/bad', false],
      ['tasks/binary', false],
      ['tasks/order-totals', true],
    ]);
  });

  it('says why Harbor drops a folder, and shows the line at fault', async () => {
    const { code, stdout } = await check(dataset(withBad), 'tasks');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^tasks\/bad: not loadable: .*Harbor/m);
    expect(stdout).toMatch(
      /^tasks\/bad\/task\.toml:\d+:8: error: .* \[config-invalid-value\]\n {2}\d+ \| cpus = "two"\n +\| {8}\^{5}$/m,
    );
    expect(stdout).toMatch(/^2 tasks, 1 of them loadable: 1 error, 1 warning/m);
  });

  it('judges a task.toml alone', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'task.toml'), '[environment]\nos = "amiga"\n');
    const called = await check(cwd, 'task.toml', '--format', 'json');
    expect(called.code).toBe(1);
    expect(document(called).tasks.map(({ path, loadable }) => [path, loadable])).toEqual([['task.toml', false]]);
    expect(document(called).summary).toMatchObject({ tasks: 1, loadable: 0, error: 1 });
    // Nothing is said of the files that are not beside it.
    expect(rules(called).filter((rule) => String(rule).startsWith('structure-'))).toEqual([]);
    writeFileSync(join(cwd, 'task.toml'), '');
    expect((await check(cwd, 'task.toml')).code).toBe(0);
    writeFileSync(join(cwd, 'task.toml'), Buffer.from([0xff]));
    expect((await check(cwd, 'task.toml')).code).toBe(1);
  });

  it.each([
    ['an empty folder', ['empty'], /empty/],
    ['no such path', ['none'], /none/],
    ['a file that is no task.toml', ['notes.md'], /notes\.md/],
    ['nothing beside something', ['tasks', 'empty'], /empty/],
    ['an unknown rule', ['--rule', 'no-such-rule=off'], /no rule "no-such-rule"/],
    ['an unknown severity', ['--rule', 'config-syntax=fatal'], /ID=SEVERITY/],
    ['an unknown format', ['--format', 'xml'], /pretty, json, sarif, github/],
    ['a baseline that is not there', ['--baseline', 'none.json'], /--write-baseline/],
    ['a baseline that is none', ['--baseline', 'notes.md'], /notes\.md is no JSON/],
  ])('could not run: %s', async (_what, args, message) => {
    const cwd = dataset();
    mkdirSync(join(cwd, 'empty'));
    writeFileSync(join(cwd, 'notes.md'), 'notes');
    const called = await check(cwd, ...args);
    expect(called).toMatchObject({ code: 2, stdout: '' });
    expect(called.stderr).toMatch(message);
    // A reader of JSON gets one document all the same, whether the parser or the command refused.
    const told = await check(cwd, ...args, '--format', 'json');
    expect(told.code).toBe(2);
    const { tasks, error } = JSON.parse(told.stdout) as { tasks: unknown; error: { message: string } };
    expect(tasks).toEqual([]);
    expect(told.stderr).toContain(error.message);
  });

  it('takes severities from the command line', async () => {
    const cwd = dataset(withBad);
    const softer = await check(
      cwd,
      '--rule',
      'config-invalid-value=hint',
      '--rule',
      'config-unknown-key=off',
      '--format',
      'json',
    );
    expect(softer.code).toBe(0);
    expect(document(softer).summary).toMatchObject({ error: 0, warning: 0, hint: 1 });
    expect((await check(cwd, '--rule', 'config-invalid-value=warning')).code).toBe(0);
    expect((await check(cwd, '--rule', 'config-invalid-value=warning', '--fail-on', 'warning')).code).toBe(1);
  });

  it('lets pass what a baseline knows, wherever it is run', async () => {
    const cwd = dataset(withBad);
    const written = await check(cwd, 'tasks', '--write-baseline', 'known/base.json');
    expect(written).toMatchObject({ code: 0, stderr: '4 findings are in the baseline.\n' });
    expect(readdirSync(join(cwd, 'known'))).toEqual(['base.json']);
    const below = await check(join(cwd, 'tasks'), 'bad', '--baseline', '../known/base.json', '--format', 'json');
    expect(below.code).toBe(0);
    expect(rules(below)).toEqual([]);
    edit(join(cwd, 'tasks/bad/task.toml'), '[verifier]\n', '# a comment moves lines\n[verifier]\nenv = { A = 1 }\n');
    const again = await check(cwd, 'tasks', '--baseline', 'known/base.json', '--format', 'json');
    expect(again.code).toBe(1);
    expect(rules(again)).toEqual(['config-invalid-value']);
  });

  it('mends what cannot change the meaning, and leaves a file that still parses', async () => {
    const cwd = dataset((tasks) => {
      edit(join(tasks, 'order-totals/task.toml'), 'network_mode = "no-network"', 'allow_internet = false');
      edit(join(tasks, 'order-totals/task.toml'), '[verifier]\ntimeout_sec', '[verifier]\ntimeout_secs');
    });
    const before = await check(cwd, '--format', 'json');
    expect(rules(before)).toContain('config-deprecated-key');
    expect(rules(before)).toContain('config-unknown-key');
    const mended = await check(cwd, '--fix', '--format', 'json');
    expect(mended.stderr).toMatch(/^fixed tasks\/order-totals: .* \(config-deprecated-key\)$/m);
    expect(rules(mended)).not.toContain('config-deprecated-key');
    expect(rules(mended)).toContain('config-unknown-key');
    const text = readFileSync(join(cwd, 'tasks/order-totals/task.toml'), 'utf8');
    // A rename would put a value in force that is not in force now.
    expect(text).toContain('[verifier]\ntimeout_secs = 60.0\n');
    expect(text).toContain('network_mode = "no-network"');
    expect(readdirSync(join(cwd, 'tasks/order-totals')).sort()).toEqual(readdirSync(template).sort());
  });

  it('does not mend what a rule set to off would have said', async () => {
    const cwd = dataset((tasks) => {
      edit(join(tasks, 'order-totals/task.toml'), 'network_mode = "no-network"', 'allow_internet = false');
    });
    const mended = await check(cwd, '--fix', '--rule', 'config-deprecated-key=off');
    expect(mended).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(cwd, 'tasks/order-totals/task.toml'), 'utf8')).toContain('allow_internet');
  });

  it('names files from the root of the repository for GitHub', async () => {
    const cwd = dataset(withBad);
    const env = { GITHUB_WORKSPACE: cwd };
    const called = await call(registerCheck, ['check', 'bad', '--format', 'github'], { cwd: join(cwd, 'tasks'), env });
    expect(called.stdout).toMatch(/^::error file=tasks\/bad\/task\.toml,line=\d+,endLine=\d+,col=8,endColumn=12,/m);
    expect(
      called.stdout
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('::')),
    ).toBe(true);
  });

  it('writes a SARIF log with places below the working directory', async () => {
    const cwd = dataset((tasks) => {
      withBad(tasks);
      cpSync(join(tasks, 'bad'), join(tasks, 'a b🌊'), { recursive: true });
      rmSync(join(tasks, 'bad'), { recursive: true });
    });
    const { stdout } = await check(cwd, '--format', 'sarif');
    const uris = [...stdout.matchAll(/"uri": "([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(uris)).toContain('tasks/a%20b%F0%9F%8C%8A/task.toml');
    expect(uris.every((uri) => uri?.startsWith('tasks/') === true)).toBe(true);
  });
});
