// The folders that the editor's tests and pictures open, made anew from the template task.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './rig.mjs';

const template = join(root, 'media', 'template');

export async function copyTask(dir, name) {
  await cp(template, dir, { recursive: true });
  await edit(join(dir, 'task.toml'), (text) => text.replace(/^name = .*/m, `name = "bench/${name}"`));
  return dir;
}

async function edit(file, change) {
  const before = await readFile(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`${file}: the change had no effect`);
  await writeFile(file, after);
}

/** One task, at the top of the folder. */
export async function singleTask(dir, name = 'order-totals') {
  await copyTask(join(dir, name), name);
  return dir;
}

/** A dataset with one task of every kind that the view tells apart. */
export async function dataset(dir) {
  const tasks = join(dir, 'tasks');
  await copyTask(join(tasks, 'sound'), 'sound');
  const wrong = await copyTask(join(tasks, 'wrong'), 'wrong');
  await edit(join(wrong, 'solution', 'solve.sh'), (text) =>
    text.replace('entry["orders"] += 1', 'entry["orders"] += 2'),
  );
  const broken = await copyTask(join(tasks, 'broken'), 'broken');
  await edit(join(broken, 'task.toml'), (text) => text.replace('timeout_sec = 60.0', 'timeout_sec = = 60.0'));
  const dropped = join(tasks, 'dropped');
  await mkdir(dropped, { recursive: true });
  await writeFile(join(dropped, 'task.toml'), 'schema_version = "1.4"\n');
  const half = join(tasks, 'half');
  await mkdir(join(half, 'tests'), { recursive: true });
  await writeFile(join(half, 'instruction.md'), 'Write a file.\n');
  return dir;
}

/** A verifier that believes whatever lies in the reward folder. */
export async function leakyTask(dir, name = 'leaky') {
  const task = await copyTask(join(dir, name), name);
  await edit(join(task, 'task.toml'), (text) => text.replace(/^#.*\nuser = "agent"\n/m, ''));
  await writeFile(
    join(task, 'tests', 'test.sh'),
    [
      '#!/bin/bash',
      'if grep -q Oskar /app/totals.json; then',
      '  echo 1 > /logs/verifier/reward.txt',
      'else',
      '  echo 0 > /logs/verifier/reward.txt',
      'fi',
      '',
    ].join('\n'),
  );
  return task;
}

/** A dataset of one task in which nothing is found, and one with findings of every severity, in several files. */
export async function flawedDataset(dir) {
  const tasks = join(dir, 'tasks');
  const plain = await copyTask(join(tasks, 'plain'), 'plain');
  await edit(join(plain, 'tests', 'test.sh'), (text) =>
    text.replace(/^ {2}# The tests.*\n {2}\*\).*$/m, '  *) reward=0 ;;'),
  );
  const flawed = await leakyTask(tasks, 'flawed');
  await edit(join(flawed, 'task.toml'), (text) =>
    text.replace('cpus = 1', 'cpuz = 1').replace('memory_mb = 512', 'memory = "512M"'),
  );
  await edit(join(flawed, 'environment', 'Dockerfile'), (text) =>
    text.replace(/^RUN .*$/m, 'RUN apt-get install -y curl && mkdir /app\nCOPY answers.csv /app/answers.csv'),
  );
  return dir;
}

/** A solution that never ends. */
export async function endlessTask(dir, name) {
  const task = await copyTask(join(dir, name), name);
  await writeFile(join(task, 'solution', 'solve.sh'), '#!/bin/bash\nsleep 3600\n');
  return dir;
}

/** A workspace of two folders, of which one lies in the other. */
export async function twoFolders(dir) {
  await copyTask(join(dir, 'outer', 'first'), 'first');
  await copyTask(join(dir, 'outer', 'inner', 'second'), 'second');
  const file = join(dir, 'both.code-workspace');
  await writeFile(file, JSON.stringify({ folders: [{ path: 'outer' }, { path: 'outer/inner' }] }));
  return file;
}
