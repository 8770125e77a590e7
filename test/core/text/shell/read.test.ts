import { describe, expect, test } from 'vitest';
import { readShell } from '../../../../src/core/text/shell/read';
import type { ShellScript, ShellSurroundings } from '../../../../src/core/text/shell/script';
import { grammars } from '../../grammars';
import { render, renderCommand } from './render';

function read(
  text: string,
  surroundings: ShellSurroundings = { file: 'tests/test.sh', folder: '/tests' },
): ShellScript {
  return readShell(text, grammars, surroundings);
}

function commands(text: string): string[] {
  return read(text).commands.map(renderCommand);
}

describe('statements', () => {
  test.each([
    ['! a | b', 'not\n  pipe\n    a\n    b'],
    ['a | b > f', 'pipe\n  a\n  b >f'],
    ['a && b | c >> f 2>&1', '&&\n  a\n  pipe\n    b\n    c >>f 2>&1'],
    ['cat <<EOF > /x || exit 1\nx\nEOF', '||\n  cat >/x <<EOF:file\n  exit 1'],
    [
      'a && cat <<EOF - | tee x && foo\nx\nEOF',
      '&&\n  &&\n    a\n    pipe\n      cat - <<EOF:input\n      tee x\n  foo',
    ],
    ['cat <<EOF | tee y &\nEOF', 'background\n  pipe\n    cat <<EOF:input\n    tee y'],
    ['a && b &\nc', 'background\n  &&\n    a\n    b\nc'],
    [
      'if a; b; then c; elif d; then e; else f; fi > o',
      'if >o\n  a\n  b\nthen\n  c\nelif >o\n  d\nthen\n  e\nelse\n  f',
    ],
    ['case $x in a|b) c;; *) d;; esac', 'case <…>\na | b)\n  c\n*)\n  d'],
    ['f() { a; }\nfunction g { b; }', 'function f\n  group\n    a\nfunction g\n  group\n    b'],
    ['until a; do b; done', 'until  \n  a\ndo\n  b'],
    ['for i in 1 "a b"; do c; done', 'for i 1 a b\ndo\n  c'],
    ['( a; b ) 2> e', 'subshell >e\n  a\n  b'],
    ['A=1 B=2\nC=3\ncmd x', 'A=1 B=2\nC=3\ncmd x'],
    ['[[ $a == b* ]] && (( i++ ))', '&&\n  [[ <…> == b*\n  (( <…> ++'],
  ])('%s', (text, expected) => {
    const script = read(text);
    expect(render(script)).toBe(expected);
    expect(script.errors).toEqual([]);
  });

  test('what the grammar does not understand is an error and an unknown statement, with its commands known', () => {
    const script = read('a\nif b; then\nc');
    expect(script.errors.length).toBeGreaterThan(0);
    expect(script.commands.map((command) => command.program)).toContain('b');
  });
});

describe('words', () => {
  test.each([
    ["x \"a b\"c'd'$'e\\n' f\\ g", 'x a bcde\\n f g'],
    ['D=/a; x "$D/b" ${D}/c', 'D=/a;x /a/b /a/c'],
    ['x ${U:-d} "${U:-$HOME}"', 'x d /root'],
    ['x "$(dirname "$0")/y" "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"', 'x /tests/y /tests'],
    ['x "$(pwd)" $RANDOM /a$b/c', 'x <…> <…> </a…>'],
    ['A=1; A=2; x $A', 'A=1;A=2;x <…>'],
    ['A=1; A=1; x $A', 'A=1;A=1;x 1'],
    ['for A in 1; do x $A; done', 'x <…>'],
    ['A="${A:-/d}"; x $A', 'A=/d;x /d'],
    ['f() { x $A; }\nA=/late', 'x /late;A=/late'],
    ['O="-q -x"; x $O "$O"', 'O=-q -x;x -q -x -q -x'],
    ['x ~/a "~"', 'x /root/a ~'],
    ['PATH="$HOME/bin:$PATH"; x', 'PATH=</root/bin:…>;x'],
  ])('%s', (text, expected) => {
    const found = commands(text).filter((line) => /=|^x/u.test(line));
    expect(found.join(';')).toBe(expected);
  });

  test('an unquoted variable with blanks becomes several words', () => {
    expect(read('O="-q -x"; x $O').commands[1]?.args.map((word) => word.value)).toEqual(['-q', '-x']);
  });
});

describe('wrappers', () => {
  test.each([
    ['A=1 env -u X FOO=1 timeout -k 5 60 pytest -q', 'pytest', 'env timeout'],
    ['sudo -u bob -E nice -n 5 /usr/bin/python3 x.py', 'python3', 'sudo nice'],
    ['time -p nohup setsid ./run', 'run', 'time nohup setsid'],
    ['find . | xargs -n 1 -I {} rm {}', 'rm', 'xargs'],
    ['exec "$@"', null, 'exec'],
    ['exec > log', 'exec', ''],
    ['P=/usr/local/bin/python3; [ -x "$P" ] || P=/usr/bin/python3\nenv -i A=1 "$P" x.py', 'python3', 'env'],
    ['P=a; P=b; $P x', null, ''],
    ['command -v curl', 'command', ''],
    ['setpriv --reuid=65534 --clear-groups /srv/run', 'run', 'setpriv'],
  ])('%s', (text, program, wrappers) => {
    const command = read(text).commands.at(-1);
    expect(command?.program).toBe(program);
    expect(command?.wrappers.map((wrapper) => wrapper.name).join(' ')).toBe(wrappers);
  });

  test('the limit of timeout and the user of sudo are known', () => {
    const [command] = read('sudo -u bob timeout 2m x').commands;
    expect(command?.wrappers.map(({ seconds, user }) => [seconds, user])).toEqual([
      [null, 'bob'],
      [120, null],
    ]);
  });
});

describe('writes', () => {
  test.each<[string, [string, string | null, string | null][]]>([
    ['echo 1 > /r', [['redirect', '/r', '1\n']]],
    ['echo -n 1 >> /r', [['redirect', '/r', '1']]],
    ["printf '%s\\n' 0 > /r", [['redirect', '/r', '0\n']]],
    [
      'x 2>/e >/o',
      [
        ['redirect', '/e', null],
        ['redirect', '/o', null],
      ],
    ],
    ['x > /o 2>&1', [['redirect', '/o', null]]],
    [
      'x | tee -a /a /b',
      [
        ['tee', '/a', null],
        ['tee', '/b', null],
      ],
    ],
    ['dd if=/a of=/b bs=1', [['dd', '/b', null]]],
    [
      'cp -r a b /d/',
      [
        ['cp', '/d/a', null],
        ['cp', '/d/b', null],
      ],
    ],
    ['install -m 755 a /usr/bin/b', [['install', '/usr/bin/b', null]]],
    ['mv a /b', [['mv', '/b', null]]],
    ['ln -sf a /b', [['ln', '/b', null]]],
    ['sed -i s/a/b/ /f', [['sed', '/f', null]]],
    ["cat > /f <<'E'\n$x\nE", [['redirect', '/f', '$x\n']]],
    ['cat > /f <<E\n$x\nE', [['redirect', '/f', null]]],
    ['cat > /f <<-E\n\ta\n\tE', [['redirect', '/f', 'a\n']]],
    ['> /f', [['redirect', '/f', '']]],
    ['x > "$U"', [['redirect', null, null]]],
  ])('%s', (text, expected) => {
    const found = read(text).commands.flatMap((command) => command.writes);
    expect(found.map((write) => [write.via, write.file, write.content])).toEqual(expected);
  });
});

describe('heredocs', () => {
  test.each([
    ["python3 - <<'E'\nimport x\nE", 'code'],
    ['python3 <<E\nE', 'code'],
    ['python3 x.py <<E\nE', 'input'],
    ['bash -s a <<E\necho\nE', 'code'],
    ['cat <<E > /f\nE', 'file'],
    ['tee /f <<E\nE', 'file'],
    ['psql <<E\nE', 'input'],
  ])('%s', (text, use) => {
    expect(read(text).heredocs.map((heredoc) => heredoc.use)).toEqual([use]);
  });

  test('code in a heredoc is no command of the script', () => {
    expect(commands("cat > /f <<'E'\nrm -rf / || true\nE")).toEqual(['cat >/f <<E:file']);
  });

  test('the body of a heredoc for a shell is read as a script of its own, with its places', () => {
    const text = "bash <<'E'\nfoo bar\nE";
    const inner = read(text).commands[0]?.inline?.commands[0];
    expect(inner?.program).toBe('foo');
    expect(text.slice(inner?.start, inner?.end)).toBe('foo bar');
  });
});

describe('where a command stands', () => {
  const contextOf = (text: string, program: string) =>
    read(text).commands.find((command) => command.program === program)?.context;

  test('conditions, lists, pipelines, subshells, functions', () => {
    expect(contextOf('if ! x; then y; fi', 'x')).toMatchObject({ condition: 'if', negated: true });
    expect(contextOf('x || y', 'x')).toMatchObject({ leftOf: '||', rightOf: null });
    expect(contextOf('x || y', 'y')).toMatchObject({ leftOf: null, rightOf: '||' });
    expect(contextOf('a | x', 'x')).toMatchObject({ pipeline: { index: 1, length: 2 }, subshell: true });
    expect(contextOf('y=$(x)', 'x')).toMatchObject({ substitution: true, subshell: true });
    expect(contextOf('f() { x; }', 'x')).toMatchObject({ function: 'f' });
    expect(contextOf('x &', 'x')).toMatchObject({ background: true });
    expect(contextOf('for i in a; do x; done', 'x')).toMatchObject({ loop: true, conditional: true });
  });

  test.each([
    ['#!/bin/bash -eu\nx', { errexit: true, nounset: true, pipefail: false }],
    ['set -euo pipefail\nx', { errexit: true, nounset: true, pipefail: true }],
    ['set -e\nset +e\nx', { errexit: false, nounset: false, pipefail: false }],
    ['set -o errexit -o pipefail; x', { errexit: true, nounset: false, pipefail: true }],
    ['(set -e); x', { errexit: false, nounset: false, pipefail: false }],
    ['if a; then set -e; fi; x', { errexit: 'unknown', nounset: false, pipefail: false }],
    ['if a; then set -e; else set -e; fi; x', { errexit: true, nounset: false, pipefail: false }],
    ['f() { set -e; }; x', { errexit: false, nounset: false, pipefail: false }],
    ['set -- -e; x', { errexit: false, nounset: false, pipefail: false }],
  ])('options: %s', (text, options) => {
    expect(contextOf(text, 'x')?.options).toEqual(options);
  });
});

describe('scripts in scripts', () => {
  test('a constant after -c is read, with its places', () => {
    const text = `su bob -c 'cd /x && pytest -q' && bash -lc "echo 漢"`;
    const inner = read(text).commands.flatMap((command) => command.inline?.commands ?? []);
    expect(inner.map((command) => text.slice(command.start, command.end))).toEqual(['cd /x', 'pytest -q', 'echo 漢']);
  });

  test('a sourced file of the task is brought in with its constants, to a depth of three', () => {
    const files: Record<string, string> = { '/tests/a.sh': 'A=/x\n. /tests/a.sh', '/tests/b.sh': 'B=1' };
    const script = read('source "$(dirname "$0")/a.sh"\necho $A\n. ./b.sh', {
      file: 'tests/test.sh',
      folder: '/tests',
      resolve: (path) => (files[path] === undefined ? null : { file: path.slice(1), text: files[path] }),
    });
    expect(script.commands.map(renderCommand)).toContain('echo /x');
    const first = script.commands[0]?.sourced;
    expect(first?.file).toBe('tests/a.sh');
    expect(first?.commands[1]?.sourced?.commands[1]?.sourced?.commands[1]?.sourced).toBeNull();
  });

  test('traps', () => {
    const script = read("trap 'echo 0 > /r' EXIT INT\ntrap - EXIT\ntrap cleanup 0");
    expect(script.traps.map(({ signals, reset }) => [signals.join(), reset])).toEqual([
      ['EXIT,INT', false],
      ['EXIT', true],
      ['0', false],
    ]);
    expect(script.traps[0]?.body?.commands[0]?.writes[0]?.file).toBe('/r');
  });
});

test('offsets are those of the file that a piece comes from', () => {
  const file = 'FROM x\nRUN echo "a" > /b\n';
  const base = file.indexOf('echo');
  const [command] = readShell(file.slice(base), grammars, { base }).commands;
  expect(file.slice(command?.start, command?.end)).toBe('echo "a" > /b');
  expect(file.slice(command?.writes[0]?.start, command?.writes[0]?.end)).toBe('/b');
});

test('line ends of Windows and a byte-order mark move nothing', () => {
  const text = '\uFEFF#!/bin/bash -e\r\necho "😀" >/r\r\npytest\r\n';
  const script = read(text);
  expect(script.shebang?.flags).toEqual(['-e']);
  const echo = script.commands.find((command) => command.program === 'echo');
  expect(text.slice(echo?.args[0]?.start, echo?.args[0]?.end)).toBe('"😀"');
});
