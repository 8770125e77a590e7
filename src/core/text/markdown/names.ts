import type { Contexts } from './context';
import type { InstructionText, MentionContext, NameMention } from './instruction-text';

/** Functions (`name(…)`) and environment variables in prose and inline code. */
export function namesOf(
  text: InstructionText,
  contexts: Contexts,
): { readonly functions: readonly NameMention[]; readonly variables: readonly NameMention[] } {
  const functions: NameMention[] = [];
  const variables: NameMention[] = [];
  const scan = (from: string, offset: number, sentence: number, place: MentionContext['place']): void => {
    const push = (list: NameMention[], name: string, at: number, length: number): void => {
      const span = { start: offset + at, end: offset + at + length };
      const context = contexts.ofSentence(sentence, span, place);
      list.push({ ...span, text: from.slice(at, at + length), name, context });
    };
    if (from.includes('('))
      for (const match of from.matchAll(/(?<![\w.])([A-Za-z_][\w.]{0,100})\(/gu))
        if (place === 'code' || from[match.index + match[0].length] === ')')
          push(functions, match[1] ?? '', match.index, (match[1] ?? '').length);
    for (const match of from.matchAll(
      /\$\{?([A-Z][A-Z0-9_]*)\b|(?<![\w$./-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w./-])/gu,
    ))
      push(variables, match[1] ?? match[2] ?? '', match.index, match[0].length);
  };
  for (const [index, { words, start, place }] of text.sentences.entries())
    scan(words, start, index, place === 'comment' ? 'comment' : 'prose');
  for (const code of text.codes) {
    scan(code.code, code.body.start, code.sentence, 'code');
    const sentence = text.sentences[code.sentence];
    if (!/^[A-Z][A-Z0-9]*$/u.test(code.code) || sentence === undefined) continue;
    if (!/\benv(?:ironment)?(?:\s+var(?:iable)?s?)\b/i.test(sentence.words)) continue;
    const context = contexts.ofSentence(code.sentence, code, 'code');
    variables.push({ ...code.body, text: code.code, name: code.code, context });
  }
  const inOrder = (list: NameMention[]): NameMention[] => list.sort((a, b) => a.start - b.start);
  return { functions: inOrder(functions), variables: inOrder(variables) };
}
