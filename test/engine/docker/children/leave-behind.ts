// Run by the tests as a process of its own: makes a container and an image, says so, and waits to be killed.
import { homedir } from 'node:os';
import { connectDocker } from '../../../../src/engine/docker/connect';

const [contextDir = ''] = process.argv.slice(2);
const signal = new AbortController().signal;

async function main(): Promise<void> {
  const connected = await connectDocker({
    host: process.env.TEST_DOCKER_HOST ?? null,
    env: process.env,
    homedir: homedir(),
    platform: process.platform,
    signal,
  });
  if (!connected.ok) {
    process.stdout.write(`${JSON.stringify({ failed: connected.reason, message: connected.message })}\n`);
    return;
  }
  const built = await connected.engine.prepareImage(
    { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
    { signal, limitSec: 60 },
  );
  if (!built.ok) throw new Error(built.message);
  const started = await connected.engine.start({
    image: built.image,
    name: 'left behind',
    cpus: null,
    memoryMb: null,
    pidsLimit: null,
    env: {},
    workdir: null,
    network: 'public',
    logFolders: ['/logs/agent'],
    signal,
    limitSec: 60,
  });
  if (!started.ok) throw new Error(started.message);
  process.stdout.write(`${JSON.stringify({ container: started.sandbox.id })}\n`);
  setInterval(() => undefined, 1000);
}

void main();
