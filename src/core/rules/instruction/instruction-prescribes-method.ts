import type { Sentence } from '../../text/markdown/instruction-text';
import type { Rule } from '../rule';
import { instructions } from './instructions';

export const instructionPrescribesMethod: Rule = {
  id: 'instruction-prescribes-method',
  severity: 'hint',
  confidence: 'possible',
  inputs: ['instruction'],
  needsDisk: true,
  why: 'Grade the result, not the route: a recipe leaves little to find out, and another good way looks wrong.',
  docs: {
    finds: 'A numbered list of five or more steps that each begin with what to do: open, loop, call, import, use.',
    silent: 'Lists of what has to be there in the end, of formats and of rules, and steps to reproduce a fault.',
    bad: '1. Open the file\n2. Loop over its lines\n3. Split each at the comma\n4. Add the second part\n5. Print the sum',
    good: 'Print the sum of the second column.',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      let run: Sentence[] = [];
      const runs: Sentence[][] = [];
      for (const sentence of text.sentences) {
        if (sentence.depth !== 1 || sentence.place !== 'prose') {
          if (sentence.depth === 0) run = [];
          continue;
        }
        const before = text.text.slice(Math.max(0, sentence.start - 6), sentence.start);
        if (!/\d[.)]\s+$/u.test(before)) continue;
        if (!step.test(sentence.words)) run = [];
        else {
          if (run.length === 0) runs.push(run);
          run.push(sentence);
        }
      }
      for (const steps of runs) {
        const [first] = steps;
        const last = steps.at(-1);
        if (first === undefined || last === undefined || steps.length < 5) continue;
        const lead = text.sentences[first.lead ?? -1]?.words ?? '';
        if (/\b(?:reproduce|happens|fails|example|verify|check|test(?:ed|s)?)\b/i.test(lead)) continue;
        yield {
          file,
          range: text.lines.range(first.start, last.end),
          message: `These ${steps.length} steps say how to get there, not what has to be there in the end.`,
        };
      }
    }
  },
};

/** What a programmer does, by the first word of a step; writing a result is none. */
const step =
  /^[\s_*]*(?:then\s+|next,?\s+|finally,?\s+)?(?:open|loop|iterate|import|call|define|declare|initiali[sz]e|instantiate|parse|split|strip|convert|use|sort|append|add|set|assign|return|create a (?:function|class|loop|variable|dict)|run|execute|install|compile|read|load|count|multiply|divide|sum|print|close|check (?:if|whether)|compute|calculate|filter|merge|join|group)\b/i;
