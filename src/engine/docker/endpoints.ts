import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

export interface EndpointTls {
  readonly ca: Buffer | null;
  readonly cert: Buffer | null;
  readonly key: Buffer | null;
  readonly verify: boolean;
}

export type Address =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly tls: EndpointTls | null }
  | { readonly kind: 'ssh'; readonly user: string | null; readonly host: string; readonly port: number | null };

/** A place where an engine may listen. */
export interface Endpoint {
  /** As people write it: `unix:///var/run/docker.sock`. */
  readonly url: string;
  readonly address: Address;
  /** Where it was found, for people: `DOCKER_HOST`. */
  readonly source: string;
}

export type Candidate =
  | { readonly ok: true; readonly endpoint: Endpoint; readonly named: boolean }
  | { readonly ok: false; readonly url: string; readonly source: string; readonly message: string };

export interface Surroundings {
  /** The setting `taskwright.docker.host`; null or empty when it is not set. */
  readonly host: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  readonly platform: NodeJS.Platform;
  /** Of the user, where the platform has one. */
  readonly uid: number | null;
}

/**
 * Where to look for an engine, in order. What a person named for this purpose (the setting, DOCKER_HOST,
 * DOCKER_CONTEXT) is the only candidate, as another engine in its place would be a surprise; the rest is tried in turn.
 */
export async function candidates(around: Surroundings): Promise<Candidate[]> {
  const { env } = around;
  const setting = around.host?.trim();
  if (setting) return [await parseHost(setting, 'setting', around)];
  if (env.DOCKER_HOST) return [await parseHost(env.DOCKER_HOST, 'DOCKER_HOST', around)];
  const named = env.DOCKER_CONTEXT;
  if (named && named !== 'default') return [await fromContext(named, around)];
  const list: Candidate[] = [];
  const current = named ? null : await currentContext(around);
  if (current !== null && current !== 'default') list.push(await fromContext(current, around));
  list.push(...wellKnown(around));
  return dedupe(list);
}

function dedupe(list: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return list.filter((candidate) => {
    const url = candidate.ok ? candidate.endpoint.url : candidate.url;
    if (seen.has(url)) return false;
    seen.add(url);
    return true;
  });
}

function wellKnown(around: Surroundings): Candidate[] {
  const { env, homedir, platform, uid } = around;
  if (platform === 'win32') {
    return [
      pipe('docker_engine', 'default pipe'),
      pipe('dockerDesktopLinuxEngine', 'Docker Desktop pipe'),
      pipe('podman-machine-default', 'Podman pipe'),
    ];
  }
  const home = (...parts: string[]): string => posix.join(homedir, ...parts);
  const runtime = env.XDG_RUNTIME_DIR ?? (uid === null ? null : `/run/user/${uid}`);
  const list: Candidate[] = [];
  if (runtime !== null) list.push(socket(posix.join(runtime, 'docker.sock'), 'rootless socket'));
  list.push(
    socket(home('.docker', 'run', 'docker.sock'), 'Docker Desktop socket'),
    socket(home('.docker', 'desktop', 'docker.sock'), 'Docker Desktop socket'),
    socket(home('.orbstack', 'run', 'docker.sock'), 'OrbStack socket'),
    socket(home('.colima', 'default', 'docker.sock'), 'Colima socket'),
    socket(home('.config', 'colima', 'default', 'docker.sock'), 'Colima socket'),
    socket(home('.rd', 'docker.sock'), 'Rancher Desktop socket'),
    socket('/var/run/docker.sock', 'default socket'),
  );
  // Podman speaks the same interface, but Docker comes first where both are there.
  if (runtime !== null) list.push(socket(posix.join(runtime, 'podman', 'podman.sock'), 'Podman socket'));
  list.push(
    socket('/run/podman/podman.sock', 'Podman socket'),
    socket(home('.local', 'share', 'containers', 'podman', 'machine', 'podman.sock'), 'Podman socket'),
  );
  return list;
}

function socket(path: string, source: string): Candidate {
  return { ok: true, named: false, endpoint: { url: `unix://${path}`, address: { kind: 'socket', path }, source } };
}

function pipe(name: string, source: string): Candidate {
  const path = `//./pipe/${name}`;
  return { ok: true, named: false, endpoint: { url: `npipe://${path}`, address: { kind: 'socket', path }, source } };
}

/** Reads a host as the `docker` command does: `unix://`, `npipe://`, `tcp://`, `ssh://`, or `host:port`. */
async function parseHost(text: string, source: string, around: Surroundings): Promise<Candidate> {
  const env = around.env;
  const verify = (env.DOCKER_TLS_VERIFY ?? '') !== '';
  const folder = env.DOCKER_CERT_PATH ?? configFolder(around);
  return parseAddress(text, source, async (port) => {
    if (!verify && port !== 2376 && !text.startsWith('https://')) return null;
    return readTls((name) => join(around, folder, name), verify);
  });
}

async function parseAddress(
  text: string,
  source: string,
  tls: (port: number) => Promise<EndpointTls | null>,
): Promise<Candidate> {
  const found = (address: Address): Candidate => ({ ok: true, named: true, endpoint: { url: text, address, source } });
  const bad = (message: string): Candidate => ({ ok: false, url: text, source, message });
  const socketPath = /^(?:unix|npipe):\/\/(.*)$/.exec(text)?.[1];
  if (socketPath !== undefined) {
    return socketPath === '' ? bad('it names no path after "//"') : found({ kind: 'socket', path: socketPath });
  }
  if (text.startsWith('/')) return found({ kind: 'socket', path: text });
  const url = parseUrl(text.includes('://') ? text : `tcp://${text}`);
  const known = 'use unix:///path, npipe:////./pipe/name, tcp://host:port or ssh://user@host';
  if (url === null || url.hostname === '') return bad(`it is no address of an engine; ${known}`);
  const port = url.port === '' ? null : Number(url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  switch (url.protocol) {
    case 'ssh:':
      // Given to the `ssh` program, which would take it for an option.
      if (host.startsWith('-') || url.username.startsWith('-')) return bad('a name in it begins with "-"');
      return found({ kind: 'ssh', user: url.username === '' ? null : decodeURIComponent(url.username), host, port });
    case 'tcp:':
    case 'http:':
    case 'https:': {
      const chosen = port ?? (url.protocol === 'https:' ? 2376 : 2375);
      try {
        return found({ kind: 'tcp', host, port: chosen, tls: await tls(chosen) });
      } catch (error) {
        return bad(`its certificates cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    default:
      return bad(`"${url.protocol}//" is not a way to reach an engine; ${known}`);
  }
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function join(around: Surroundings, ...parts: string[]): string {
  return around.platform === 'win32' ? win32.join(...parts) : posix.join(...parts);
}

function configFolder(around: Surroundings): string {
  return around.env.DOCKER_CONFIG ?? join(around, around.homedir, '.docker');
}

async function currentContext(around: Surroundings): Promise<string | null> {
  const config = await readJson(join(around, configFolder(around), 'config.json'));
  const name = (config as { currentContext?: unknown } | null)?.currentContext;
  return typeof name === 'string' && name !== '' ? name : null;
}

async function fromContext(name: string, around: Surroundings): Promise<Candidate> {
  const source = `context "${name}"`;
  const id = createHash('sha256').update(name).digest('hex');
  const folder = join(around, configFolder(around), 'contexts');
  const meta = (await readJson(join(around, folder, 'meta', id, 'meta.json'))) as {
    Endpoints?: { docker?: { Host?: unknown; SkipTLSVerify?: unknown } };
  } | null;
  const docker = meta?.Endpoints?.docker;
  if (typeof docker?.Host !== 'string' || docker.Host === '') {
    return { ok: false, url: source, source, message: 'Docker knows no such context (`docker context ls` lists them)' };
  }
  return parseAddress(docker.Host, source, async () => {
    const read = (file: string): string => join(around, folder, 'tls', id, 'docker', file);
    const tls = await readTls(read, docker.SkipTLSVerify !== true);
    return tls.ca === null && tls.cert === null ? null : tls;
  });
}

async function readTls(path: (name: string) => string, verify: boolean): Promise<EndpointTls> {
  const [ca, cert, key] = await Promise.all(['ca.pem', 'cert.pem', 'key.pem'].map((name) => readOptional(path(name))));
  return { ca: ca ?? null, cert: cert ?? null, key: key ?? null, verify };
}

async function readOptional(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
