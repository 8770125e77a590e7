import type { SyntaxNode } from '../syntax-tree';

/** One piece of a string: text, or the expression of an interpolation that is plain (no conversion, no format). */
export type StringPiece = string | SyntaxNode | null;

export interface StringPieces {
  readonly bytes: boolean;
  /** Null stands for an interpolation that formats its value. */
  readonly pieces: readonly StringPiece[];
}

/** Reads a `string` node. */
export function stringPieces(node: SyntaxNode, text: string): StringPieces {
  const start = node.children[0];
  const last = node.children.at(-1);
  if (start?.type !== 'string_start') return { bytes: false, pieces: [null] };
  const prefix = text.slice(start.start, start.end).toLowerCase();
  const raw = prefix.includes('r');
  const formatted = prefix.includes('f') || prefix.includes('t');
  const end = last?.type === 'string_end' ? last.start : node.end;
  const pieces: StringPiece[] = [];
  let at = start.end;
  const take = (until: number): void => {
    if (until > at) pieces.push(plain(text.slice(at, until), raw, formatted));
  };
  for (const child of node.children) {
    if (child.type !== 'interpolation') continue;
    take(child.start);
    pieces.push(interpolated(child));
    at = child.end;
  }
  take(end);
  return { bytes: prefix.includes('b'), pieces };
}

function interpolated(node: SyntaxNode): SyntaxNode | null {
  if (node.children.some(({ type }) => type === 'type_conversion' || type === 'format_specifier' || type === '='))
    return null;
  return node.children.find(({ field }) => field === 'expression') ?? null;
}

function plain(source: string, raw: boolean, formatted: boolean): string {
  let text = source.includes('\r') ? source.replace(/\r\n?/gu, '\n') : source;
  if (formatted) text = text.replaceAll('{{', '{').replaceAll('}}', '}');
  return raw || !text.includes('\\') ? text : unescape(text);
}

const escapes: Record<string, string> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescape(text: string): string {
  return text.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{[^}]*\}|([\s\S]))/gu,
    (all, octal?: string, hex?: string, short?: string, long?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      const code = hex ?? short ?? long;
      if (code !== undefined) {
        const value = parseInt(code, 16);
        return value <= 0x10ffff ? String.fromCodePoint(value) : all;
      }
      return other === undefined ? all : (escapes[other] ?? all);
    },
  );
}
