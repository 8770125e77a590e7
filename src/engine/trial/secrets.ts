import { randomBytes } from 'node:crypto';
import { open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUtf8 } from 'node:buffer';
import type { RewardReading } from '../../core/results/record';

/** Values to take out of a trial's files (harbor-run.md, section 13). */
export interface Secrets {
  /** Longest first, so that a value within another does not spoil it. */
  readonly values: readonly string[];
  readonly names: readonly string[];
  /** Variables whose value is left: it is so short that files would be spoiled (harbor-task.md, P20). */
  readonly tooShort: readonly string[];
}

const secretName = /KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|AUTH/iu;
const minLength = 8;
const replacement = '[REDACTED]';

/** Looks at resolved variables. Harbor takes short values out as well; here they are left, and reported. */
export function findSecrets(env: Readonly<Record<string, string>>): Secrets {
  const secret = Object.entries(env).filter(([name, value]) => secretName.test(name) && value !== '');
  const long = secret.filter(([, value]) => value.length >= minLength);
  return {
    values: [...new Set(long.map(([, value]) => value))].sort((a, b) => b.length - a.length),
    names: long.map(([name]) => name),
    tooShort: secret.filter(([, value]) => value.length < minLength).map(([name]) => name),
  };
}

export function scrubText(text: string, secrets: Secrets): string {
  return secrets.values.reduce((clean, value) => clean.replaceAll(value, replacement), text);
}

/** A reward's names are the verifier's own words, and may hold a secret as its texts may. */
export function scrubReading(reading: RewardReading, secrets: Secrets): RewardReading {
  if (!reading.ok || reading.rewards === null || secrets.values.length === 0) return reading;
  const rewards = Object.entries(reading.rewards).map(([name, number]) => [scrubText(name, secrets), number] as const);
  return { ...reading, rewards: Object.fromEntries(rewards) };
}

/** Files up to this size are searched in memory; Harbor does the same with any size. */
const maxBytes = 512 * 1024 * 1024;

/** Replaces the values in every text file below a folder. Links are neither followed nor changed. */
export async function scrubFolder(dir: string, secrets: Secrets): Promise<void> {
  if (secrets.values.length === 0) return;
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await scrubFolder(path, secrets);
    else if (entry.isFile() && (await looksLikeText(path))) await scrubFile(path, secrets);
  }
}

async function looksLikeText(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8192), 0, 8192, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.includes(0)) return false;
    // The cut may have gone through a character: up to three bytes at the end do not count.
    return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, Math.max(0, bytesRead - cut))));
  } finally {
    await file.close();
  }
}

async function scrubFile(path: string, secrets: Secrets): Promise<void> {
  const { size, mode } = await stat(path);
  if (size > maxBytes) return;
  const before: Buffer = await readFile(path);
  const after = secrets.values.reduce<Buffer>((bytes, value) => replaceBytes(bytes, Buffer.from(value)), before);
  if (after === before) return;
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, after, { mode, flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function replaceBytes(bytes: Buffer, value: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(replacement));
    from = at + value.length;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}
