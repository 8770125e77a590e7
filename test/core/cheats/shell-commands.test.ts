import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programWords, shellCommands } from '../../../src/core/cheats/shell-commands';

/** One command a line: line number, words, files written. */
function shown(script: string): string {
  return shellCommands(script)
    .map(({ line, words, writes }) => [line, words.join('·'), ...writes.map((file) => `>${file}`)].join(' '))
    .join('\n');
}

describe('commands of a shell script', () => {
  it('splits at operators and keeps quotes together', () => {
    expect(shown(`#!/bin/bash\ncd "/srv/my app" && pytest -k 'a b' | tee log; echo done & wait`)).toBe(
      '1 cd·/srv/my app\n1 pytest·-k·a b\n1 tee·log\n1 echo·done\n1 wait',
    );
  });

  it('knows comments, continuation lines and the words of control flow', () => {
    expect(shown('if [ -e x ]; then # why\n  run \\\n    --fast\nelse\n  echo no#comment\nfi')).toBe(
      '0 [·-e·x·]\n1 run·--fast\n4 echo·no#comment',
    );
  });

  it('tells redirections from words', () => {
    expect(shown('echo 1 > /logs/verifier/reward.txt 2>&1\nrun >>log 2>/dev/null <in\ncat >|x')).toBe(
      '0 echo·1 >/logs/verifier/reward.txt\n1 run·in >log >/dev/null\n2 cat >x',
    );
  });

  it('skips here-documents, and goes on after them with the right line', () => {
    expect(shown("cat <<'END' > out\nrm -rf /\nEND\npytest\ncat <<-X\n\tbody\n\tX\ntrue")).toBe(
      '0 cat >out\n3 pytest\n4 cat\n7 true',
    );
  });

  it('reads what stands in command substitutions', () => {
    expect(shown('x=$(python3 /opt/a.py)\n[ "$(cat y)" = ok ]')).toBe(
      '0 python3·/opt/a.py\n0 x=$()\n1 cat·y\n1 [·$(cat y)·=·ok·]',
    );
  });

  it('takes the patterns of case for no commands', () => {
    expect(shown('case "$1" in\n  0 | 4) ;;\n  *)\n    echo no\n    ;;\nesac\ntrue')).toBe('3 echo·no\n6 true');
    expect(shown('case $a in x) case $b in y) one ;; esac; two ;; z) three ;; esac; four')).toBe(
      '0 one\n0 two\n0 three\n0 four',
    );
  });

  it('never fails, whatever the script', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab$("\'\\`){}<>|&;\n# case esac'.split('')) }), (script) => {
        const lines = script.split('\n').length;
        for (const { line } of shellCommands(script)) expect(line).toBeLessThan(lines + 1);
      }),
    );
  });

  it('finds the program behind assignments and wrappers', () => {
    const program = (text: string): string => programWords(text.split(' ')).join(' ');
    expect(program('A=1 B=2 pytest x')).toBe('pytest x');
    expect(program('timeout --kill-after=5 240 python3 t.py')).toBe('python3 t.py');
    expect(program('timeout -k 5 240 python3 t.py')).toBe('python3 t.py');
    expect(program('env -i PATH=/bin /usr/bin/timeout 9 ./check')).toBe('./check');
    expect(program('A=1')).toBe('');
  });
});
