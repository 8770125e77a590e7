import type { SyntaxNode } from '../syntax-tree';
import { sourceOf, spanOf } from './reading';
import type { Reading, Standing } from './reading';
import type { ShellHeredoc } from './script';
import { readExpanded } from './words';

/** Reads `<<EOF` and its body; whose input it is is put in by whoever knows. */
export function readHeredoc(reading: Reading, node: SyntaxNode, standing: Standing): ShellHeredoc {
  const start = node.children.find((child) => child.type === 'heredoc_start');
  const body = node.children.find((child) => child.type === 'heredoc_body');
  const close = node.children.find((child) => child.type === 'heredoc_end');
  const operator = node.children[0];
  const name = start === undefined ? '' : sourceOf(reading, start);
  const quoted = /['"\\]/u.test(name);
  const strips = operator !== undefined && sourceOf(reading, operator) === '<<-';
  const from = body?.start ?? close?.start ?? node.end;
  const to = Math.max(from, close?.start ?? body?.end ?? from);
  const word = quoted || body === undefined ? null : readExpanded(reading, { ...body, start: from, end: to }, standing);
  const raw = quoted || body === undefined ? reading.text.slice(from, to) : (word?.value ?? null);
  const heredoc: ShellHeredoc = {
    start: reading.base + node.start,
    end: spanOf(reading, start ?? node).end,
    delimiter: name.replace(/['"\\]/gu, ''),
    quoted,
    strips,
    body: { start: reading.base + from, end: reading.base + to },
    content: raw !== null && strips ? raw.replace(/^\t+/gmu, '') : raw,
    command: null,
    use: 'input',
  };
  reading.heredocs.push(heredoc);
  return heredoc;
}
