import type { Contexts } from './context';
import type { InstructionText, MentionContext, PortMention, UrlMention } from './instruction-text';

const urlPattern =
  /\b([a-z][a-z0-9+.-]{1,20}):\/\/([^\s/:?#"'`<>()[\]{}|,;]{1,255})(?::(\d{1,5}))?((?:[/?#][^\s"'`<>()[\]{}|]*)?)/giu;
const hostPort = /(?<![\w./:-])(localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z][\w.-]{0,60}):(\d{2,5})(?![\w.:-]*\d)/gi;
const portWord = /\bports?\s+[`"]?(\d{1,5})(?:[`"]?\s*(?:,|and|or|\/)\s*[`"]?(\d{1,5}))?\b/gi;

export function addressesOf(
  text: InstructionText,
  contexts: Contexts,
): { readonly urls: readonly UrlMention[]; readonly ports: readonly PortMention[] } {
  const urls: UrlMention[] = [];
  const ports: PortMention[] = [];
  const scan = (from: string, offset: number, contextOf: (start: number, end: number) => MentionContext): void => {
    if (from.includes('://'))
      for (const match of from.matchAll(urlPattern)) {
        const written = match[0].replace(/[.,:;!?*_]+$/u, '');
        const span = { start: offset + match.index, end: offset + match.index + written.length };
        const path = (match[4] ?? '').replace(/[.,:;!?*_]+$/u, '');
        urls.push({
          ...span,
          text: written,
          scheme: (match[1] ?? '').toLowerCase(),
          host: (match[2] ?? '').toLowerCase().replace(/\.$/u, ''),
          port: match[3] === undefined ? null : Number(match[3]),
          path: path === '' ? '/' : path,
          context: contextOf(span.start, span.end),
        });
      }
    if (!/\d{2}/u.test(from)) return;
    for (const match of from.matchAll(hostPort)) {
      const host = (match[1] ?? '').toLowerCase();
      const local = host === 'localhost' || /^\d/u.test(host);
      if (!local && (match[2] ?? '').length < 4) continue;
      const start = offset + match.index + host.length + 1;
      addPort(match[2] ?? '', start, host);
    }
    for (const match of from.matchAll(portWord))
      for (const digits of [match[1], match[2]])
        if (digits !== undefined) addPort(digits, offset + match.index + match[0].lastIndexOf(digits), null);

    function addPort(digits: string, start: number, host: string | null): void {
      const port = Number(digits);
      const end = start + digits.length;
      if (port > 0 && port < 65_536)
        ports.push({ start, end, text: digits, port, host, context: contextOf(start, end) });
    }
  };
  for (const [index, sentence] of text.sentences.entries()) {
    const place = sentence.place === 'comment' ? 'comment' : 'prose';
    // Backticks between "port" and its number are no hindrance, and a URL may stand anywhere.
    scan(sentence.text.replaceAll('*', ' '), sentence.start, (start, end) =>
      contexts.ofSentence(index, { start, end }, sentence.text[start - sentence.start - 1] === '`' ? 'code' : place),
    );
  }
  for (const [index, fence] of text.fences.entries())
    scan(text.text.slice(fence.body.start, fence.body.end), fence.body.start, () => contexts.ofFence(index));
  return { urls, ports };
}
