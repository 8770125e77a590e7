import { setMaxListeners } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProber } from '../../src/engine/cheats/probe';
import { loadStrategies } from '../../src/engine/cheats/catalogue';
import { connectDocker } from '../../src/engine/docker/connect';
import { runGates } from '../../src/engine/gates/run-gates';
import type { ImageResult, SandboxEngine } from '../../src/engine/sandbox';
import { packFiles } from '../../src/engine/tar';
import { probed } from '../../src/core/cheats/probe';
import { readFacts } from '../../src/core/cheats/read-facts';
import { readTaskFolder, subjectOfReading } from '../../src/core/model/task-reading';
import { harborProfile } from '../../src/core/rules/profile';
import { defaultGateSettings } from '../../src/core/gates/settings';
import type { GateResult } from '../../src/core/gates/verdict';
import { readTask } from '../../src/core/task/read';
import type { Grammars } from '../../src/core/text/syntax-tree';
import { nodeFiles, sha256 } from '../../src/node/files';
import { grammars } from '../core/grammars';

// Each strategy against the task that it must beat, and all of them against one that they must not (cheats.md,
// section 4.3: “every cheat needs one sample task it must beat and one it must not”).

const samples = resolve(import.meta.dirname, '../tasks/cheats');
const cheatsDir = resolve(import.meta.dirname, '../../media/cheats');
const dir = mkdtempSync(join(tmpdir(), 'taskwright-cheats-'));
const { signal } = new AbortController();
// Every trial listens to it.
setMaxListeners(0, signal);
let engine: SandboxEngine;

beforeAll(async () => {
  const connected = await connectDocker({
    host: null,
    env: process.env,
    homedir: homedir(),
    platform: process.platform,
    signal,
  });
  if (!connected.ok) throw new Error(connected.message);
  engine = connected.engine;
});

afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** The cheat gate of a sample; null for all default cheats. */
async function gate(
  name: string,
  strategies: readonly string[] | null,
  parsers: () => Promise<Grammars> = () => Promise.resolve(grammars),
): Promise<GateResult> {
  const task = await readTask(nodeFiles, join(samples, name));
  const result = await runGates({
    targets: [{ task, path: name, workspace: { root: dir, taskPath: name, note: null } }],
    gates: ['oracle', 'nop', 'cheat'],
    settings: defaultGateSettings,
    strategies,
    engine,
    jobsDir: join(dir, 'jobs'),
    jobName: null,
    maxConcurrent: null,
    cheatsDir,
    grammars: parsers,
    files: nodeFiles,
    sha256,
    now: () => new Date(),
    showPath: (path) => relative(dir, path),
    workingDir: dir,
    hostEnv: {},
    version: '0.0.0',
    emit: () => undefined,
    streamOutput: false,
    note: () => undefined,
    signal,
  });
  if (!result.ok) throw new Error(result.message);
  const gates = result.tasks[0]!.gates;
  expect(gates.slice(0, 2).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  return gates[2]!;
}

async function built(name: string): Promise<ImageResult & { readonly ok: true }> {
  const made = await engine.prepareImage(
    { kind: 'build', contextDir: join(samples, name, 'environment'), dockerfile: 'Dockerfile' },
    { signal, limitSec: 120 },
  );
  if (!made.ok) throw new Error(made.message);
  return made;
}

function outcomes(result: GateResult): Record<string, string | undefined> {
  return Object.fromEntries(result.attempts.map(({ strategy, outcome }) => [strategy ?? '', outcome]));
}

const taken: readonly [string, Readonly<Record<string, string>>][] = [
  [
    'trusting',
    {
      'reward-json': 'hit',
      'tests-conftest#1': 'hit',
      'tests-conftest#2': 'hit',
      'tests-config': 'hit',
      'root-config': 'hit',
      'workdir-shadow': 'resisted',
      'pytest-plugin': 'hit',
      'user-site': 'hit',
      'reward-txt': 'resisted',
      'reward-block#1': 'denied',
      'reward-block#2': 'denied',
      'reward-block#3': 'denied',
    },
  ],
  ['module-run', { 'tests-conftest#1': 'resisted', 'workdir-shadow': 'hit' }],
  ['kept-reward', { 'reward-json': 'resisted', 'reward-txt': 'hit' }],
  ['exists-only', { 'out-touch': 'hit' }],
  ['parses-only', { 'out-touch': 'resisted', 'out-minimal': 'hit' }],
  ['each-line', { 'out-minimal': 'resisted', 'out-duplicate#1': 'hit', 'out-duplicate#2': 'hit' }],
  ['image-grader', { 'grader-overwrite': 'hit' }],
];

test.each(taken)('%s', async (name, expected) => {
  const result = await gate(name, Object.keys(expected));
  expect(outcomes(result)).toEqual(expected);
  expect(result.verdict).toBe('failed');

  for (const attempt of result.attempts.filter(({ outcome }) => outcome === 'hit')) {
    const { explanation } = attempt;
    expect(explanation?.planted.length, attempt.strategy).toBeGreaterThan(0);
    expect(explanation?.whatToChange, attempt.strategy).not.toBe('');
    expect(explanation?.howToCheck.replaceAll("'", '')).toContain(
      `taskwright gate ${name} --gates cheat --strategy ${String(attempt.strategy)}`,
    );
    const script = resolve(dir, explanation?.reproduction ?? '');
    expect(statSync(script).mode & 0o111, script).not.toBe(0);
    expect(readFileSync(script, 'utf8')).toContain(explanation?.whatHappened ?? '?');
  }
});

test('no strategy is without a task that it beats', async () => {
  const kit = await loadStrategies(nodeFiles, cheatsDir);
  if (!kit.ok) throw new Error(kit.message);
  const beating = taken.flatMap(([, expected]) =>
    Object.entries(expected).flatMap(([label, outcome]) => (outcome === 'resisted' ? [] : [label.replace(/#.*$/, '')])),
  );
  expect([...new Set(beating)].sort()).toEqual(kit.strategies.map(({ id }) => id).sort());
});

test('hardened resists every cheat of the default set', { timeout: 300_000 }, async () => {
  const result = await gate('hardened', null);
  expect(new Set(Object.values(outcomes(result)))).toEqual(new Set(['resisted']));
  const kit = await loadStrategies(nodeFiles, cheatsDir);
  if (!kit.ok) throw new Error(kit.message);
  const tried = new Set(result.attempts.map(({ strategy }) => strategy?.replace(/#.*$/, '')));
  expect([...tried].sort()).toEqual(kit.strategies.map(({ id }) => id).sort());
  expect(result.verdict).toBe('passed');
  for (const { trial } of result.attempts) expect(existsSync(resolve(dir, trial ?? 'none', 'cheat'))).toBe(false);
});

test('an informed cheat that nothing is known for is not passed over in silence', async () => {
  const result = await gate('image-grader', ['grader-overwrite', 'reward-txt'], () =>
    Promise.reject(new Error('no bash.wasm')),
  );
  expect(outcomes(result)).toEqual({ 'grader-overwrite': 'broken', 'reward-txt': 'resisted' });
  expect(result).toMatchObject({ verdict: 'not-proven', reason: 'blocked' });
  expect(result.message).toContain(
    'grader-overwrite cannot be run: the parsers that read tests/ cannot be loaded (no bash.wasm)',
  );
});

test('the script that a hit leaves repeats it', async () => {
  const result = await gate('each-line', ['out-duplicate#2']);
  const script = readFileSync(resolve(dir, result.attempts[0]?.explanation?.reproduction ?? 'none'));
  const image = await built('each-line');
  const started = await engine.start({
    image: image.image,
    name: 'reproduction',
    cpus: 1,
    memoryMb: 256,
    pidsLimit: 64,
    env: {},
    workdir: null,
    network: 'no-network',
    logFolders: ['/logs/verifier'],
    signal,
    limitSec: 60,
  });
  if (!started.ok) throw new Error(started.message);
  await using sandbox = started.sandbox;
  await sandbox.put(packFiles([{ name: 'reproduce.sh', content: script, mode: 0o755 }]), '/tmp');
  const exit = await sandbox.exec(
    { argv: ['sh', '-c', '/tmp/reproduce.sh && cat /app/kept.log && ls /tmp'], user: null, cwd: null, env: {} },
    { limitSec: 60, idleLimitSec: null, signal },
  );
  expect(exit.stdout.text).toBe(
    'planted: /app/kept.log\nerror one\nerror one\nerror two\nerror two\nerror three\nerror three\nreproduce.sh\n',
  );
  await image.release();
});

test('the probe tells what an agent finds, once for an image', async () => {
  const kit = await loadStrategies(nodeFiles, cheatsDir);
  if (!kit.ok) throw new Error(kit.message);
  const made = await built('hardened');
  const reading = await readTaskFolder(nodeFiles, join(samples, 'hardened'));
  const facts = readFacts(subjectOfReading(reading, { profile: harborProfile, grammars }));
  const prober = createProber(engine, kit.probeScript);
  const target = { image: made.image, user: null, workdir: null, facts, signal };
  const first = prober(target);
  expect(prober(target)).toEqual(first);
  const probe = (await first) ?? [];
  expect(probed(probe, 'workdir')).toEqual(['/app']);
  expect(probed(probe, 'uid')).toEqual(['0']);
  expect(probed(probe, 'writable')).toEqual(expect.arrayContaining(['/', '/tests', '/app', '/logs/verifier']));
  expect(probed(probe, 'python').length).toBeGreaterThan(0);
  expect(probed(probe, 'python.1.pytest')[0]).toMatch(/^\d/);

  const nobody = (await prober({ ...target, user: 'nobody' })) ?? [];
  expect(probed(nobody, 'user')).toEqual(['nobody']);
  expect(probed(nobody, 'writable')).toEqual(['/logs/verifier', '/tmp']);
  await made.release();
});
