import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../src/core/task/task';
import { readTask } from '../../src/core/task/read';
import type { AuthorEntries } from '../../src/engine/cheats/author-entries';
import { authorRun, loadAuthorEntries } from '../../src/engine/cheats/author-entries';
import { reproductionScript, writeReproduction } from '../../src/engine/cheats/reproduction';
import type { CheatRun } from '../../src/engine/trial/spec';
import { nodeFiles } from '../../src/node/files';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'taskwright author 🙂 '));
  write('tasks/my task/task.toml', 'schema_version = "1.4"\n[solution.env]\nWHO = "${NAME_OF_USER}"\n');
  write('tasks/my task/instruction.md', 'Write `/app/out.txt`.\n');
  write('tasks/my task/environment/Dockerfile', 'FROM x\nCOPY a.txt /data/\n');
  write('tasks/my task/environment/a.txt', 'a\n');
  write('tasks/my task/tests/test.sh', 'grep -q x /app/out.txt\n');
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, content: string | Uint8Array, mode = 0o644): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  chmodSync(target, mode);
}

const task = (): Promise<Task> => readTask(nodeFiles, join(root, 'tasks/my task'));

async function load(): Promise<AuthorEntries> {
  return loadAuthorEntries(nodeFiles, { root, taskPath: 'tasks/my task', note: null }, await task());
}

/** Runnable entries as `label kind expect files`, problems after them as `label file:line message`. */
async function shown(): Promise<readonly string[]> {
  const { entries, problems } = await load();
  return [
    ...entries.map(
      ({ label, header, files }) =>
        `${label} ${header.kind} ${header.expect} ${files.map(({ name }) => name).join(' ')}`,
    ),
    ...problems.map(
      ({ label, file, line, message }) => `${label} ${file.slice(root.length + 1)}:${line + 1} ${message}`,
    ),
  ];
}

describe('entries of an author', () => {
  it('are looked for at the workspace root, then in the task, for each kind apart', async () => {
    expect(await shown()).toEqual([]);
    write('tasks/my task/cheats/in-task.sh', '#!/bin/sh\n');
    write('tasks/my task/variants/other/solve.sh', '#!/bin/sh\n');
    expect(await shown()).toEqual(['author:in-task cheat 0 in-task.sh', 'variant:other alternative 1 solve.sh']);
    write('.taskwright/cheats/tasks/my task/at-root.sh', '#!/bin/sh\n# kind: wrong\n# expect: <1\n');
    expect(await shown()).toEqual(['author:at-root wrong <1 at-root.sh', 'variant:other alternative 1 solve.sh']);
  });

  it('that are broken stop no other', async () => {
    write('tasks/my task/cheats/README.md', 'about\n');
    write('tasks/my task/cheats/.hidden', 'x\n');
    write('tasks/my task/cheats/good.sh', '#!/bin/sh\n');
    write('tasks/my task/cheats/good/solve.sh', '#!/bin/sh\n');
    write('tasks/my task/cheats/bad.sh', '#!/bin/sh\n# title: x\n# expect: lots\n');
    write('tasks/my task/cheats/empty/notes.txt', '\n');
    write('tasks/my task/cheats/linked/solve.sh', '#!/bin/sh\n');
    symlinkSync('/etc/passwd', join(root, 'tasks/my task/cheats/linked/users'));
    expect(await shown()).toEqual([
      'author:good cheat 0 solve.sh',
      'author:bad tasks/my task/cheats/bad.sh:3 “expect: lots” must be a number, or one after < or >=, such as 0, <1 or >=1',
      'author:empty tasks/my task/cheats/empty:1 the folder has no solve.sh, which is what would be run',
      'author:good tasks/my task/cheats/good.sh:1 another entry has the same name',
      'author:linked tasks/my task/cheats/linked:1 users is a link; put a copy there, as links are not taken along',
    ]);
  });

  it('become runs like the oracle’s', async () => {
    write('tasks/my task/variants/b/solve.sh', '#!/bin/sh\n# title: another\n# user: root\n# timeout: 9\n');
    write('tasks/my task/variants/b/lib/tool', 'x', 0o755);
    const [entry] = (await load()).entries;
    const made = authorRun(entry!, await task(), () => 'ann');
    expect(made).toMatchObject({
      ok: true,
      run: {
        label: 'variant:b',
        source: 'alternative',
        entry: 'solve.sh',
        env: { WHO: 'ann' },
        user: 'root',
        timeoutSec: 9,
        expect: '1',
        title: 'another',
      },
    });
    expect(made.ok && made.run.files.map(({ name, mode }) => `${name} ${mode.toString(8)}`)).toEqual([
      'lib/tool 755',
      'solve.sh 755',
    ]);
    expect(authorRun(entry!, await task(), () => undefined)).toEqual({
      ok: false,
      message: '[solution].env needs NAME_OF_USER, which is not set here',
    });
  });

  it('decline where a program that they need is missing', async () => {
    write('tasks/my task/cheats/a b.sh', '#!/bin/sh\n# needs: sh no-such-program\necho ran\n');
    write('tasks/my task/cheats/c d.sh', '#!/bin/sh\n# needs: sh\necho "ran $0"\n');
    const results = await Promise.all(
      (await load()).entries.map(async (entry, index) => {
        const made = authorRun(entry, await task(), () => undefined);
        if (!made.ok) throw new Error(made.message);
        expect(made.run.mayDecline).toBe(true);
        const folder = join(root, `run ${index}`);
        for (const file of made.run.files) write(`run ${index}/${file.name}`, file.content, file.mode);
        const ended = spawnSync(join(folder, made.run.entry), { encoding: 'utf8' });
        return `${ended.status} ${ended.stdout}${ended.stderr}`.trim().replaceAll(folder, '');
      }),
    );
    expect(results).toEqual(['77 no-such-program is not in the image', '0 ran /c d.sh']);
  });
});

describe('a reproduction', () => {
  const explanation = { whatHappened: 'It\nhappened.', whyItWorked: 'Why.', whatToChange: 'What.', howToCheck: 'How.' };
  const run = (files: CheatRun['files'], args: readonly string[]): CheatRun => ({
    label: 'x',
    source: 'catalogue',
    version: 1,
    level: 1,
    knowledge: 'blind',
    files,
    entry: files[0]!.name,
    args,
    env: {},
    user: 'agent',
    timeoutSec: 60,
    expect: null,
    title: null,
    targets: null,
  });
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  it('carries every file as it is, runs it and cleans up', async () => {
    const binary = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    const script = '#!/bin/sh\ncp -r "$(dirname "$0")" "$1"\nexit 3\n';
    const files = [
      { name: "it's mine.sh", content: text(script), mode: 0o755 },
      { name: 'facts/a.txt', content: text("$HOME `x` 'END'\nEND\nEND_\n\\n\n"), mode: 0o644 },
      { name: 'facts/none.txt', content: text(''), mode: 0o644 },
      { name: 'bin/raw', content: binary, mode: 0o644 },
    ];
    const path = await writeReproduction(root, {
      run: run(files, [join(root, 'copy of it')]),
      taskName: 'my\ntask',
      explanation,
    });
    expect(path).toBe(join(root, 'cheat/reproduce.sh'));
    expect(readdirSync(join(root, 'cheat'))).toEqual(['reproduce.sh']);
    mkdirSync(join(root, 'tmp'));
    const ended = spawnSync('sh', [path], { encoding: 'utf8', env: { ...process.env, TMPDIR: join(root, 'tmp') } });
    expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 3, stderr: '' });
    for (const { name, content } of files)
      expect(new Uint8Array(readFileSync(join(root, 'copy of it', name))), name).toEqual(new Uint8Array(content));
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });

  it('says in comments what happened and how to run it again', () => {
    const script = reproductionScript({
      run: run([{ name: 'a.sh', content: text('true\n'), mode: 0o755 }], []),
      taskName: 'my\ntask',
      explanation,
    });
    expect(script.split('\n').slice(0, 8)).toEqual([
      '#!/bin/sh',
      '# Repeats x on my task.',
      '#',
      '# It happened.',
      '# Why.',
      '# What.',
      '# How.',
      '#',
    ]);
    expect(execFileSync('sh', ['-n'], { input: script, encoding: 'utf8' })).toBe('');
  });
});
