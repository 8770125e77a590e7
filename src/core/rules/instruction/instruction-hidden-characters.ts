import type { Subject } from '../../model/subject';
import type { InstructionText } from '../../text/markdown/instruction-text';
import type { Claim, Rule } from '../rule';
import type { HiddenRun } from './hidden-characters';
import { disguisedRuns, hiddenRuns } from './hidden-characters';
import { instructions } from './instructions';

export const instructionHiddenCharacters: Rule = {
  id: 'instruction-hidden-characters',
  severity: 'error',
  confidence: 'certain',
  inputs: ['instruction', 'texts'],
  needsDisk: true,
  why: 'A reviewer does not see it and the agent does: paths do not match, or orders are hidden in the text.',
  docs: {
    finds:
      'In the instruction: controls of writing direction, characters without width, tag characters, unusual blanks in code and paths, and Cyrillic or Greek letters in a path or identifier that is Latin otherwise. In source files that the agent sees, controls of writing direction and tag characters (warning). A byte-order mark is information.',
    silent:
      'Joiners in emoji and in scripts that need them, prose that runs from right to left, and tasks whose instruction is about such characters.',
    bad: '/srv/аpp.py   # the first letter of the name is Cyrillic',
    good: '/srv/app.py',
  },
  *check(subject) {
    const all = subject.derive(instructions);
    for (const { file, text } of all) {
      const runs = [...hiddenRuns(text.text), ...disguised(text)].filter(
        ({ end }) => end > text.agentStart || end === 1,
      );
      for (const run of runs.slice(0, most)) yield claimOf(file, text.lines.range(run.start, run.end), run);
    }
    if (all.some(({ text }) => subjectWords.test(text.text))) return;
    for (const path of visibleSources(subject)) {
      const text = subject.text(path) ?? '';
      const runs = hiddenRuns(text).filter(({ kind }) => kind === 'direction' || kind === 'tag');
      const lines = subject.lines(path);
      if (lines === null) continue;
      for (const run of runs.slice(0, 3))
        yield { ...claimOf(path, lines.range(run.start, run.end), run), severity: 'warning', fixes: [] };
    }
  },
};

/** Findings of one file; more of them say nothing new. */
const most = 20;

const subjectWords = /unicode|bidi|homoglyph|zero[- ]width|invisible|steganograph|trojan source|right-to-left/iu;

function* visibleSources(subject: Subject): Generator<string> {
  for (const path of subject.disk?.texts.keys() ?? []) {
    if (!/^(?:environment|steps\/[^/]+\/workdir)\//u.test(path)) continue;
    if (
      /\.(?:py|sh|js|ts|tsx|jsx|go|rs|c|h|cc|cpp|java|rb|pl|php|lua|sql|toml|yaml|yml|md)$|\/(?:Dockerfile|Makefile)$/u.test(
        path,
      )
    )
      yield path;
  }
}

function disguised(text: InstructionText): readonly HiddenRun[] {
  const runs = text.codes.flatMap(({ code, body }) => disguisedRuns(code, body.start));
  for (const { start, end, context } of text.mentions.paths)
    if (context.place === 'prose') runs.push(...disguisedRuns(text.text.slice(start, end), start));
  for (const { body } of text.fences) {
    let offset = body.start;
    for (const line of text.text.slice(body.start, body.end).split('\n')) {
      // Drawings of folders are made of such blanks by the program that draws them.
      if (!/[│├└─]/u.test(line))
        runs.push(...disguisedRuns(line, offset).filter(({ kind }) => kind !== 'space' || /\S\u00A0/u.test(line)));
      offset += line.length + 1;
    }
  }
  // A path in a code span is looked at once.
  const byStart = new Map(runs.map((run) => [run.start, run]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

const described: Readonly<Record<HiddenRun['kind'], string>> = {
  direction: 'a control of writing direction, so that the text is shown in another order than it has',
  'zero-width': 'a character without width',
  tag: 'tag characters, which hide text',
  space: 'an unusual blank in code',
  lookalike: 'a letter of another script that looks like a Latin one',
  'byte-order-mark': 'a byte-order mark',
};

function claimOf(file: string, range: Claim['range'], run: HiddenRun): Claim {
  const isMark = run.kind === 'byte-order-mark';
  const title =
    run.kind === 'lookalike'
      ? `Write the Latin ${run.replacement}`
      : run.kind === 'space'
        ? 'Write a plain blank'
        : 'Remove it';
  return {
    file,
    range,
    message: isMark
      ? 'The file begins with a byte-order mark, which becomes part of what the agent reads.'
      : `Here is ${described[run.kind]} (${run.names}).`,
    ...(isMark && { severity: 'information' }),
    fixes: [{ title, preferred: true, edits: [{ file, range, newText: run.replacement }] }],
  };
}
