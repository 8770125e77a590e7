import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerCheck } from '../../src/cli/check';
import { registerGate } from '../../src/cli/gate';
import { registerNew } from '../../src/cli/new';
import type { GateDocument } from '../../src/core/gates/document';
import { call, temporaryFolder } from './call';

function tree(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

const wholeTask = [
  'environment/Dockerfile',
  'environment/orders.csv',
  'instruction.md',
  'solution/solve.sh',
  'task.toml',
  'tests/orders.csv',
  'tests/test.sh',
  'tests/verify.py',
];

describe('new', () => {
  it('makes a whole task named after its folder', async () => {
    const cwd = temporaryFolder();
    const made = await call(registerNew, ['new', "tasks/Tide 🌊's table"], { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(`Next: taskwright gate 'tasks/Tide 🌊'\\''s table'\n`);
    expect(tree(cwd)).toEqual(wholeTask.map((file) => `tasks/Tide 🌊's table/${file}`));
    const task = join(cwd, "tasks/Tide 🌊's table");
    expect(readFileSync(join(task, 'task.toml'), 'utf8')).toContain('name = "local/tide-s-table"\n');
    expect(statSync(join(task, 'tests/test.sh')).mode & 0o111).toBe(0o111);
  });

  it('fills the empty folder it stands in', async () => {
    const cwd = join(temporaryFolder(), 'here');
    mkdirSync(cwd);
    expect(await call(registerNew, ['new', '.', '--name', 'acme/tide'], { cwd })).toMatchObject({ code: 0 });
    expect(tree(cwd)).toEqual(wholeTask);
  });

  it('refuses a folder that is not empty and changes nothing in it', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'task.toml'), 'mine');
    const refused = await call(registerNew, ['new', '.'], { cwd });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^error: .* is not empty; .*--force\.\n$/);
    expect(tree(cwd)).toEqual(['task.toml']);
    expect(readFileSync(join(cwd, 'task.toml'), 'utf8')).toBe('mine');
  });

  it('writes over files of the same names with --force and keeps the others', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'task.toml'), 'mine');
    writeFileSync(join(cwd, 'notes.md'), 'mine');
    expect(await call(registerNew, ['new', '.', '--force', '--name', 'a/b'], { cwd })).toMatchObject({ code: 0 });
    expect(tree(cwd)).toEqual([...wholeTask, 'notes.md'].sort());
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(cwd, 'task.toml'), 'utf8')).toContain('"a/b"');
  });

  it.each([
    ['a folder where a file goes', 'tests/test.sh/x'],
    ['a file where a folder goes', 'tests'],
  ])('touches nothing when there is %s', async (_what, file) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, file, '..'), { recursive: true });
    writeFileSync(join(cwd, file), 'mine');
    const refused = await call(registerNew, ['new', '.', '--force', '--name', 'a/b'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is in the way of the template');
    expect(tree(cwd)).toEqual([file]);
  });

  it('makes a task that no rule is sure to find fault with and that passes its own gates', async () => {
    const cwd = temporaryFolder();
    expect(await call(registerNew, ['new', 'order-totals'], { cwd })).toMatchObject({ code: 0 });
    const checked = await call(registerCheck, ['check', '--format', 'json'], { cwd });
    const document = JSON.parse(checked.stdout) as { tasks: { findings: { confidence: string; ruleId: string }[] }[] };
    expect(document).toMatchObject({ tasks: [{ path: 'order-totals', name: 'local/order-totals', loadable: true }] });
    // Its script leaves a trial without a reward where the tests themselves broke, which a reviewer is told of.
    const sure = document.tasks[0]?.findings.filter(({ confidence }) => confidence !== 'possible');
    expect(sure).toEqual([]);
    const gated = await call(registerGate, ['gate', '--format', 'json'], { cwd });
    const { tasks } = JSON.parse(gated.stdout) as GateDocument;
    expect(tasks[0]?.gates.map(({ gate, verdict, message }) => [gate, verdict, message])).toEqual([
      ['oracle', 'passed', null],
      ['nop', 'passed', null],
      ['cheat', 'passed', null],
    ]);
    const outcomes = tasks[0]?.gates[2]?.attempts.map(({ outcome }) => outcome) ?? [];
    expect(outcomes.filter((outcome) => outcome === 'resisted').length).toBeGreaterThanOrEqual(8);
    expect(gated.code).toBe(0);
  });

  it.each([
    ['a file', ['new', 'taken'], 'exists and is not a folder'],
    ['a folder below a file', ['new', 'taken/below'], 'could not be made'],
    ['no name', ['new', '🌊'], '--name org/name'],
    ['a bad name', ['new', 'x', '--name', 'a b'], '"a b" is no name of a task'],
    ['no folder', ['new'], "missing required argument 'dir'"],
  ])('refuses %s', async (_what, args, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'taken'), '');
    const refused = await call(registerNew, args, { cwd });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(tree(cwd)).toEqual(['taken']);
  });
});
