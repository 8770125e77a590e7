// Times `taskwright check` over a dataset of 3,000 tasks of ten files: with an empty cache, and again with a full one.
// Beside it: how long it takes only to list, read and hash the same bytes, in one thread.
//
//   npm run build && node bench/check.mjs [--tasks 3000] [--rounds 3] [--dist dist] [--keep DIR]
//
// `--keep DIR` makes the dataset once in that folder and leaves it there. The goals: cold at most 10 s on two cores and
// 500 MB, a second run five times as fast.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeDataset } from './dataset.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    dist: { type: 'string', default: 'dist' },
    keep: { type: 'string' },
  },
});
const count = Number(values.tasks);
const rounds = Number(values.rounds);
const cli = resolve(values.dist, 'cli.js');

const work = mkdtempSync(join(tmpdir(), 'taskwright-bench-'));
const folder = values.keep === undefined ? join(work, 'tasks') : resolve(values.keep);
if (!existsSync(folder)) writeDataset(folder, count);

/** Lists, reads and hashes everything: what no checker can do without. */
function readAndHash(dir) {
  let bytes = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) bytes += readAndHash(path);
    else {
      const content = readFileSync(path);
      createHash('sha256').update(content).digest('hex');
      bytes += content.length;
    }
  }
  return bytes;
}

/** One run in a process of its own; worker threads are part of it, so its peak is the peak of everything. */
async function check(cache) {
  const started = performance.now();
  const child = spawn(process.execPath, [cli, 'check', folder, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  let peakKb = 0;
  let cpuTicks = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      cpuTicks = Number(stat[11]) + Number(stat[12]);
    } catch {
      // It has ended meanwhile.
    }
  }, 20);
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  let complaint = '';
  child.stderr.on('data', (part) => (complaint += part));
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  if (code === 2 || code === null) throw new Error(`check ended with ${code}: ${complaint}`);
  const output = Buffer.concat(parts).toString();
  return { seconds, peakMb: peakKb / 1024, cpuSec: cpuTicks / 100, output };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const shown = (number) => number.toFixed(2);

try {
  readAndHash(folder);
  const baselines = [];
  const colds = [];
  const warms = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    readAndHash(folder);
    baselines.push((performance.now() - started) / 1000);
    const cache = join(work, `cache-${round}`);
    const cold = await check(cache);
    const warm = await check(cache);
    if (cold.output !== warm.output) throw new Error('the cached run says something else');
    colds.push(cold);
    warms.push(warm);
  }
  const base = median(baselines);
  const cold = median(colds.map(({ seconds }) => seconds));
  const warm = median(warms.map(({ seconds }) => seconds));
  const { summary } = JSON.parse(colds[0].output);
  console.log(
    `${summary.tasks} tasks, ${availableParallelism()} cores, median of ${rounds}; findings: ${JSON.stringify(summary)}`,
  );
  console.log(`list, read and hash in one thread  ${shown(base)} s   1`);
  console.log(`check, empty cache                 ${shown(cold)} s   ${shown(cold / base)}   (goal 10 s)`);
  console.log(
    `check, full cache                  ${shown(warm)} s   ${shown(warm / base)}   ${shown(cold / warm)} times as fast (goal 5)`,
  );
  console.log(
    `CPU, empty cache                   ${shown(median(colds.map(({ cpuSec }) => cpuSec)))} s   ` +
      `${shown((1000 * median(colds.map(({ cpuSec }) => cpuSec))) / summary.tasks)} ms a task`,
  );
  const peak = (runs) => Math.max(...runs.map(({ peakMb }) => peakMb)).toFixed(0);
  console.log(`peak memory                        ${peak(colds)} MB empty, ${peak(warms)} MB full (goal 500 MB)`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
