// Every check and test of the repository, one stage after the other, each in a process of its own. What a stage prints
// goes to out/test/<stage>.log; here appear one line a stage, what failed, and a last line `N passed, N failed`.
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const logs = 'out/test';
const bin = (name) => join('node_modules', '.bin', name);
const machine = (name) => ({ name: `machine:${name}`, command: ['bash', `scripts/machine/${name}.sh`] });

/**
 * `needs`: stages without which this one proves nothing. `provides`: what the machine must have first. `count`: where
 * the number of tests is read from; a stage without one is a check, and counts only when it fails.
 */
const stages = [
  { name: 'format', command: [bin('prettier'), '--check', '.', '--cache', '--cache-location', 'out/prettier-cache'] },
  { name: 'lint', command: [bin('eslint'), '.', '--max-warnings', '0'] },
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'build', command: ['node', 'scripts/build.mjs'] },
  vitest('core'),
  { ...vitest('package'), needs: ['build'] },
  { ...vitest('engine'), needs: ['build'], provides: [machine('engine'), machine('base-image')] },
  {
    name: 'host',
    command: ['node', 'scripts/test-host.mjs'],
    needs: ['build'],
    provides: [machine('engine'), machine('base-image'), machine('editor')],
    count: countFromLastLine,
  },
].filter((stage) => stage.name !== 'host' || existsSync('scripts/test-host.mjs'));

function vitest(project) {
  const report = `${logs}/${project}.json`;
  return {
    name: project,
    command: [
      bin('vitest'),
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    report,
    count: () => countFromVitest(report),
  };
}

async function countFromVitest(report) {
  const result = JSON.parse(await readFile(report, 'utf8'));
  const failures = [];
  for (const file of result.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) failures.push(`${test.fullName}: ${firstLine(test.failureMessages[0] ?? '')}`);
    // A file that does not load has no tests that could fail.
    if (file.status === 'failed' && failed.length === 0) failures.push(`${file.name}: ${firstLine(file.message)}`);
  }
  return { passed: result.numPassedTests, failures, skipped: result.numPendingTests + result.numTodoTests };
}

/** A suite that is no vitest project ends its output with `N passed, N failed`. */
async function countFromLastLine(log) {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const match = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '');
  if (match === null) throw new Error('its output does not end with "N passed, N failed"');
  const failures = lines.filter((line) => /^\s*(✗|FAIL|not ok)\s/.test(line)).map((line) => line.trim());
  while (failures.length < Number(match[2])) failures.push('see the log');
  return { passed: Number(match[1]), failures: failures.slice(0, Number(match[2])), skipped: 0 };
}

// Vitest's word for a test that ran out of time.
const firstLine = (text) => text.trim().split('\n', 1)[0].replace('STACK_TRACE_ERROR', 'timed out').slice(0, 240);
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

let running;
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopped = true;
    running?.kill(signal);
  });
}

/** A log is read in a file, so nothing is coloured in it. */
const env = { ...process.env, NO_COLOR: '1' };
delete env.FORCE_COLOR;

/** Exit code of a command whose whole output goes to a file. */
async function run(name, [program, ...args]) {
  const log = createWriteStream(`${logs}/${name.replace(':', '-')}.log`);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  running = child;
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      log.write(`${error.message}\n`);
      resolve(2);
    });
    child.on('close', (exitCode, signal) => resolve(signal === null ? exitCode : 130));
  });
  running = undefined;
  await new Promise((resolve) => log.end(resolve));
  return code;
}

async function tail(log, count) {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  return lines.slice(-count).map((line) => line.slice(0, 240));
}

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const names = stages.map((stage) => stage.name);
const only = values.only?.split(',').map((name) => (name === 'cli' ? 'engine' : name)) ?? names;
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0 || only.length === 0) {
  console.error(`No stage is called ${unknown.join(', ')}. Stages: ${names.join(', ')}.`);
  process.exit(2);
}

// Whoever asks for one stage of tests gets the bundles that stage runs.
const wanted = stages.filter(
  (stage) =>
    only.includes(stage.name) || stages.some((other) => only.includes(other.name) && other.needs?.includes(stage.name)),
);

await mkdir(logs, { recursive: true });
const outcomes = new Map();
const provided = new Map();

async function provide(stage) {
  for (const need of stage.provides ?? []) {
    if (!provided.has(need.name)) provided.set(need.name, await run(need.name, need.command));
    if (provided.get(need.name) !== 0) return need.name;
  }
  return null;
}

for (const stage of wanted) {
  const blocked = (stage.needs ?? []).find((need) => outcomes.get(need)?.failures.length);
  const startedAt = Date.now();
  const log = `${logs}/${stage.name}.log`;
  const outcome = { passed: 0, failures: [], skipped: 0 };
  outcomes.set(stage.name, outcome);
  let hint = [];
  if (stopped) outcome.failures.push('stopped');
  else if (blocked !== undefined) outcome.failures.push(`not run: ${blocked} failed`);
  else {
    const lacking = await provide(stage);
    if (lacking !== null) {
      const machineLog = `${logs}/${lacking.replace(':', '-')}.log`;
      outcome.failures.push(`not run: the machine could not be given what it needs (${machineLog})`);
      hint = await tail(machineLog, 4);
    } else {
      if (stage.report !== undefined) await rm(stage.report, { force: true });
      const code = await run(stage.name, stage.command);
      try {
        if (stage.count !== undefined) Object.assign(outcome, await stage.count(log));
      } catch (error) {
        outcome.failures.push(`no count of its tests: ${error.message}`);
      }
      if (stage.count !== undefined && outcome.passed === 0 && outcome.failures.length === 0)
        outcome.failures.push('it ran no test');
      if (code !== 0 && outcome.failures.length === 0) outcome.failures.push(`ended with exit code ${code}`);
      if (stage.count === undefined && code !== 0) hint = await tail(log, 12);
    }
  }
  const { passed, failures, skipped } = outcome;
  const counts = stage.count === undefined ? '' : ` ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const verdict = failures.length === 0 ? 'ok  ' : 'FAIL';
  console.log(
    `${verdict} ${stage.name.padEnd(8)}${counts}${failures.length > 0 ? ` ${failures.length} failed` : ''} (${seconds(startedAt)})`,
  );
  for (const failure of failures.slice(0, 30)) console.log(`       ${failure}`);
  if (failures.length > 30) console.log(`       and ${failures.length - 30} more`);
  for (const line of hint) console.log(`       | ${line}`);
  if (failures.length > 0 && existsSync(log)) console.log(`       log: ${log}`);
}

const all = [...outcomes.values()];
const passed = all.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = all.reduce((sum, outcome) => sum + outcome.failures.length, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = stopped ? 130 : failed > 0 ? 1 : 0;
