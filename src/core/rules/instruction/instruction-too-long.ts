import type { Rule } from '../rule';
import { instructions } from './instructions';

export const instructionTooLong: Rule = {
  id: 'instruction-too-long',
  severity: 'hint',
  confidence: 'possible',
  inputs: ['instruction'],
  needsDisk: true,
  why: 'A long text tests how patiently an agent reads, beside what the task is about.',
  docs: {
    finds: 'The instruction is longer than about 1,500 tokens (or the limit of the profile), code blocks included.',
    silent: 'A long schema or specification in one code block that makes up most of the text.',
    bad: 'Ten pages of background, then the request.',
    good: 'One page that says what must be there in the end.',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      const length = text.text.length - text.agentStart;
      const longest = Math.max(0, ...text.fences.map(({ start, end }) => end - start));
      // Of English and code, about four characters make a token.
      const tokens = Math.round(length / 4);
      if (tokens <= subject.profile.maxInstructionTokens || longest > length / 2) continue;
      const line = text.lines.position(text.agentStart).line;
      yield {
        file,
        range: { start: { line, character: 0 }, end: { line, character: text.lines.line(line).length } },
        message: `The instruction has about ${tokens} tokens, more than ${subject.profile.maxInstructionTokens}.`,
      };
    }
  },
};
