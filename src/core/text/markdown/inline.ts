import type { Link, Span } from './instruction-text';

/** What stands within the text of one block. All lists are in order. */
export interface Inline {
  readonly codes: readonly (Span & { readonly body: Span })[];
  readonly links: readonly Link[];
  readonly comments: readonly Span[];
  /** Tags of known HTML elements; `<your name>` is none. */
  readonly tags: readonly Span[];
}

const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{1,2000})>/iy;
const tag =
  /<\/?(?:a|abbr|b|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)(?:\s[^<>]{0,500})?\/?>/iy;
const bracketed =
  /\[([^[\]]{0,500})\]\([ \t]*(<[^<>\n]{0,1000}>|[^\s()<>]{0,1000})(?:\s+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t]*\)/y;

/** Finds code, links, comments and tags, each character looked at a bounded number of times. */
export function inlineOf(text: string, block: Span): Inline {
  const codes: (Span & { body: Span })[] = [];
  const links: Link[] = [];
  const comments: Span[] = [];
  const tags: Span[] = [];
  const closing = closingRuns(text, block);
  let commentsEnd = true;
  let at = block.start;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    return found !== null && at + found[0].length <= block.end ? found : null;
  };
  while (at < block.end) {
    const unit = text.charCodeAt(at);
    if (unit === 92) {
      at += /[!-/:-@[-`{-~]/u.test(text[at + 1] ?? '') ? 2 : 1;
    } else if (unit === 96) {
      let open = at;
      while (open < block.end && text.charCodeAt(open) === 96) open++;
      const close = closing(at, open - at);
      if (close === null) at = open;
      else {
        codes.push({ start: at, end: close + open - at, body: unpadded(text, open, close) });
        at = close + open - at;
      }
    } else if (unit === 60) {
      if (commentsEnd && text.startsWith('<!--', at)) {
        const end = text.indexOf('-->', at + 2);
        if (end < 0 || end + 3 > block.end) {
          commentsEnd = false;
          at++;
          continue;
        }
        comments.push({ start: at, end: end + 3 });
        at = end + 3;
        continue;
      }
      const link = match(autolink);
      if (link !== null) {
        const targetSpan = { start: at + 1, end: at + link[0].length - 1 };
        links.push({ ...targetSpan, label: link[1] ?? '', target: link[1] ?? '', targetSpan });
        at += link[0].length;
        continue;
      }
      const html = match(tag);
      if (html !== null) tags.push({ start: at, end: at + html[0].length });
      at += html?.[0].length ?? 1;
    } else if (unit === 91) {
      const link = match(bracketed);
      if (link !== null) {
        const written = link[2] ?? '';
        const target = written.replace(/^<|>$/gu, '');
        const from = text.indexOf(written, at + (link[1] ?? '').length + 3) + (target === written ? 0 : 1);
        const targetSpan = { start: from, end: from + target.length };
        links.push({ start: at, end: at + link[0].length, label: link[1] ?? '', target, targetSpan });
      }
      // The label may hold code; the target is skipped when its place is reached.
      at++;
    } else if (unit === 93 && links.at(-1)?.end !== undefined && isLabelEnd(links.at(-1), text, at)) {
      at = links.at(-1)?.end ?? at + 1;
    } else at++;
  }
  return { codes, links, comments, tags };
}

function isLabelEnd(link: Link | undefined, text: string, at: number): boolean {
  return link !== undefined && at === link.start + link.label.length + 1 && text.charCodeAt(at + 1) === 40;
}

function unpadded(text: string, start: number, end: number): Span {
  const padded = end - start > 2 && /\s/u.test(text[start] ?? '') && /\s/u.test(text[end - 1] ?? '');
  return padded ? { start: start + 1, end: end - 1 } : { start, end };
}

/** For a run of backticks gives the start of the next run of the same length behind it. */
function closingRuns(text: string, block: Span): (at: number, length: number) => number | null {
  let runs: Map<number, number[]> | null = null;
  return (at, length) => {
    if (runs === null) {
      runs = new Map();
      for (let from = at; from < block.end; from++) {
        if (text.charCodeAt(from) !== 96) continue;
        let to = from;
        while (to < block.end && text.charCodeAt(to) === 96) to++;
        const same = runs.get(to - from);
        if (same === undefined) runs.set(to - from, [from]);
        else same.push(from);
        from = to;
      }
      for (const starts of runs.values()) starts.reverse();
    }
    const starts = runs.get(length) ?? [];
    while ((starts.at(-1) ?? Infinity) <= at) starts.pop();
    return starts.at(-1) ?? null;
  };
}
