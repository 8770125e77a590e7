import type { InstructionText } from '../../text/markdown/instruction-text';
import type { Rule } from '../rule';
import { instructions } from './instructions';

export const instructionTooShort: Rule = {
  id: 'instruction-too-short',
  severity: 'information',
  confidence: 'likely',
  inputs: ['instruction'],
  needsDisk: true,
  why: 'So few words leave open what a right result is: two experts would build different things.',
  docs: {
    finds: 'The instruction has fewer than 20 words of prose, and no path.',
    silent: 'Texts that name a file by its absolute path, a URL or a port, or that show an example in a code block.',
    bad: 'Fix the scheduler.',
    good: '`/srv/tram.py` skips the last stop of each line; make it serve all stops.',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      const words = wordCount(text);
      if (words === 0 || words >= 20 || text.fences.length > 0) continue;
      const { paths, urls, ports, routes } = text.mentions;
      if (paths.some(({ form }) => form === 'absolute') || urls.length + ports.length + routes.length > 0) continue;
      const line = text.lines.position(text.agentStart).line;
      yield {
        file,
        range: { start: { line, character: 0 }, end: { line, character: text.lines.line(line).length } },
        message: `The instruction has only ${words} ${words === 1 ? 'word' : 'words'} and names no file.`,
      };
    }
  },
};

/** Words of prose and inline code; of scripts without blanks between words, two characters are taken for one. */
function wordCount(text: InstructionText): number {
  let count = 0;
  for (const { text: own, place } of text.sentences) {
    if (place === 'comment') continue;
    const wide = own.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
    count += Math.ceil(wide / 2) + (own.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0) - (wide > 0 ? 1 : 0);
  }
  return count;
}
