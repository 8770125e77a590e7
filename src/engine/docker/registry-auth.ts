import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

interface Config {
  auths?: Record<string, { auth?: string; identitytoken?: string }>;
  credsStore?: string;
  credHelpers?: Record<string, string>;
}

/** The default registry's key in Docker's own configuration is the only one that is an address with this path. */
const DEFAULT_KEY = /^https:\/\/[^/]+\/v1\/?$/;

/**
 * What a person gave to `docker login` for an image's registry, as the header of a pull wants it; null when there is
 * nothing. Never fails: without credentials the registry itself says what is missing.
 */
export async function registryAuth(reference: string): Promise<string | null> {
  const folder = process.env.DOCKER_CONFIG ?? join(homedir(), '.docker');
  let config: Config;
  try {
    config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8')) as Config;
  } catch {
    return null;
  }
  const registry = registryOf(reference);
  const known = Object.keys({ ...config.auths, ...config.credHelpers });
  const key = known.find((one) => (registry === null ? DEFAULT_KEY.test(one) : hostOf(one) === registry));
  if (key === undefined) return null;
  const helper = config.credHelpers?.[key] ?? config.credsStore;
  if (helper !== undefined && /^[\w.-]+$/.test(helper)) {
    const found = await askHelper(helper, key);
    if (found) return encode({ ...found, serveraddress: key });
  }
  const entry = config.auths?.[key];
  if (entry?.identitytoken) return encode({ identitytoken: entry.identitytoken, serveraddress: key });
  const plain = Buffer.from(entry?.auth ?? '', 'base64').toString('utf8');
  const colon = plain.indexOf(':');
  if (colon < 0) return null;
  return encode({ username: plain.slice(0, colon), password: plain.slice(colon + 1), serveraddress: key });
}

/** null: the default registry. Only a first part with a dot or a port, or `localhost`, names another. */
function registryOf(reference: string): string | null {
  const first = reference.split('/')[0] ?? '';
  if (!reference.includes('/') || !(/[.:]/.test(first) || first === 'localhost')) return null;
  return first;
}

function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}

function encode(value: Record<string, string>): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function askHelper(helper: string, key: string): Promise<Record<string, string> | null> {
  return new Promise((resolve) => {
    const child = execFile(`docker-credential-${helper}`, ['get'], { timeout: 10_000 }, (error, stdout) => {
      if (error) {
        resolve(null);
        return;
      }
      try {
        const { Username, Secret } = JSON.parse(stdout) as { Username?: string; Secret?: string };
        if (!Username || !Secret) resolve(null);
        else resolve(Username === '<token>' ? { identitytoken: Secret } : { username: Username, password: Secret });
      } catch {
        resolve(null);
      }
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(key);
  });
}
