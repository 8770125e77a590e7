import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFlow } from '../../../../src/core/text/shell/flow/flow';
import { readShell } from '../../../../src/core/text/shell/read';
import type { ShellScript, Span } from '../../../../src/core/text/shell/script';
import { grammars } from '../../grammars';

const samples = [
  `#!/bin/bash
set -euo pipefail
trap '[ -s /logs/verifier/reward.txt ] || echo 0 > /logs/verifier/reward.txt' EXIT
rm -f /logs/verifier/reward.{txt,json}
cd "$(dirname "$0")" || exit 1
if timeout 60 pytest -q "$PWD/test_a.py" 2>&1 | tee /logs/verifier/out.txt; then R=1; else R=0; fi
printf '{"reward": %s}\\n' "\${R:-0}" > /logs/verifier/reward.json
`,
  `cat > /tmp/a.py <<'PY' && python3 - <<EOF || { echo no >&2; exit 1; }
print("$(x)")
PY
import os
EOF
case "$?" in 0|1) echo ok ;; *) f() { local x=$(cmd | tee y); return $x; }; f a & wait;; esac
for i in 1 2 3; do while read -r l; do [[ $l =~ ^a ]] && break; done < /x; done
`,
];

const pieces = [
  '"',
  "'",
  '`',
  '$(',
  ')',
  '${',
  '}',
  '<<EOF\n',
  'EOF\n',
  '\n',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '>',
  '2>&1',
  '(',
  '{ ',
  'if ',
  'then ',
  'fi\n',
  'case x in ',
  'esac\n',
  'do\n',
  'done\n',
  '\\',
  '\\\n',
  '#',
  '=',
  'A=(',
  '[[ ',
  ']]',
  '😀',
  '漢',
  '\r\n',
  '\t',
  ' ',
  '\0',
  '\uD800',
  'function f',
  '!',
  '((',
  '))',
  "$'",
  '<(',
  'trap ',
  'set -e\n',
  'bash -c ',
  'source /tests/x\n',
];

const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom(...pieces)), { maxLength: 6 }),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [at, length, piece]) => {
      const start = at % (now.length + 1);
      return now.slice(0, start) + piece + now.slice(start + length);
    }, text),
  );
const composed = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 60 })
  .map((all) => all.join(''));

function check(text: string): void {
  const base = 7;
  const script = readShell(text, grammars, {
    file: 'tests/test.sh',
    folder: '/tests',
    base,
    resolve: (path) => ({ file: path.slice(1), text }),
  });
  checkSpans(script, text, base);
  readFlow(script, {
    watched: ['/logs/verifier/reward.txt', '/logs/verifier/reward.json'],
    mayWrite: () => false,
    grades: (command) => command.program === 'pytest',
    decides: () => true,
    startFolder: null,
  });
}

function checkSpans(script: ShellScript, text: string, base: number): void {
  const within = (inner: Span, outer: Span): void => {
    expect(inner.start).toBeLessThanOrEqual(inner.end);
    expect(inner.start).toBeGreaterThanOrEqual(outer.start);
    expect(inner.end).toBeLessThanOrEqual(outer.end);
  };
  const whole = { start: base, end: base + text.length };
  for (const [index, command] of script.commands.entries()) {
    expect(command.index).toBe(index);
    within(command, whole);
    for (const word of [...command.words, ...command.redirects.map((redirect) => redirect.target)]) {
      within(word, whole);
      expect(text.slice(word.start - base, word.end - base)).toBe(word.text);
    }
    for (const part of [...command.assignments, ...command.redirects, ...command.writes, ...command.heredocs])
      within(part, whole);
    if (command.inline !== null) for (const inner of command.inline.commands) within(inner, whole);
  }
  for (const heredoc of script.heredocs) within(heredoc.body, whole);
  for (const span of [...script.comments, ...script.errors]) within(span, whole);
}

describe('any text', () => {
  test('is read without a throw, and every place lies in it', () => {
    fc.assert(fc.property(fc.oneof(mutated, composed, fc.string({ maxLength: 200, unit: 'binary' })), check), {
      numRuns: 600,
    });
  });

  test.each([
    ['open brackets', '('.repeat(20_000)],
    ['open substitutions', '"$('.repeat(20_000)],
    ['open arrays', 'a=('.repeat(20_000)],
    ['pipes', 'a | '.repeat(12_000)],
    ['lists', 'a && '.repeat(20_000) + 'b'],
    ['heredocs', 'cat <<A\n'.repeat(20_000)],
    ['conditions', 'if a; then '.repeat(20_000)],
    ['NULs', '\0'.repeat(100_000)],
    ['one line', 'a'.repeat(600_000)],
    ['blanks of an escape', '\\\n'.repeat(100_000)],
    ['branches', 'if [ -f $a ]; then A=$RANDOM; B=1; else C=2; fi\n'.repeat(200)],
    ['calls', 'f() { f; g; }\ng() { f; f; }\nf\ng\n'.repeat(50)],
  ])(
    'takes bounded time: %s',
    (_, text) => {
      const started = performance.now();
      check(text);
      expect(performance.now() - started).toBeLessThan(15_000);
    },
    30_000,
  );
});
