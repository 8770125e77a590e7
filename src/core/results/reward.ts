import { parsePythonFloat } from './python-number';
import { parsePythonJson, type PythonJson } from './python-json';
import type { RewardError, RewardFile, RewardNumber, RewardReading } from './record';

/** One entry directly below `/logs/verifier`, as an archive of it tells. */
export interface VerifierEntry {
  readonly name: string;
  readonly kind: RewardFile['kind'];
  /** Bytes; 0 for anything but a file. */
  readonly size: number;
  /** null for anything but a file, and for a file longer than `maxRewardBytes`. */
  readonly content: Uint8Array | null;
  /** Target of a link. */
  readonly target: string | null;
}

/** Harbor has no limit here. No reward needs more, and a longer file would only be held in memory. */
export const maxRewardBytes = 1024 * 1024;
const maxRaw = 4096;

/**
 * Reads the reward exactly as Harbor reads it from the verifier's folder (harbor-run.md, section 9): `reward.json` if
 * it exists, else `reward.txt`; a broken one is never replaced by the other.
 *
 * Harbor reads on its host, so a link is followed there. One that stays in the folder is followed here too. One that
 * leads nowhere in it does not exist, which is what Harbor finds. A link to a device is an empty file. Any other link
 * that leads out would make Harbor read a file of the machine it runs on: it is not followed, counts as unreadable and
 * gives the word to no other file. A folder of that name cannot be read; FIFOs, sockets and devices have no size and
 * are therefore empty (they are never opened).
 */
export function readReward(entries: readonly VerifierEntry[]): RewardReading {
  const json = find('reward.json', entries);
  const txt = find('reward.txt', entries);
  const present = [json, txt].filter((found) => found !== null);
  const chosen = present.find((found) => found.exists);
  if (chosen === undefined) {
    const dangling = present.map((found) => ` ${found.file.name} is a link that leads nowhere.`).join('');
    const message = `The verifier wrote no reward: there is neither reward.json nor reward.txt in /logs/verifier.${dangling}`;
    return failure('RewardFileNotFoundError', message, null, present);
  }
  return readFile(chosen, present);
}

/** Keys that stand more than once in the JSON object that won; the last one counts, silently for Harbor. */
export function duplicateKeys(entries: readonly VerifierEntry[]): readonly string[] {
  const json = find('reward.json', entries);
  const text = json?.exists && json.content ? decode(json.content) : null;
  const parsed = text === null ? null : parsePythonJson(text);
  return parsed?.ok ? parsed.duplicates : [];
}

interface Found {
  readonly file: RewardFile;
  /** What `Path.exists` says on Harbor's host. */
  readonly exists: boolean;
  /** Where a link leads that is not followed. */
  readonly outside: string | null;
  readonly content: Uint8Array | null;
  /** Of what a followed link leads to. */
  readonly kind: RewardFile['kind'];
  readonly size: number;
}

function find(name: RewardFile['name'], entries: readonly VerifierEntry[]): Found | null {
  const entry = entries.find((candidate) => candidate.name === name);
  if (entry === undefined) return null;
  const end = follow(entry, entries);
  const text = end.entry?.content ? decode(end.entry.content) : null;
  const file: RewardFile = {
    name,
    kind: entry.kind,
    size: end.entry?.size ?? 0,
    raw: text === null ? null : cut(text),
  };
  return {
    file,
    exists: end.entry !== null || end.outside !== null || end.device,
    outside: end.outside,
    content: end.entry?.content ?? null,
    kind: end.device ? 'other' : (end.entry?.kind ?? 'link'),
    size: end.entry?.size ?? 0,
  };
}

interface LinkEnd {
  /** null: nothing there, or nothing that may be read. */
  readonly entry: VerifierEntry | null;
  readonly outside: string | null;
  readonly device: boolean;
}

function follow(start: VerifierEntry, entries: readonly VerifierEntry[]): LinkEnd {
  let entry: VerifierEntry | undefined = start;
  // Linux gives up after 40 links; `exists` then says no.
  for (let step = 0; step < 40; step++) {
    if (entry.kind !== 'link') return { entry, outside: null, device: false };
    const target: string = entry.target ?? '';
    if (/^\/dev\/(?:null|zero|full|random|urandom|tty)$/u.test(target))
      return { entry: null, outside: null, device: true };
    const inside = target.replace(/^(?:\.\/+)+/u, '');
    if (inside === '' || inside.includes('/') || inside === '.' || inside === '..')
      return { entry: null, outside: target, device: false };
    entry = entries.find((candidate) => candidate.name === inside);
    if (entry === undefined) break;
  }
  return { entry: null, outside: null, device: false };
}

function readFile(found: Found, present: readonly Found[]): RewardReading {
  const { file } = found;
  const fail = (error: RewardError, message: string): RewardReading => failure(error, message, found, present);
  if (found.outside !== null) {
    const where = `"${found.outside.slice(0, 200)}"`;
    return fail(
      'VerifierOutputParseError',
      `${file.name} is a link to ${where}, which leads out of the verifier's folder. It was not followed: Harbor would read a file of its own machine.`,
    );
  }
  if (found.kind === 'directory') return fail('IsADirectoryError', `${file.name} is a folder, not a file.`);
  if (found.kind !== 'file') return fail('RewardFileEmptyError', `${file.name} is no regular file and holds no bytes.`);
  if (found.size === 0) return fail('RewardFileEmptyError', `${file.name} is empty.`);
  if (found.content === null) {
    return fail('VerifierOutputParseError', `${file.name} has ${found.size} bytes, too many for a reward.`);
  }
  const text = decode(found.content);
  if (text === null) return fail('VerifierOutputParseError', `${file.name} is not UTF-8 text.`);
  const read = file.name === 'reward.txt' ? readText(text) : readJson(text);
  if (!read.ok) return fail(read.error, `${file.name} ${read.message}`);
  return { ok: true, file, rewards: read.rewards, others: others(found, present) };
}

type Read =
  | { readonly ok: true; readonly rewards: Readonly<Record<string, RewardNumber>> | null }
  | { readonly ok: false; readonly error: RewardError; readonly message: string };

function readText(text: string): Read {
  const value = parsePythonFloat(text);
  if (value !== null) return { ok: true, rewards: { reward: { value, kind: 'float' } } };
  const message = text.trim() === '' ? 'holds only white space.' : `holds no number but ${quote(text)}.`;
  return { ok: false, error: 'VerifierOutputParseError', message };
}

function readJson(text: string): Read {
  const parsed = parsePythonJson(text);
  if (!parsed.ok) {
    const line = text.slice(0, parsed.at).split('\n').length;
    return {
      ok: false,
      error: 'VerifierOutputParseError',
      message: `is not valid JSON: ${parsed.message} in line ${line}.`,
    };
  }
  if (parsed.value.type === 'null') return { ok: true, rewards: null };
  if (parsed.value.type !== 'object') return invalid('is valid JSON, but no object of numbers.');
  const rewards: [string, RewardNumber][] = [];
  for (const [key, value] of parsed.value.members) {
    const number = coerce(value);
    if (number === null) return invalid(`has a value for ${quote(key)} that is no number.`);
    rewards.push([key, number]);
  }
  return { ok: true, rewards: Object.fromEntries(rewards) };
}

function invalid(message: string): Read {
  return { ok: false, error: 'ValidationError', message };
}

/** Harbor's model takes numeric texts and booleans for numbers. */
function coerce(value: PythonJson): RewardNumber | null {
  switch (value.type) {
    case 'number':
      return value.number;
    case 'boolean':
      return { value: value.value ? 1 : 0, kind: 'float' };
    case 'string':
      return coerceText(value.value);
    case 'null':
    case 'array':
    case 'object':
      return null;
  }
}

// The model's own float grammar, which is not Python's: ASCII digits only, and underscores are dropped beforehand.
const modelFloat = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|infinity|nan)$/iu;
const modelInt = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/u;
const modelSpace =
  /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/gu;

function coerceText(text: string): RewardNumber | null {
  const trimmed = text.replaceAll(modelSpace, '');
  const underscores = text.startsWith('_') || text.endsWith('_') || text.includes('__');
  for (const candidate of underscores ? [trimmed] : [trimmed, text.replaceAll('_', '')]) {
    if (modelFloat.test(candidate)) return { value: modelNumber(candidate), kind: 'float' };
  }
  // Only a text with both white space and underscores gets here: it is no float, but an integer.
  return modelInt.test(trimmed) ? { value: Number(trimmed.replaceAll('_', '')) + 0, kind: 'int' } : null;
}

function modelNumber(text: string): number {
  if (/nan/iu.test(text)) return Number.NaN;
  if (/inf/iu.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

function failure(error: RewardError, message: string, found: Found | null, present: readonly Found[]): RewardReading {
  return { ok: false, error, message, file: found?.file ?? null, others: others(found, present) };
}

function others(found: Found | null, present: readonly Found[]): readonly RewardFile[] {
  return present.filter((other) => other !== found).map((other) => other.file);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** At most 4 KiB, without half a character at the end. */
function cut(text: string): string {
  return text.length <= maxRaw ? text : text.slice(0, maxRaw).replace(/[\ud800-\udbff]$/u, '');
}

function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(shown);
}
