import type { InstructionText, Span } from '../../text/markdown/instruction-text';
import { relatedTo } from '../places';
import type { Rule } from '../rule';
import { instructions } from './instructions';

export const instructionCutOff: Rule = {
  id: 'instruction-cut-off',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction'],
  needsDisk: true,
  why: 'The text stops before it is finished. What is missing may be what the agent has to produce.',
  docs: {
    finds:
      'The document ends inside of a code block that was opened with a fence, or its last line of prose ends with an opening bracket, an opening quote, a comma or a colon.',
    silent:
      'A missing full stop, list items without punctuation, a closing quote, and a last line in a closed code block.',
    bad: 'Write one line per hive:\n\n~~~\nhive,weight',
    good: 'Write one line per hive to `/srv/hives.csv`:\n\n~~~\nhive,weight\n~~~',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      if (text.last.end <= text.agentStart) continue;
      const open = text.fences.findLast(({ fenced, closed }) => fenced && !closed);
      if (open !== undefined) {
        const at = text.lines.position(open.start).line + 1;
        const end = text.lines.position(text.text.length);
        const lineBreak = text.text.includes('\r\n') ? '\r\n' : '\n';
        const indent = /[ \t]*$/u.exec(text.text.slice(Math.max(0, open.start - 100), open.start))?.[0] ?? '';
        yield {
          file,
          range: lastLine(text),
          message: `The text ends inside of the code block that begins in line ${at}.`,
          related: relatedTo(
            subject,
            { file, start: open.start, end: open.start + open.marker.length },
            'It begins here',
          ),
          fixes: [
            {
              title: 'Close the code block',
              edits: [
                {
                  file,
                  range: { start: end, end },
                  newText: `${/[\r\n]$/u.test(text.text) ? '' : lineBreak}${indent}${open.marker}${lineBreak}`,
                },
              ],
            },
          ],
        };
        continue;
      }
      const dangling = danglingEnd(text);
      if (dangling === null) continue;
      const { start, end } = dangling;
      const sign = text.text.slice(start, end);
      yield {
        file,
        range: text.lines.range(start, end),
        message: `The text ends with ${JSON.stringify(sign)}, in the middle of a sentence.`,
      };
    }
  },
};

function lastLine(text: InstructionText): {
  start: { line: number; character: number };
  end: { line: number; character: number };
} {
  const { line } = text.lines.position(text.last.start);
  const own = text.lines.line(line);
  const start = own.search(/\S/u);
  return { start: { line, character: Math.max(0, start) }, end: { line, character: own.trimEnd().length } };
}

/** The sign that cannot end a text; null where it ends well, or with something else than prose. */
function danglingEnd(text: InstructionText): Span | null {
  const sentence = text.sentences.findLast(({ place }) => place !== 'comment');
  if (sentence?.place !== 'prose' || sentence.end !== text.last.end) return null;
  const plain = sentence.words.replace(/[\s_]+$/u, '');
  // Code at the end was blanked: it ends nothing badly.
  if (/\S/u.test(sentence.text.slice(plain.length).replace(/[*_]/gu, ''))) return null;
  const sign = plain.slice(-1);
  const span = { start: sentence.start + plain.length - 1, end: sentence.start + plain.length };
  if ('([{“‘:'.includes(sign)) return sign === '' ? null : span;
  // One item after another may end with a comma, the last one too.
  if (sign === ',') return sentence.depth === 0 ? span : null;
  const block = text.sentences
    .filter(({ block: own }) => own === sentence.block)
    .map(({ words }) => words)
    .join(' ');
  const isOpening = sign === '"' && (block.match(/"/gu)?.length ?? 0) % 2 === 1 && /\s"$/u.test(plain);
  return isOpening ? span : null;
}
