import type { InstructionText, Sentence } from '../../text/markdown/instruction-text';
import type { Rule } from '../rule';
import { instructions } from './instructions';

/** Findings of one kind in a file; more of them say nothing new. */
const most = 20;

interface Marker {
  readonly start: number;
  readonly text: string;
}

export const instructionPlaceholder: Rule = {
  id: 'instruction-placeholder',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction'],
  needsDisk: true,
  why: 'What should stand there was never written, so agents get half an instruction and guess the rest.',
  docs: {
    finds:
      'Unfinished text in prose: a `TODO`, `FIXME`, `TBD` or `XXX` that stands for something, `lorem ipsum`, `[insert …]`, `<your …>`, `???`, `{{ name }}`, or a heading with nothing in or below it.',
    silent:
      'Inline code and code blocks, number masks (`0.XXX`), and sentences about such markers (“lines marked TODO in the source”).',
    bad: 'The tolerance is TBD.',
    good: 'Finish the functions marked `TODO` in `/srv/hive.py`.',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      let told = 0;
      for (const sentence of text.sentences) {
        if (told >= most) break;
        for (const { start, text: marker } of markersIn(sentence)) {
          told++;
          yield {
            file,
            range: text.lines.range(sentence.start + start, sentence.start + start + marker.length),
            message: `${JSON.stringify(shortened(marker))} stands where something was still to be written.`,
          };
        }
      }
      for (const { start, end, title } of emptyHeadings(text).slice(0, most)) {
        const message =
          title === ''
            ? 'This heading has no text.'
            : `Nothing is written below the heading ${JSON.stringify(shortened(title))}.`;
        yield { file, range: text.lines.range(start, end), message };
      }
    }
  },
};

const subjects =
  /^\s*["'”’)]?\s*(?:comments?|items?|markers?|lists?|apps?|tags?|entries|notes?|lines?|files?|functions?|stubs?|placeholders?|sections?|blocks?|strings?|words?|api|tasks?|manager|application|statuses|states?|is|are|and|or|in)\b/i;

/** A marker that begins the sentence and is followed by what is to be done, or ends it as a value. */
const leading = /^[\s#>*_+-]*(?:\d+[.)]\s*)?[[(]?\s*(TODO|FIXME|TBD|XXX)(?![\w-])(?=\s*[:\])]|\s+\S)/u;
const trailing = /(?:\b(?:is|are|be|will be|equals)|[:=(–—-])\s*(TODO|FIXME|TBD)\s*[.)]{0,2}\s*$/u;
const spoken =
  /\b(?:mark|contain|includ|replac|substitut|placeholder|templat|jinja|mustache|handlebars|render|syntax|interpolat|variables?|tokens?)\w*/i;

function markersIn(sentence: Sentence): readonly Marker[] {
  const { words } = sentence;
  const found: Marker[] = [];
  const add = (match: RegExpExecArray | null, group = 0): void => {
    const text = match?.[group];
    if (match !== null && text !== undefined) found.push({ start: match.index + match[0].indexOf(text), text });
  };
  const lead = leading.exec(words);
  if (lead !== null && !subjects.test(words.slice(lead.index + lead[0].length))) add(lead, 1);
  else add(trailing.exec(words), 1);
  add(/\blorem ipsum\b/i.exec(words));
  if (words.includes('['))
    add(/\[(?:insert|fill in|your|add|describe|todo|tbd|placeholder)\b[^\]\n]{0,80}\](?![([:])/iu.exec(words));
  if (words.includes('<') && !spoken.test(words))
    add(/<(?:your|insert|fill in|add|describe|todo|tbd|placeholder)(?:[ _-][^<>\n]{0,60})?>/iu.exec(words));
  if (words.includes('???')) add(/(?<=^|[\s:(])\?{3,}(?=[\s.,;)]|$)/u.exec(words));
  if (words.includes('{{') && !spoken.test(words)) add(/\{\{\s{0,5}[A-Za-z_][\w.]{0,60}\s{0,5}\}\}/u.exec(words));
  return found;
}

function emptyHeadings(text: InstructionText): readonly InstructionText['headings'][number][] {
  return text.headings.filter((heading, index) => {
    if (heading.title === '') return true;
    // The title of a text may say everything there is to say.
    if (heading.level === 1) return false;
    const next = text.headings[index + 1];
    if (next !== undefined && next.level > heading.level) return false;
    const below = text.text.slice(heading.end, next?.start ?? text.text.length);
    return !/[\p{L}\p{N}`~<|[]/u.test(below);
  });
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
