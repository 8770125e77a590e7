import type { Contexts } from './context';
import type { Fence, InstructionText, KeyMention } from './instruction-text';

const identifier = /^[A-Za-z_][\w.-]*$/u;
const keyWords =
  /\b(?:keys?|fields?|columns?|headers?|propert(?:y|ies)|attributes?|objects?|schema|entries|elements?|tags?|members?)\b/i;

/** Do words say that what stands with them is a key, a field or a column? */
export function speaksOfKeys(words: string): boolean {
  return keyWords.test(words);
}

/** Keys of examples in blocks of code, and names that the prose calls keys, fields or columns. */
export function keysOf(text: InstructionText, contexts: Contexts): readonly KeyMention[] {
  const keys: KeyMention[] = [];
  for (const [index, fence] of text.fences.entries()) {
    const context = contexts.ofFence(index);
    for (const { key, start, source } of keysOfFence(text, fence))
      keys.push({ start, end: start + key.length, text: key, key, source, context });
  }
  for (const code of text.codes) {
    const sentence = text.sentences[code.sentence];
    if (sentence === undefined) continue;
    const context = contexts.ofSentence(code.sentence, code, 'code');
    if (/^\s*[[{]/u.test(code.code)) {
      for (const { key, at } of jsonKeys(code.code)) {
        const start = code.body.start + at;
        keys.push({ start, end: start + key.length, text: key, key, source: 'json', context });
      }
      continue;
    }
    const lead = text.sentences[sentence.lead ?? -1];
    const named = speaksOfKeys(sentence.words) || (lead !== undefined && speaksOfKeys(lead.words));
    const listed = sentence.depth > 0 && /^[\s*_]*$/u.test(text.text.slice(sentence.start, code.start));
    if (!named && !listed && sentence.place !== 'row') continue;
    let at = code.body.start;
    for (const part of code.code.split(',')) {
      const key = part.trim().replace(/^["']|["']$/gu, '');
      if (identifier.test(key)) {
        const start = at + part.indexOf(key);
        const source = sentence.place === 'row' ? 'table' : 'prose';
        keys.push({ start, end: start + key.length, text: key, key, source, context });
      }
      at += part.length + 1;
    }
  }
  for (const [index, sentence] of text.sentences.entries()) {
    if (!sentence.words.includes('"') || !speaksOfKeys(sentence.words)) continue;
    for (const match of sentence.words.matchAll(/"([A-Za-z_][\w-]{0,60})"/gu)) {
      const start = sentence.start + match.index + 1;
      const key = match[1] ?? '';
      const span = { start, end: start + key.length };
      keys.push({ ...span, text: key, key, source: 'prose', context: contexts.ofSentence(index, span, 'prose') });
    }
  }
  return keys.sort((a, b) => a.start - b.start);
}

function* jsonKeys(code: string): Iterable<{ readonly key: string; readonly at: number }> {
  for (const match of code.matchAll(/(["'])([^"'\n\\]{1,100})\1\s{0,20}:/gu))
    yield { key: match[2] ?? '', at: match.index + 1 };
}

function* keysOfFence(
  text: InstructionText,
  fence: Fence,
): Iterable<{ readonly key: string; readonly start: number; readonly source: KeyMention['source'] }> {
  const body = text.text.slice(fence.body.start, fence.body.end);
  const first = /\S[^\n\r]*/u.exec(body);
  if (first === null) return;
  if (/^(?:json|jsonc|json5|jsonl|ndjson|js|javascript|python|py)$/u.test(fence.language) || /^[[{]/u.test(first[0])) {
    for (const { key, at } of jsonKeys(body)) yield { key, start: fence.body.start + at, source: 'json' };
    return;
  }
  if (/^(?:ya?ml)$/u.test(fence.language)) {
    for (const match of body.matchAll(/^([ \t]*(?:- +)?)(["']?)([A-Za-z_][\w.-]*)\2:(?=\s|$)/gmu))
      yield {
        key: match[3] ?? '',
        start: fence.body.start + match.index + (match[1] ?? '').length + (match[2] ?? '').length,
        source: 'yaml',
      };
    return;
  }
  if (/^(?:toml|ini)$/u.test(fence.language)) {
    for (const match of body.matchAll(/^([ \t]*)([A-Za-z_][\w.-]*)[ \t]*=/gmu))
      yield { key: match[2] ?? '', start: fence.body.start + match.index + (match[1] ?? '').length, source: 'toml' };
    return;
  }
  const header = first[0].trimEnd();
  const separator = header.includes('\t') ? '\t' : header.includes(',') ? ',' : header.includes(';') ? ';' : null;
  if (!/^(?:csv|tsv|text|txt|)$/u.test(fence.language) || separator === null) return;
  const cells = header.split(separator);
  if (cells.length < 2 || !cells.every((cell) => /^\s*"?[A-Za-z_][\w .()/%-]{0,60}"?\s*$/u.test(cell))) return;
  let at = fence.body.start + first.index;
  for (const cell of cells) {
    const key = cell.trim().replace(/^"|"$/gu, '');
    yield { key, start: at + cell.indexOf(key), source: 'csv' };
    at += cell.length + separator.length;
  }
}
