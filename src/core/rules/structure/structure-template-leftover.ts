import { pythonReader } from '../../model/readers/python';
import type { Subject } from '../../model/subject';
import type { PythonFunction } from '../../text/python/module';
import { fingerprint } from '../fingerprint';
import type { Claim, Rule } from '../rule';

export const structureTemplateLeftover: Rule = {
  id: 'structure-template-leftover',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['tree', 'shell:test', 'shell:solve', 'py:tests', 'texts'],
  needsDisk: true,
  why: 'What a scaffold puts there looks like work that was done, and checks nothing.',
  docs: {
    finds:
      'A test function of the scaffold of `harbor init` whose body is still a docstring and `pass`. Explanatory comments of the scaffold, and a README with nothing but its title, are hints.',
    silent: 'Functions of the scaffold’s name that check something, the canary, and the lines that install test tools.',
    bad: 'def test_outputs():   # unchanged\n    pass',
    good: 'def test_tide_table():\n    assert load("/srv/tides.csv")[0]["height_cm"] == 412',
  },
  *check(subject) {
    for (const path of subject.disk?.texts.keys() ?? []) {
      if (!place.test(path)) continue;
      if (path.endsWith('.py')) yield* emptyTests(subject, path);
      yield* comments(subject, path);
      if (path === 'README.md') yield* bareReadme(subject, path);
    }
  },
};

const place = /^(?:(?:steps\/[^/]+\/)?(?:tests\/test_\w+\.py|tests\/test\.sh|solution\/solve\.sh)|README\.md)$/u;

/** Names and docstrings (by fingerprint) that the scaffolds of Harbor and Terminal-Bench give to their one test. */
const testNames = new Set(['test_outputs']);
const docstrings = new Set(['9ac13b85644ae3df']);

function* emptyTests(subject: Subject, path: string): Generator<Claim> {
  const lines = subject.lines(path);
  const text = subject.text(path);
  if (lines === null || text === null) return;
  for (const { function: test } of subject.read(pythonReader, path)?.tests ?? []) {
    const body = idleBody(test, text);
    if (body === null || !(testNames.has(test.name) || docstrings.has(fingerprint(plain(body))))) continue;
    yield {
      file: path,
      range: lines.range(test.nameNode.start, test.nameNode.end),
      message: `${test.name} is still the scaffold's, and checks nothing.`,
      section: test.path,
      supersedes: ['tests-assert-nothing'],
    };
  }
}

/** The docstring of a function that does nothing, empty without one; null for a function that does something. */
function idleBody({ body }: PythonFunction, text: string): string | null {
  let docstring = '';
  for (const statement of body.statements) {
    const written = text.slice(statement.start, statement.end);
    if (written === 'pass' || written === '...') continue;
    const quoted = /^[rbuRBU]{0,2}("""|'''|"|')([\s\S]*)\1$/u.exec(written);
    if (quoted === null || statement.type !== 'expression_statement') return null;
    docstring = quoted[2] ?? '';
  }
  return docstring;
}

/** Fingerprints of the lines by which the scaffolds explain their files. */
const explanations = new Set([
  '5d0c7364eef7f5d6',
  '1e56b95b6eec2b44',
  'e5b65c3db947165f',
  '2d1d77f1ac6d46df',
  '4068eff3732be732',
]);

function* comments(subject: Subject, path: string): Generator<Claim> {
  const lines = subject.lines(path);
  if (lines === null) return;
  for (let index = 0; index < Math.min(lines.count, 15); index++) {
    const line = lines.line(index);
    if (line.length > 200 || !explanations.has(fingerprint(plain(line)))) continue;
    yield {
      file: path,
      range: {
        start: { line: index, character: line.search(/\S/u) },
        end: { line: index, character: line.trimEnd().length },
      },
      severity: 'hint',
      message: `This line explains the scaffold, not ${path.slice(path.lastIndexOf('/') + 1)}.`,
    };
    // One says that it was left; the next lines belong to it.
    return;
  }
}

function* bareReadme(subject: Subject, path: string): Generator<Claim> {
  const lines = subject.lines(path);
  const text = subject.text(path)?.trim() ?? '';
  if (lines === null || !/^#{1,3}[ \t]+\S[^\r\n]*$/u.test(text)) return;
  const start = lines.offset({ line: 0, character: 0 }) + (subject.text(path) ?? '').indexOf(text);
  yield {
    file: path,
    range: lines.range(start, start + text.length),
    severity: 'hint',
    message: 'The README has nothing but its title.',
  };
}

/** Without comment signs and quotes, in small letters. */
function plain(line: string): string {
  return line
    .replace(/^[\s#"'*/]+|[\s"'*/]+$/gu, '')
    .replace(/\s+/gu, ' ')
    .toLowerCase();
}
