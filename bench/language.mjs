// Times the language server over a dataset of 3,000 tasks, as an editor that has all of it open as its folder and two
// files of one task as its documents: a keystroke in task.toml until its own diagnostics, and until those of the
// instruction; completion; and the first pass over the tasks that are not open.
//
//   npm run build && node bench/language.mjs [--tasks 3000] [--keys 200] [--dist dist] [--keep DIR]
//
// The goals, as the 95th of 100: 50 ms for the file's own diagnostics, 300 ms across files, 30 ms for completion.
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { writeDataset } from './dataset.mjs';

const { createProtocolConnection, IPCMessageReader, IPCMessageWriter } = createRequire(import.meta.url)(
  'vscode-languageserver/node',
);

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '3000' },
    keys: { type: 'string', default: '200' },
    dist: { type: 'string', default: 'dist' },
    keep: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'taskwright-bench-'));
const folder = values.keep === undefined ? join(work, 'tasks') : resolve(values.keep);
if (!existsSync(folder)) writeDataset(folder, Number(values.tasks));
const dirs = readdirSync(folder).map((name) => join(folder, name));
const uriOf = (path) => pathToFileURL(path).href;

const child = fork(resolve(values.dist, 'server.js'), ['--node-ipc'], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
let judged = 0;
connection.onNotification('taskwright/findings', () => judged++);
connection.onRequest('workspace/configuration', ({ items }) => items.map(() => ({})));
connection.listen();
await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: null,
  workspaceFolders: [{ uri: uriOf(folder), name: 'tasks' }],
  capabilities: { workspace: { configuration: true } },
  initializationOptions: { sendsTasks: true },
});
await connection.sendNotification('initialized', {});
await connection.sendNotification('taskwright/tasks', { dirs });

const dir = dirs[Math.floor(dirs.length / 2)];
const [config, instruction] = ['task.toml', 'instruction.md'].map((name) => join(dir, name));
let text = readFileSync(config, 'utf8');
let version = 1;
const open = (path, content) =>
  connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: uriOf(path), languageId: 'x', version: 1, text: content },
  });
await open(config, text);
await open(instruction, readFileSync(instruction, 'utf8'));
const pull = (path) => connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: uriOf(path) } });
await pull(config);

const background = connection.sendRequest('workspace/diagnostic', { previousResultIds: [], partialResultToken: 'b' });
const started = performance.now();
let swept = null;
void background.then(() => (swept = performance.now() - started));

const at = (offset) => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1).length };
};
/** Milliseconds of processor time of the server: what a machine that does other work meanwhile cannot blur. */
const cpuMs = () => {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(stat[11]) + Number(stat[12])) * 10;
};
const typed = 'work_dir = "/app"\n';
const measure = async (phase) => {
  const cpu = cpuMs();
  const own = [];
  const across = [];
  const completion = [];
  const start = text.indexOf('[environment]\n') + '[environment]\n'.length;
  for (let key = 0; key < Number(values.keys); key++) {
    const round = key % (2 * typed.length);
    const place = start + (round < typed.length ? round : 2 * typed.length - round - 1);
    const range =
      round < typed.length ? { start: at(place), end: at(place) } : { start: at(place), end: at(place + 1) };
    const change = round < typed.length ? typed[round] : '';
    const before = performance.now();
    version++;
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uriOf(config), version },
      contentChanges: [{ range, text: change }],
    });
    text = text.slice(0, place) + change + text.slice(round < typed.length ? place : place + 1);
    await pull(config);
    own.push(performance.now() - before);
    await pull(instruction);
    across.push(performance.now() - before);
    const asked = performance.now();
    await connection.sendRequest('textDocument/completion', {
      textDocument: { uri: uriOf(config) },
      position: at(Math.min(place + 1, text.length)),
    });
    completion.push(performance.now() - asked);
    // A fast hand: about ten keys a second.
    await new Promise((done) => setTimeout(done, 20));
  }
  console.log(`${phase}: ${((cpuMs() - cpu) / Number(values.keys)).toFixed(1)} ms of processor time a key`);
  const p = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)].toFixed(1);
  for (const [name, times] of Object.entries({ 'own diagnostics': own, 'across files': across, completion }))
    console.log(`${phase}: ${name}: p50 ${p(times, 0.5)} ms, p95 ${p(times, 0.95)} ms, most ${p(times, 0.999)} ms`);
};
await measure('while all tasks are checked');
if (swept === null) await background;
const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
console.log(
  `${judged} of ${dirs.length} tasks judged in ${(swept / 1000).toFixed(1)} s; peak ${(memory / 1024).toFixed(0)} MB`,
);
await measure('afterwards');
const gone = new Promise((done) => child.once('exit', done));
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');
await gone;
connection.dispose();
rmSync(work, { recursive: true, force: true });
