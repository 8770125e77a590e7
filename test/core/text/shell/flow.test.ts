import { describe, expect, test } from 'vitest';
import { readFlow } from '../../../../src/core/text/shell/flow/flow';
import { readShell } from '../../../../src/core/text/shell/read';
import { grammars } from '../../grammars';

const watched = ['/r', '/j'];

/** Each way through as `end: what it wrote; what it found out`. */
function ways(text: string, resolve: (path: string) => string | undefined = () => undefined): string[] {
  const script = readShell(text, grammars, {
    file: 'tests/test.sh',
    folder: '/tests',
    resolve: (path) => {
      const found = resolve(path);
      return found === undefined ? null : { file: path, text: found };
    },
  });
  const flow = readFlow(script, {
    watched,
    mayWrite: ({ program }) => program === 'opaque',
    grades: ({ program }) => program === 'grade',
    decides: ({ program }) => program !== 'prepare',
    startFolder: '/app',
  });
  if (!flow.complete) return ['incomplete'];
  return flow.paths.map(({ end, written, unsure, decisions }) => {
    const wrote = [...written].map(([path, { value }]) => `${path}=${value.text?.trim() ?? '?'}`).join(' ');
    const found = decisions
      .map(({ command, succeeded }) => `${succeeded ? '' : '!'}${command.program ?? '='}`)
      .join(' ');
    return `${end.kind}: ${wrote}${unsure ? ' unsure' : ''}; ${found}`;
  });
}

describe('ways through a script', () => {
  test.each<[string, string[]]>([
    ['if grade; then echo 1 > /r; else echo 0 > /r; fi', ['end: /r=1; grade', 'end: /r=0; !grade']],
    ['grade && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade']],
    ['grade || exit 3\necho 1 > /r', ['exit: ; !grade', 'end: /r=1; grade']],
    ['set -e\ngrade\necho 1 > /r', ['errexit: ; !grade', 'end: /r=1; grade']],
    ['set -e\nset +e\ngrade\necho 1 > /r', ['end: /r=1; ']],
    ['grade; rc=$?; echo; [ $rc -eq 0 ] && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade']],
    ['grade; if (( $? )); then exit 1; fi', ['exit: ; !grade', 'end: ; grade']],
    ['grade\ncase $? in 0) echo 1 > /r;; *) echo 0 > /r;; esac', ['end: /r=1; grade', 'end: /r=0; !grade']],
    ['! grade && echo 0 > /r', ['end: ; grade', 'end: /r=0; !grade']],
    ['set -o pipefail\ngrade | tee x && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade tee']],
    ['grade | cat; [ ${PIPESTATUS[0]} -eq 0 ] && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade']],
    ["trap 'echo 0 > /r' EXIT\ngrade || exit 1", ['exit: /r=0; !grade', 'end: /r=0; grade']],
    ['f() { grade; return $?; }\nf && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade']],
    ['f() { echo "$1" > /r; exit; }\nf 5\ngrade', ['exit: /r=5; ']],
    ['(exit 3) || echo 0 > /r', ['end: /r=0; ']],
    ["bash -c 'exit 1' && echo 1 > /r", ['end: ; ']],
    ['x=$(grade) && echo 1 > /r', ['end: ; !grade', 'end: /r=1; grade']],
    ['{ echo 1; echo 2; } > /r', ['end: /r=1\n2; ']],
    ['echo 1 | tee /r /j', ['end: /r=1 /j=1; ']],
    ['cd /; echo 1 > r', ['end: /r=1; ']],
    ['echo 1 > r', ['end: ; ']],
    ['echo 1 > /r; rm -f /[rj]', ['end: ; ']],
    ['echo 1 > $U', ['end:  unsure; ']],
    ['prepare || exit 1\necho 1 > /r', ['exit: ; ', 'end: /r=1; ']],
    ['opaque', ['end:  unsure; ']],
    ['exec opaque', ['exec:  unsure; ']],
    ['exec grade', ['exec: ; ']],
    ['grade & echo 1 > /r', ['end: /r=1; ']],
    ['r=0\nfor i in a b; do grade && r=1; done\necho $r > /r', ['end: /r=0; !grade', 'end: /r=1; grade']],
    ['grade && r=1\n[ -n "$r" ] || exit\necho $r > /r', ['exit: ; !grade', 'end: /r=1; grade']],
    ['if grade; then', ['incomplete']],
  ])('%s', (text, expected) => {
    expect(ways(text)).toEqual(expected);
  });

  test('a sourced file is part of the way', () => {
    expect(
      ways('. /tests/lib.sh\nsave 1', (path) => (path === '/tests/lib.sh' ? 'save() { echo "$1" > /r; }' : undefined)),
    ).toEqual(['end: /r=1; ']);
    expect(ways('. /tests/lib.sh\necho 1 > /r')).toEqual(['end: /r=1 unsure; ']);
  });

  test('too many ways are no ways', () => {
    const many = Array.from({ length: 12 }, (_, i) => `if ask${String(i)}; then A${String(i)}=1; fi`).join('\n');
    expect(ways(many)).toEqual(['incomplete']);
  });
});
