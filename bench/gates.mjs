// Times the three gates on a trivial task against the same containers made by bare calls of the Docker API, side by
// side in one run, and tells the peak memory of cli.js.
//
//   node bench/gates.mjs [--rounds 5] [--task test/tasks/gates/sound] [-n 2]
//
// "The same containers" means: the same image, built from the cache as the gates build it; as many containers as the
// gates made, as many at once, each with the same three volumes, one command for the agent where the gate runs one, one
// upload and one command for the tests, and one download of the verifier's folder; and the one that looks at the image
// before the cheats. Nothing is recorded, judged, timed out or tidied up after a failure.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Docker from 'dockerode';
import tar from 'tar-stream';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    task: { type: 'string', default: 'test/tasks/gates/sound' },
    n: { type: 'string', short: 'n', default: '2' },
  },
});
const rounds = Number(values.rounds);
const atOnce = Number(values.n);
const task = resolve(values.task);
const docker = new Docker();

/** Runs the gates in a process of its own; says how long it took, its peak memory and how many trials it made. */
async function gates() {
  const work = await mkdtemp(join(tmpdir(), 'taskwright-bench-'));
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/cli.js', 'gate', task, '--format', 'json', '-n', String(atOnce), '--jobs-dir', join(work, 'jobs')],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let peakKb = 0;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 50);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  await rm(work, { recursive: true, force: true });
  if (code !== 0) throw new Error(`the gates of ${task} ended with exit code ${code}; a benchmark needs a sound task`);
  const { gates: results } = JSON.parse(output).tasks[0];
  const attempts = results.flatMap((gate) => gate.attempts.filter((a) => a.trial !== null).map(() => gate.gate));
  return { seconds, peakKb, attempts };
}

const execute = async (container, command) => {
  const exec = await container.exec({ Cmd: ['bash', '-c', command], AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  stream.resume();
  await new Promise((done, failed) => stream.on('end', done).on('error', failed));
  return (await exec.inspect()).ExitCode;
};

const packed = async (folder, files) => {
  const pack = tar.pack();
  for (const file of files) {
    const content = await readFile(join(task, basename(folder), file));
    pack.entry({ name: `${folder.slice(1)}/${file}`, mode: 0o755 }, content);
  }
  pack.finalize();
  return pack;
};

async function bareProbe(image) {
  const container = await docker.createContainer({
    Image: image,
    Cmd: ['sh', '-c', 'sleep infinity'],
    HostConfig: { NetworkMode: 'none' },
  });
  try {
    await container.start();
    await execute(container, await readFile('media/cheats/probe.sh', 'utf8'));
  } finally {
    await container.remove({ force: true, v: true });
  }
}

async function bareTrial(image, agent) {
  const volume = (path) => ({ Type: 'volume', Target: path });
  const container = await docker.createContainer({
    Image: image,
    Cmd: ['sh', '-c', 'sleep infinity'],
    HostConfig: { NetworkMode: 'none', Mounts: ['/logs/agent', '/logs/verifier', '/logs/artifacts'].map(volume) },
  });
  try {
    await container.start();
    if (agent === 'oracle') {
      await container.putArchive(await packed('/solution', ['solve.sh']), { path: '/' });
      await execute(container, '(/solution/solve.sh) > /logs/agent/oracle.txt 2>&1');
    } else if (agent === 'cheat') {
      await execute(container, 'true');
    }
    await container.putArchive(await packed('/tests', ['test.sh']), { path: '/' });
    await execute(container, '(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1');
    const files = await container.getArchive({ path: '/logs/verifier' });
    files.resume();
    await new Promise((done) => files.on('end', done));
  } finally {
    await container.remove({ force: true, v: true });
  }
}

async function bare(image, attempts) {
  const started = performance.now();
  await buildImage(image);
  const probe = bareProbe(image);
  const queue = [...attempts];
  const worker = async () => {
    for (let agent = queue.shift(); agent !== undefined; agent = queue.shift()) await bareTrial(image, agent);
  };
  await Promise.all([probe, ...Array.from({ length: atOnce }, worker)]);
  return (performance.now() - started) / 1000;
}

async function buildImage(tag) {
  const pack = tar.pack();
  pack.entry({ name: 'Dockerfile' }, await readFile(join(task, 'environment', 'Dockerfile')));
  pack.finalize();
  const stream = await docker.buildImage(pack, { t: tag, version: '2' });
  await new Promise((done, failed) => docker.modem.followProgress(stream, (error) => (error ? failed(error) : done())));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

const image = `taskwright-bench-${process.pid}`;
await buildImage(image);
try {
  const ours = [];
  const theirs = [];
  let peakKb = 0;
  let attempts = (await gates()).attempts; // Warms the build cache for both.
  for (let round = 1; round <= rounds; round++) {
    const result = await gates();
    attempts = result.attempts;
    peakKb = Math.max(peakKb, result.peakKb);
    ours.push(result.seconds);
    theirs.push(await bare(image, attempts));
    console.log(`round ${round}: gates ${ours.at(-1).toFixed(2)} s, bare calls ${theirs.at(-1).toFixed(2)} s`);
  }
  console.log(
    `${attempts.length + 1} containers, ${atOnce} at once: gates ${median(ours).toFixed(2)} s, bare calls ` +
      `${median(theirs).toFixed(2)} s, ratio ${(median(ours) / median(theirs)).toFixed(2)} (medians of ${rounds}; goal 1.3)`,
  );
  console.log(`peak memory of cli.js: ${(peakKb / 1024).toFixed(0)} MiB`);
} finally {
  await docker.getImage(image).remove({ force: true });
}
