import { parsePythonFloat, strip } from '../text/python-text';

export type SizeResult =
  { readonly ok: true; readonly mebibytes: number } | { readonly ok: false; readonly reason: string };

const factors: Readonly<Record<string, number>> = { G: 1024, M: 1, K: 1 / 1024 };

/** A size such as `4G`, `512M` or `1536K` in whole MiB, rounded towards zero (harbor-task.md, section 15). */
export function parseSize(text: string): SizeResult {
  const normal = strip(text).toUpperCase();
  const factor = factors[normal.slice(-1)];
  if (factor === undefined) return { ok: false, reason: 'must end in G, M or K' };
  const number = parsePythonFloat(normal.slice(0, -1));
  if (number === undefined) return { ok: false, reason: 'must be a number before its G, M or K' };
  const mebibytes = Math.trunc(number * factor);
  if (!Number.isFinite(mebibytes)) return { ok: false, reason: 'must be a finite number before its G, M or K' };
  return { ok: true, mebibytes: mebibytes + 0 };
}

/** What the author of a refused size most likely meant, in MiB: `4GB`, `4GiB` and a bare number of bytes. */
export function guessSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([GMK])I?B?)?$/u.exec(strip(text).toUpperCase());
  const factor = match?.[2] === undefined ? null : factors[match[2]];
  if (match?.[1] === undefined || factor === null || factor === undefined) return null;
  const mebibytes = Math.trunc(Number(match[1]) * factor);
  return mebibytes > 0 ? mebibytes : null;
}
