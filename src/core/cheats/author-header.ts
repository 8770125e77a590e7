import { parseExpectation } from '../gates/cheat-outcome';
import { readHeader } from './header';

export type AuthorKind = 'cheat' | 'wrong' | 'partial' | 'alternative';

/** What the comments at the top of an author's script say (cheats.md, section 6). */
export interface AuthorHeader {
  readonly title: string | null;
  readonly kind: AuthorKind;
  /** As written: `0`, `<1`, `>=1`. */
  readonly expect: string;
  readonly targets: string | null;
  readonly user: 'agent' | 'root';
  /** Seconds; null is the task's own limit. */
  readonly timeoutSec: number | null;
  /** Programs that have to be in the image. */
  readonly needs: readonly string[];
}

export type AuthorHeaderResult =
  | { readonly ok: true; readonly header: AuthorHeader }
  /** `line` from 0. */
  | { readonly ok: false; readonly message: string; readonly line: number };

const kinds: readonly AuthorKind[] = ['cheat', 'wrong', 'partial', 'alternative'];
/** Seconds; nobody waits longer for a cheat. */
const longest = 7200;

/** Reads the header of an entry in `cheats/` or `variants/`; all of it may be missing. */
export function readAuthorHeader(script: string, folder: 'cheats' | 'variants'): AuthorHeaderResult {
  const header = readHeader(script);
  const wrong = (key: string, message: string): AuthorHeaderResult => ({
    ok: false,
    message,
    line: Math.max(
      0,
      script.split('\n').findIndex((text) => new RegExp(`^#\\s*${key}:`, 'i').test(text)),
    ),
  });

  const kind = header.get('kind') ?? (folder === 'variants' ? 'alternative' : 'cheat');
  if (!isKind(kind)) return wrong('kind', `“kind: ${kind}” must be ${kinds.slice(0, -1).join(', ')} or alternative`);
  const expect = header.get('expect') ?? (folder === 'variants' ? '1' : '0');
  if (parseExpectation(expect) === null)
    return wrong('expect', `“expect: ${expect}” must be a number, or one after < or >=, such as 0, <1 or >=1`);
  const user = header.get('user') ?? 'agent';
  if (user !== 'agent' && user !== 'root') return wrong('user', `“user: ${user}” must be agent or root`);
  const timeout = header.get('timeout');
  const timeoutSec = timeout === undefined ? null : Number(timeout);
  if (timeoutSec !== null && !(timeout !== '' && timeoutSec > 0 && timeoutSec <= longest))
    return wrong('timeout', `“timeout: ${timeout ?? ''}” must be a number of seconds, at most ${longest}`);
  const needs = (header.get('needs') ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const odd = needs.find((word) => !/^[A-Za-z0-9_][\w.+-]*$/.test(word));
  if (odd !== undefined) return wrong('needs', `“needs: ${odd}” is no name of a program`);
  return {
    ok: true,
    header: {
      title: textOf(header.get('title')),
      kind,
      expect,
      targets: textOf(header.get('targets')),
      user,
      timeoutSec,
      needs,
    },
  };
}

function isKind(text: string): text is AuthorKind {
  return kinds.some((kind) => kind === text);
}

function textOf(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
