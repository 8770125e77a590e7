import { pythonReader } from '../../model/readers/python';
import type { Subject } from '../../model/subject';
import type { InstructionText, Sentence } from '../../text/markdown/instruction-text';
import type { Claim, Rule } from '../rule';
import type { InstructionFile } from './instructions';
import { instructions } from './instructions';

export const instructionMentionsVerifier: Rule = {
  id: 'instruction-mentions-verifier',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'tree', 'py:tests'],
  needsDisk: true,
  why: 'Agents that know how they are checked work for the check. Describe the state that is wanted.',
  docs: {
    finds:
      'The instruction names the grading: `/tests/…`, `/logs/verifier`, the reward file, the task’s own test files or test functions (warning), or speaks of hidden tests and of what the verifier will do (information).',
    silent:
      'The tests of the project that the agent works on, names that occur in `environment/` too, and words of the subject such as a proof verifier.',
    bad: '`test_state.py` will compare `/srv/out.json`.',
    good: '`/srv/out.json` must list every hive once.',
  },
  *check(subject) {
    const names = verifierNames(subject);
    for (const instruction of subject.derive(instructions)) yield* mentionsIn(subject, instruction, names);
  },
};

interface VerifierNames {
  readonly files: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** Names of scripts and tests in `tests/` that the agent cannot know from its own folders. */
function verifierNames(subject: Subject): VerifierNames {
  const own = new Set<string>();
  const others = new Set<string>();
  const modules: string[] = [];
  for (const [path, kind] of subject.disk?.entries ?? []) {
    if (kind !== 'file') continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!/^(?:steps\/[^/]+\/)?tests\//u.test(path)) others.add(name);
    else if (
      /^(?:test_.+|.+_test|conftest|.*(?:grade|grader|verify|verifier|check|checker).*)\.py$|^test\.sh$/u.test(name)
    ) {
      own.add(name);
      if (name.endsWith('.py')) modules.push(path);
    }
  }
  own.add('solve.sh');
  for (const name of others) if (name !== 'solve.sh') own.delete(name);
  const functions = new Set<string>();
  for (const path of modules)
    for (const {
      function: { name },
    } of subject.read(pythonReader, path)?.tests ?? [])
      if (name.length > 6) functions.add(name);
  return { files: own, functions };
}

const grading = /^\/(?:tests(?:\/|$)|logs\/verifier(?:\/|$))/u;
const phrases: readonly RegExp[] = [
  /\bhidden (?:unit |integration |evaluation )?tests?\b(?! (?:set|data|split|sets))/i,
  /\bthe (?:verifier|grader|autograder|grading script|test harness|evaluation script)\b (?:will|checks?|verifies|runs?|compares?|expects?|looks?|reads?|waits?)\b/i,
  /\byour (?:solution|work|answer|output|submission|implementation|code|changes) will be (?:tested|graded|evaluated|verified|checked|scored|judged)\b/i,
];

function* mentionsIn(subject: Subject, { file, text }: InstructionFile, names: VerifierNames): Generator<Claim> {
  const claimed = new Set<string>();
  const claim = (start: number, end: number, message: string): readonly Claim[] => {
    if (claimed.has(message)) return [];
    claimed.add(message);
    return [{ file, range: text.lines.range(start, end), message }];
  };
  for (const { path, form, joined, start, end, text: own } of text.mentions.paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (form === 'absolute' && !joined && grading.test(path) && !isProduct(text, path, start))
      yield* claim(start, end, `The instruction names ${path}, where the grading is done.`);
    else if (/^reward\.(?:txt|json)$/u.test(name) && (form !== 'absolute' || joined))
      yield* claim(start, end, `The instruction names ${own}, the file that the reward is read from.`);
    else if (names.files.has(name) && (form === 'name' || path === `tests/${name}`) && !joined)
      yield* claim(
        start,
        end,
        `The instruction names ${own}, ${name === 'solve.sh' ? 'which runs the reference solution' : "a file of the task's own tests"}.`,
      );
  }
  if (names.functions.size > 0) {
    for (const { code, body } of text.codes) {
      const name = /^(?:[\w./]+::)?(\w+)(?:\(\))?$/u.exec(code)?.[1] ?? '';
      if (names.functions.has(name))
        yield* claim(body.start, body.end, `The instruction names ${name}, one of the task's own tests.`);
    }
  }
  if (speaksOfOwnVerifier(subject, text)) return;
  for (const sentence of text.sentences) {
    for (const phrase of phrases) {
      const match = phrase.exec(sentence.words);
      if (match === null) continue;
      yield* spoken(sentence, match, file, text);
      break;
    }
  }
}

function* spoken(sentence: Sentence, match: RegExpExecArray, file: string, text: InstructionText): Generator<Claim> {
  const start = sentence.start + match.index;
  yield {
    file,
    range: text.lines.range(start, start + match[0].length),
    severity: 'information',
    message: `“${match[0].replace(/\s+/gu, ' ')}” speaks of how the result is checked, not of what it has to be.`,
  };
}

/** `/tests` as a route or a folder that the agent is to make is a word of the subject. */
function isProduct(text: InstructionText, path: string, start: number): boolean {
  const mention = text.mentions.paths.find((one) => one.start === start && one.path === path);
  return path === '/tests' && mention?.context.role === 'output';
}

/** A task about a verifier or a grader has the word as its subject. */
function speaksOfOwnVerifier(subject: Subject, text: InstructionText): boolean {
  const named = /verifier|grader|grading|harness|evaluat/iu;
  for (const path of subject.disk?.entries.keys() ?? []) {
    if (path.startsWith('environment/') && named.test(path)) return true;
  }
  return text.headings.some(({ title }) => named.test(title)) || text.codes.some(({ code }) => named.test(code));
}
