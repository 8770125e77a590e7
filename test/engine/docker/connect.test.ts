import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDocker, olderOf, type ConnectResult } from '../../../src/engine/docker/connect';
import { candidates, type Surroundings } from '../../../src/engine/docker/endpoints';
import { runChild } from './children/run';
import { connectForTest, connectOptions, NEVER } from './support';

let home: string;
let real: string;
const servers: Server[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'taskwright-test-'));
  const engine = await connectForTest();
  real = engine.info.endpoint;
  await engine[Symbol.asyncDispose]();
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(home, { recursive: true, force: true });
});

function around(over: Partial<Surroundings> = {}): Surroundings {
  return { host: null, env: {}, homedir: home, platform: 'linux', uid: 1000, ...over };
}

async function listed(over: Partial<Surroundings> = {}): Promise<string[]> {
  return (await candidates(around(over))).map((one) =>
    one.ok ? `${one.endpoint.source}: ${one.endpoint.url}` : `${one.source}! ${one.message}`,
  );
}

async function writeContext(name: string, host: string, tls: Readonly<Record<string, string>> = {}): Promise<void> {
  const id = createHash('sha256').update(name).digest('hex');
  const meta = join(home, '.docker', 'contexts', 'meta', id);
  await mkdir(meta, { recursive: true });
  await writeFile(join(meta, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }));
  const folder = join(home, '.docker', 'contexts', 'tls', id, 'docker');
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(tls)) await writeFile(join(folder, file), text);
}

/** A server on a socket of its own. */
async function listen(server: Server): Promise<string> {
  const path = join(home, `${servers.length}.sock`);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

async function failing(host: string, over: Parameters<typeof connectOptions>[0] = {}) {
  const result: ConnectResult = await connectDocker(connectOptions({ host, homedir: home, env: {}, ...over }));
  if (result.ok) throw new Error('It was expected to find no engine.');
  return result;
}

describe('where an engine is looked for', () => {
  it('is only where a person says: setting before DOCKER_HOST before DOCKER_CONTEXT', async () => {
    await writeContext('mine', 'unix:///mine.sock');
    const env = { DOCKER_HOST: 'tcp://example.invalid:2375', DOCKER_CONTEXT: 'mine' };
    expect(await listed({ host: ' unix:///set.sock ', env })).toEqual(['setting: unix:///set.sock']);
    expect(await listed({ host: '', env })).toEqual(['DOCKER_HOST: tcp://example.invalid:2375']);
    expect(await listed({ env: { DOCKER_CONTEXT: 'mine' } })).toEqual(['context "mine": unix:///mine.sock']);
    expect(await listed({ env: { DOCKER_CONTEXT: 'other' } })).toEqual([
      'context "other"! Docker knows no such context (`docker context ls` lists them)',
    ]);
  });

  it('is else the context in force, then rootless and well-known sockets, then the default', async () => {
    await writeContext('mine', 'unix:///mine.sock');
    await writeFile(join(home, '.docker', 'config.json'), JSON.stringify({ currentContext: 'mine' }));
    const list = await listed({ env: { XDG_RUNTIME_DIR: '/run/user/7' } });
    expect(list.slice(0, 3)).toEqual([
      'context "mine": unix:///mine.sock',
      'rootless socket: unix:///run/user/7/docker.sock',
      `Docker Desktop socket: unix://${home}/.docker/run/docker.sock`,
    ]);
    const sources = list.map((one) => one.replace(/:.*/, ''));
    for (const source of ['OrbStack socket', 'Colima socket', 'Rancher Desktop socket'])
      expect(sources).toContain(source);
    expect(sources.indexOf('default socket')).toBeGreaterThan(sources.indexOf('Rancher Desktop socket'));
    expect(sources.indexOf('Podman socket')).toBeGreaterThan(sources.indexOf('default socket'));
    await rm(join(home, '.docker', 'config.json'));
    expect((await listed())[0]).toBe('rootless socket: unix:///run/user/1000/docker.sock');
    expect((await listed({ platform: 'win32' }))[0]).toBe('default pipe: npipe:////./pipe/docker_engine');
  });

  it('takes certificates from a context or DOCKER_CERT_PATH', async () => {
    await writeContext('secure', 'tcp://example.invalid:2376', {
      'ca.pem': 'CA',
      'cert.pem': 'CERT',
      'key.pem': 'KEY',
    });
    const [context] = await candidates(around({ env: { DOCKER_CONTEXT: 'secure' } }));
    expect(context).toMatchObject({ ok: true, endpoint: { address: { kind: 'tcp', tls: { verify: true } } } });
    await writeFile(join(home, 'ca.pem'), 'ca');
    const env = { DOCKER_HOST: 'example.invalid:1234', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: home };
    const [host] = await candidates(around({ env }));
    expect(host).toMatchObject({
      ok: true,
      endpoint: { address: { port: 1234, tls: { ca: Buffer.from('ca'), cert: null, verify: true } } },
    });
    const [plain] = await candidates(around({ env: { DOCKER_HOST: 'tcp://[::1]' } }));
    expect(plain).toMatchObject({ ok: true, endpoint: { address: { host: '::1', port: 2375, tls: null } } });
    const [ssh] = await candidates(around({ host: 'ssh://me@box:22' }));
    expect(ssh).toMatchObject({ ok: true, endpoint: { address: { kind: 'ssh', user: 'me', host: 'box', port: 22 } } });
  });
});

describe('an engine that is there', () => {
  it('is described, and DOCKER_HOST does not leak into another choice', async () => {
    process.env.DOCKER_HOST = 'not a host at all';
    try {
      const engine = await connectForTest({ host: real });
      expect(engine.info).toMatchObject({ endpoint: real, source: 'setting', os: 'linux' });
      expect(engine.info.cpus).toBeGreaterThan(0);
      expect(engine.info.memoryBytes).toBeGreaterThan(1e8);
      expect(engine.info.version).toMatch(/^\d+\./);
    } finally {
      delete process.env.DOCKER_HOST;
    }
  });

  it('is reached over the ssh program', async () => {
    // Stands in for ssh: carries the bytes as `docker system dial-stdio` on the other machine does.
    const bin = join(home, 'bin');
    await mkdir(bin, { recursive: true });
    const script = `#!/bin/sh\necho "$@" > ${home}/ssh-args\nunset DOCKER_HOST\nexec docker -H ${real} system dial-stdio\n`;
    await writeFile(join(bin, 'ssh'), script);
    await chmod(join(bin, 'ssh'), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
    const engine = await connectForTest({ host: 'ssh://me@box:2222', env });
    expect(engine.info.os).toBe('linux');
    const { baseImage, run, startForTest } = await import('./support');
    const sandbox = await startForTest(engine, await baseImage(engine));
    expect(await run(sandbox, 'echo over ssh')).toMatchObject({ code: 0, stdout: { text: 'over ssh\n' } });
    await engine[Symbol.asyncDispose]();
    await writeFile(join(bin, 'ssh'), '#!/bin/sh\necho "Host key verification failed." >&2\nexit 255\n');
    expect((await failing('ssh://me@box', { env })).message).toContain('Host key verification failed.');
  });
});

describe('an engine that is not there', () => {
  it.each([
    ['no socket', () => 'unix:///nowhere/docker.sock', 'no-engine', 'no socket is there'],
    ['nothing that listens', () => 'tcp://127.0.0.1:9', 'no-engine', 'refused'],
    ['no such host', () => 'tcp://nowhere.invalid:2375', 'no-engine', 'cannot be resolved'],
    ['no address at all', () => 'ftp://x', 'bad-host', 'cannot be used'],
    ['a path left out', () => 'unix://', 'bad-host', 'names no path'],
    ['an option for ssh', () => 'ssh://-oProxyCommand=x', 'bad-host', 'cannot be used'],
  ])('is told by %s', async (_what, host, reason, words) => {
    const result = await failing(host());
    expect(result.reason).toBe(reason);
    expect(result.message).toContain(words);
    expect(result.tried).toHaveLength(1);
  });

  it('is told when nothing at all is found', async () => {
    const result = await connectDocker(connectOptions({ homedir: home, env: {}, platform: 'win32' }));
    expect(result).toMatchObject({ ok: false, reason: 'no-engine' });
    expect(result.ok ? '' : result.message).toContain('Start Docker Desktop');
  });

  it('is told when it accepts and is silent, soon', async () => {
    const path = await listen(createServer(() => undefined));
    const began = performance.now();
    const result = await failing(path, { answerMs: 300 });
    expect(performance.now() - began).toBeLessThan(2000);
    expect(result).toMatchObject({ reason: 'not-answering', tried: [{ reason: 'timeout' }] });
  });

  it('is told when something else answers', async () => {
    const path = await listen(createHttpServer((_request, response) => response.end('{"hello": 1}')));
    expect((await failing(path)).message).toContain('not a Docker engine');
  });

  it('is told when something in between answers without a word', async () => {
    const path = await listen(createHttpServer((_request, response) => response.writeHead(503).end()));
    expect((await failing(path)).message).toContain('it answered with HTTP status 503');
  });

  it('is told when it may not be used', async () => {
    const child = await runChild('try-connect', [real], process.getuid?.() === 0 ? { uid: 65534 } : {});
    const said = await child.said;
    // As an ordinary user who may use the engine there is nothing to be denied.
    if (process.getuid?.() === 0) {
      expect(said).toMatchObject({ ok: false, reason: 'denied' });
      expect(said.message).toContain('usermod -aG docker');
    } else expect(said).toMatchObject({ ok: true });
  });

  it('is not looked for any further after a cancel', async () => {
    const abort = new AbortController();
    const path = await listen(
      createServer(() =>
        setTimeout(() => {
          abort.abort();
        }, 50),
      ),
    );
    expect((await failing(path, { signal: abort.signal })).reason).toBe('cancelled');
    expect(NEVER.aborted).toBe(false);
  });
});

it('olderOf compares versions by number', () => {
  expect([olderOf('1.9', '1.45'), olderOf('1.45', '1.9'), olderOf('2.0', '1.45')]).toEqual(['1.9', '1.9', '1.45']);
});
