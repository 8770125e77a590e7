import { describe, expect, it } from 'vitest';
import { readDockerfile } from '../../../src/core/text/dockerfile/read-dockerfile';
import { readPython } from '../../../src/core/text/python/read';
import { readShell } from '../../../src/core/text/shell/read';
import { applySubstitution } from '../../../src/core/text/shell/sed';
import { readYaml } from '../../../src/core/text/yaml/read-yaml';
import { grammars } from '../grammars';

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** The value of the last line's last expression. */
function folded(text: string): unknown {
  const module = readPython(text, grammars);
  const call = module.calls.findLast(({ name }) => name === 'print');
  return call?.arguments[0] === undefined ? undefined : module.fold(call.arguments[0]);
}

describe('values that double with each line', () => {
  it('ENV and ARG', () => {
    for (const keyword of ['ENV', 'ARG']) {
      const text = `FROM x\n${keyword} A=0123456789\n${lines(60, () => `${keyword} A=$A\${A}`)}\nWORKDIR /$A\n`;
      const dockerfile = readDockerfile(text);
      expect(dockerfile.instructions.at(-1)?.words[0]?.value).toBeNull();
      expect(dockerfile.instructions[6]?.assignments[0]?.value?.value).toBe('0123456789'.repeat(32));
    }
  });

  it('variables of a shell script', () => {
    const text = `A0=0123456789\n${lines(60, (at) => `A${at + 1}=$A${at}$A${at}`)}\necho $A60 $A2\n`;
    const command = readShell(text, grammars).commands.at(-1);
    expect(command?.args.map(({ value }) => value)).toEqual([null, '0123456789'.repeat(4)]);
    expect(command?.args[0]?.prefix.length).toBeLessThan(100_000);
  });

  it('a variable that is split into words on every line', () => {
    const text = `A="${'a '.repeat(8_000)}"\n${lines(2_000, () => 'echo $A')}\n`;
    const script = readShell(text, grammars);
    expect(script.commands.at(-1)?.args.map(({ value }) => value)).toEqual([null]);
  });

  it('texts, lists and paths of Python', () => {
    expect(folded(`a = "0123456789"\n${lines(30, () => 'print(a)')}\nprint(a * 10**9)\n`)).toBeNull();
    expect(
      folded(`a0 = "0123456789"\n${lines(30, (at) => `a${at + 1} = f"{a${at}}{a${at}}"`)}\nprint(a30)\n`),
    ).toBeNull();
    // What is let go of is an item that is not known.
    const list = folded(`a0 = [1]\n${lines(30, (at) => `a${at + 1} = [a${at}, a${at}]`)}\nprint(a30)\n`);
    expect(JSON.stringify(list).length).toBeLessThan(500_000);
    expect(
      folded(
        `a0 = Path("/a")\n${lines(30, (at) => `a${at + 1} = a${at}.joinpath(str(a${at})[1:], "b" * 9000)`)}\nprint(a30)\n`,
      ),
    ).toBeNull();
    expect(folded(`a = "b" * 9000\nc = [${'a, '.repeat(200)}]\nprint(a.join(c))\n`)).toBeNull();
    expect(folded(`a = "b" * 9000\nprint(f"${'{a}'.repeat(50_000)}")\n`)).toBeNull();
    expect(folded(`a = range(200)\nprint(zip(${'a, '.repeat(50_000)}))\n`)).toBeNull();
  });

  it('functions of Python that each call the one before twice', () => {
    const text = `def f0(x):\n    return x + x\n${lines(30, (at) => `def f${at + 1}(x):\n    return f${at}(x) + f${at}(x)`)}\n${lines(1_000, () => 'print(f30(1))')}\n`;
    const module = readPython(text, grammars);
    const started = performance.now();
    for (const call of module.calls) for (const argument of call.arguments) module.foldAll(argument);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('functions of Python that are called everywhere with what they were given', () => {
    const text = `${lines(8, (at) => `def f${at}(x):\n${lines(60, () => `    f${at + 1}(x)`)}`)}\n${lines(60, () => 'f0(1)')}\n`;
    const module = readPython(text, grammars);
    const started = performance.now();
    for (const call of module.calls) for (const argument of call.arguments) module.foldAll(argument);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('mappings of YAML that each take in the one before', () => {
    const text = `a0: &a0 { k: 1 }\n${lines(1_000, (at) => `a${at + 1}: &a${at + 1}\n  <<: *a${at}\n  k${at}: 1`)}\n`;
    const started = performance.now();
    const yaml = readYaml(text);
    expect(yaml.ok ? [] : yaml.errors.map(({ code }) => code)).toEqual(['TOO_LARGE']);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('edits by sed', () => {
    const substitution = {
      pattern: '.',
      replacement: 'b'.repeat(100_000),
      global: true,
      ignoreCase: false,
      extended: false,
    };
    const word = readShell('a', grammars).commands[0]?.programWord;
    expect(applySubstitution('a'.repeat(100_000), { ...substitution, word: word! })).toBeNull();
    expect(applySubstitution('a'.repeat(50), { ...substitution, word: word! })?.matched).toBe(true);
  });
});
