// Letters and digits that cannot be mistaken for one another (harbor-run.md, section 1).
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Draws an integer from 0 to below `limit`. */
export type Draw = (limit: number) => number;

/** `<first 32 characters of the folder's name>__<7 random characters>`. */
export function trialName(dirName: string, draw: Draw): string {
  const stem = Array.from(dirName)
    .slice(0, 32)
    .join('')
    .replace(/[_-]+$/u, '');
  return `${stem}__${Array.from({ length: 7 }, () => alphabet.charAt(draw(alphabet.length))).join('')}`;
}

/** UTC with `Z` and six fractional digits, none for a whole second: the times of trial files. */
export function utcTime(at: Date): string {
  return `${fraction(at.toISOString().slice(0, -1))}Z`;
}

/** Local time without a zone: the start and end of a job. `offsetMinutes` is what local time is ahead of UTC. */
export function localTime(at: Date, offsetMinutes: number): string {
  return fraction(shift(at, offsetMinutes));
}

/** `YYYY-MM-DD__HH-MM-SS` in local time. */
export function jobName(at: Date, offsetMinutes: number): string {
  return shift(at, offsetMinutes).slice(0, 19).replace('T', '__').replaceAll(':', '-');
}

/** A reader of `localTime`; null for anything else. */
export function parseLocalTime(text: string, offsetMinutes: (at: Date) => number): Date | null {
  const utc = new Date(`${text}Z`);
  if (Number.isNaN(utc.getTime())) return null;
  return new Date(utc.getTime() - offsetMinutes(utc) * 60_000);
}

function shift(at: Date, offsetMinutes: number): string {
  return new Date(at.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
}

function fraction(iso: string): string {
  const [whole = '', milliseconds = '000'] = iso.split('.');
  return milliseconds === '000' ? whole : `${whole}.${milliseconds}000`;
}
