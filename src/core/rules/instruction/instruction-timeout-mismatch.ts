import type { NumberMention, Sentence } from '../../text/markdown/instruction-text';
import type { Rule } from '../rule';
import { instructions } from './instructions';

export const instructionTimeoutMismatch: Rule = {
  id: 'instruction-timeout-mismatch',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'toml'],
  needsDisk: true,
  why: 'The agent plans its work by the time it is told, and is stopped at another.',
  docs: {
    finds:
      'The instruction tells the agent how much time it has, and `[agent].timeout_sec` (or the step’s own) says otherwise.',
    silent: 'Limits for the program under work, and tasks without a limit for the agent.',
    bad: 'You have 600 seconds to complete this task.   # timeout_sec = 1200.0',
    good: 'You have 1200 seconds to complete this task.',
  },
  *check(subject) {
    const config = subject.toml?.config ?? null;
    if (config === null) return;
    for (const { file, text, step } of subject.derive(instructions)) {
      const limit = step?.agent.timeout_sec ?? config.agent.timeout_sec;
      if (limit === null || !Number.isFinite(limit)) continue;
      for (const mention of text.mentions.numbers) {
        const sentence = text.sentences[mention.context.sentence ?? -1];
        const seconds = secondsOf(mention);
        if (seconds === null || sentence === undefined || !isForAgent(sentence, mention)) continue;
        if (Math.abs(seconds - limit) < 1) continue;
        const range = text.lines.range(mention.start, mention.end);
        yield {
          file,
          range,
          message: `The agent is told that it has ${mention.text.replace(/\s+/gu, ' ')}, but it is stopped after ${limit} seconds.`,
          fixes: [{ title: `Write ${worded(limit)}`, edits: [{ file, range, newText: worded(limit) }] }],
        };
      }
    }
  },
};

const factors: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 };

function secondsOf({ value, unit }: NumberMention): number | null {
  const factor = factors[unit ?? ''];
  return factor === undefined ? null : value * factor;
}

/** "You have 10 minutes", "The time limit for this task is 600 seconds". */
function isForAgent({ words, start }: Sentence, mention: NumberMention): boolean {
  const before = words.slice(Math.max(0, mention.start - start - 120), mention.start - start);
  const after = words.slice(mention.end - start, mention.end - start + 80);
  const limit =
    /(?:\s+(?:at most|up to|only|about|exactly|just|a total of|a maximum of|a time limit of|a budget of|no more than))*\s+$/iu;
  const bare = before.replace(limit, ' ');
  if (/\byou(?:['’]ll| will)?(?: only)? (?:have|get|are given) $/i.test(bare))
    return !/^\s*(?:of|between|after|before|per|from now)\b/i.test(after) || /^\s*of time\b/i.test(after);
  return /\btime limit (?:for (?:this|the|your) (?:task|work)|of this task|for you)(?: is|:| of) $/i.test(bare);
}

function worded(seconds: number): string {
  return `${Number.isInteger(seconds) ? seconds : seconds.toFixed(1)} seconds`;
}
