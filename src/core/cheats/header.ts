import type { CheatLevel, Strategy } from './strategy';

export type StrategyResult =
  { readonly ok: true; readonly strategy: Strategy } | { readonly ok: false; readonly message: string };

/**
 * The `# key: value` lines of a script's leading comment, keys in lower case. A remark after two spaces and `#` is no
 * part of the value. The first of two equal keys counts.
 */
export function readHeader(script: string): ReadonlyMap<string, string> {
  const header = new Map<string, string>();
  for (const line of script.split(/\r?\n/)) {
    if (line.trim() === '' && header.size === 0) continue;
    if (!line.startsWith('#')) break;
    const match = /^#\s*([A-Za-z][A-Za-z-]*):\s*(.*?)(?:\s{2,}#.*)?\s*$/.exec(line);
    if (match === null) continue;
    const key = (match[1] ?? '').toLowerCase();
    if (!header.has(key)) header.set(key, match[2] ?? '');
  }
  return header;
}

/** Reads one file of the catalogue, whose name is its id with `.sh`. */
export function readStrategy(name: string, script: string): StrategyResult {
  const header = readHeader(script);
  const wrong = (what: string): StrategyResult => ({ ok: false, message: `${name}: ${what}` });
  const id = header.get('id') ?? '';
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id)) return wrong('the line “# id: …” is missing or no id');
  if (name !== `${id}.sh`) return wrong(`the id “${id}” belongs into a file ${id}.sh`);
  const version = Number(header.get('version'));
  if (!Number.isInteger(version) || version < 1) return wrong('“# version: …” must be a whole number from 1');
  const level = Number(header.get('level'));
  if (!isLevel(level)) return wrong('“# level: …” must be 1, 2 or 3');
  const knowledge = header.get('knowledge');
  if (knowledge !== 'blind' && knowledge !== 'informed') return wrong('“# knowledge: …” must be blind or informed');
  const standing = header.get('default');
  if (standing !== 'yes' && standing !== 'no') return wrong('“# default: …” must be yes or no');
  const imitates = header.get('imitates') ?? '';
  if (imitates === '') return wrong('the line “# imitates: …” is missing');
  const beatenBy = listOf(header.get('beaten-by'));
  if (beatenBy.length === 0) return wrong('the line “# beaten-by: …” is missing');
  const runs = listOf(header.get('runs'));
  return {
    ok: true,
    strategy: {
      id,
      version,
      level,
      knowledge,
      isDefault: standing === 'yes',
      imitates,
      beatenBy,
      runs: runs.length === 0 ? [''] : runs,
      script,
    },
  };
}

function isLevel(level: number): level is CheatLevel {
  return level === 1 || level === 2 || level === 3;
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
