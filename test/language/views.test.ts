import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileKind } from '../../src/core/files';
import { applyEdits } from '../../src/core/text/edits';
import { linesOf } from '../../src/core/text/lines';
import { foldTask } from '../../src/language/folding';
import { formatTask } from '../../src/language/formatting';
import { hintsOf } from '../../src/language/inlay-hints';
import { linksIn } from '../../src/language/links';
import { outlineTask, type OutlineItem } from '../../src/language/outline';
import { soundConfig } from '../core/memory-files';
import { mark } from './marked';

describe('the outline', () => {
  const draw = (items: readonly OutlineItem[], depth = 0): string =>
    items
      .map(({ name, detail, children }) =>
        [`${'  '.repeat(depth)}${name}${detail === '' ? '' : ` ${detail}`}`, draw(children, depth + 1)]
          .filter((line) => line !== '')
          .join('\n'),
      )
      .join('\n');

  it('has tables below the one they belong to, and steps by their names', () => {
    const text =
      'source = "x"\n[environment]\ncpus = 1\n[environment.env]\nA.b = "1"\n[[steps]]\nname = "one 😀"\n[steps.agent]\nuser = 1\n[[steps]]\nname = "two"\n';
    expect(draw(outlineTask(text))).toBe(
      [
        'source "x"',
        '[environment]',
        '  cpus 1',
        '  [environment.env]',
        '    A.b "1"',
        '[[steps]] one 😀',
        '  name "one 😀"',
        '  [steps[0].agent]',
        '    user 1',
        '[[steps]] two',
        '  name "two"',
      ].join('\n'),
    );
  });

  it('keeps what an editor asks for: a child within its parent, a selection within its range', () => {
    const check = (text: string): void => {
      const lines = linesOf(text);
      const inside = (items: readonly OutlineItem[], start: number, end: number): void => {
        for (const { range, selection, children, name } of items) {
          const [from, to] = [lines.offset(range.start), lines.offset(range.end)];
          expect(from >= start && to <= end, `${name} in ${text}`).toBe(true);
          expect(lines.offset(selection.start) >= from && lines.offset(selection.end) <= to, name).toBe(true);
          expect(name).not.toBe('');
          inside(children, from, to);
        }
      };
      inside(outlineTask(text), 0, text.length);
    };
    check('[a]\n[b]\n[a.c]\nx = 1\n[a.c.d]\ny = 2\n[[steps]]\n[steps.verifier.env]\nz = """\n\n"""\n');
    const part = fc.constantFrom(
      '[a]',
      '[a.b]',
      '[[s]]',
      '[s.t]',
      'x = 1',
      '= 2',
      'y',
      '"',
      '\n',
      '\n',
      '😀',
      '[',
      '{ a = ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        check(parts.join(''));
      }),
    );
  });
});

describe('folding', () => {
  const folds = (text: string): string =>
    foldTask(text)
      .map(({ startLine, endLine, kind }) => `${kind} ${startLine}-${endLine}`)
      .join(', ');

  it('closes tables, values of several lines and blocks of comments', () => {
    expect(folds('# a\n# b\n\n[x]\ny = 1 # no\nz = [\n  1,\n]\n\n[w]\nv = """\n"""\n')).toBe(
      'table 3-7, value 5-7, table 9-11, value 10-11, comment 0-1',
    );
    expect(folds('[x]\r\ny = 1\r\n\r\n[z]\r\n')).toBe('table 0-1');
  });
});

describe('links', () => {
  const entries = new Map<string, FileKind>([
    ['environment/Dockerfile', 'file'],
    ['environment/data', 'directory'],
    ['environment/data/a.csv', 'file'],
    ['tests/test_outputs.py', 'file'],
    ['steps/one', 'directory'],
    ['steps/one/instruction.md', 'file'],
    ['steps/one/tests/test_outputs.py', 'file'],
  ]);
  const links = (path: string, text: string): string => {
    const found = linksIn(path, text, entries);
    const targets = found.map(({ target }) => (target.kind === 'file' ? target.path : target.url));
    return `${mark(
      text,
      found.map(({ range }) => range),
    )} -> ${targets.join(', ')}`;
  };

  it('lead from task.toml to files that are there and to https addresses', () => {
    expect(links('task.toml', '# 😀 https://a.example/x.\nsource = "https://b.example" # http://no.example')).toBe(
      '# 😀 ⟦https://a.example/x⟧.\nsource = "⟦https://b.example⟧" # http://no.example -> https://b.example, https://a.example/x',
    );
    expect(
      links('task.toml', '[[steps]]\nname = "one"\n[metadata]\nname = "two"\nx = ["environment/data/a.csv", "../x"]'),
    ).toBe(
      '[[steps]]\nname = "⟦one⟧"\n[metadata]\nname = "two"\nx = ["⟦environment/data/a.csv⟧", "../x"] -> steps/one/instruction.md, environment/data/a.csv',
    );
  });

  it('lead from scripts to what is put beside them, of the step before that of the task', () => {
    expect(links('tests/test.sh', 'pytest /tests/test_outputs.py /x/tests/test_outputs.py')).toBe(
      'pytest ⟦/tests/test_outputs.py⟧ /x/tests/test_outputs.py -> tests/test_outputs.py',
    );
    expect(links('steps/one/tests/test.sh', 'pytest /tests/test_outputs.py')).toContain(
      '-> steps/one/tests/test_outputs.py',
    );
  });

  it('lead from COPY to its sources in the build context', () => {
    expect(
      links(
        'environment/Dockerfile',
        'FROM x AS b\nCOPY --chown=a data/a.csv \\\n  nope /app/\nCOPY --from=b data/a.csv /y',
      ),
    ).toBe(
      'FROM x AS b\nCOPY --chown=a ⟦data/a.csv⟧ \\\n  nope /app/\nCOPY --from=b data/a.csv /y -> environment/data/a.csv',
    );
  });

  it('never lead out of the task', () => {
    expect(linksIn('task.toml', 'a = "../../etc/passwd"\nb = "/etc/passwd"\nc = "/tests/../../x"', entries)).toEqual(
      [],
    );
  });
});

describe('inlay hints', () => {
  const hints = (text: string): string => {
    const lines = linesOf(text);
    let result = text;
    for (const { position, text: said } of hintsOf(text).toReversed()) {
      const at = lines.offset(position);
      result = `${result.slice(0, at)}‹${said}›${result.slice(at)}`;
    }
    return result;
  };

  it('say what is in force where nothing is written', () => {
    expect(hints('[agent]\n[verifier]\n[environment]\n')).toBe(
      '[agent]‹no time limit›\n[verifier]‹timeout: 600 s, shared›\n[environment]‹cpus: no limit, memory: no limit, network: public›\n',
    );
    expect(
      hints(
        '[agent]\ntimeout_sec = 900.0\n[verifier]\n[verifier.environment]\ncpus = 1\n[environment]\nnetwork_mode = "no-network"\nmemory = "4G"\n',
      ),
    ).toBe(
      '[agent]‹network: no-network›\ntimeout_sec = 900.0‹15 min›\n[verifier]‹timeout: 600 s, separate›\n[verifier.environment]‹memory: no limit, network: public›\ncpus = 1\n[environment]‹cpus: no limit›\nnetwork_mode = "no-network"\nmemory = "4G"‹4096 MiB›\n',
    );
  });

  it('say what a step takes from the task, and that its verifier takes nothing', () => {
    expect(hints('[agent]\ntimeout_sec = 60\n[[steps]]\nname = "a"\n[steps.verifier]\nuser = "x"\n')).toBe(
      '[agent]\ntimeout_sec = 60\n[[steps]]‹agent: 60 s›\nname = "a"\n[steps.verifier]‹verifier: 600 s›\nuser = "x"\n',
    );
  });

  it('are none where Harbor refuses the file', () => {
    expect(hintsOf('[agent]\nuser = 1.5')).toEqual([]);
    expect(hintsOf('[agent')).toEqual([]);
  });
});

describe('formatting', () => {
  const formatted = (text: string): string => applyEdits(text, formatTask(text))!;

  it('makes white space even, and keeps comments and values', () => {
    expect(
      formatted(
        '\n\nsource="x"   # why  \n# about the agent\n[agent]\n\n\ntimeout_sec   =  9.0\t\n\tuser= "a = b"\n[verifier]\nenv = {A="1"}\n\n\n',
      ),
    ).toBe(
      'source = "x"   # why\n\n# about the agent\n[agent]\n\ntimeout_sec = 9.0\n\tuser = "a = b"\n\n[verifier]\nenv = {A="1"}\n',
    );
  });

  it('ends the last line, with the line ends of the file', () => {
    expect(formatted('[a]\r\nx=1\r\n[b]')).toBe('[a]\r\nx = 1\r\n\r\n[b]\r\n');
    expect(formatted('x = 1')).toBe('x = 1\n');
    expect(formatTask('')).toEqual([]);
  });

  it('leaves strings of several lines as they are', () => {
    const text = 'x = """\n a=b  \n\n\n[c]\n"""\ny = \'\'\'\n  \n\'\'\'\n';
    expect(formatTask(text)).toEqual([]);
  });

  it('leaves a file alone that cannot be read, and one that is fine', () => {
    expect(formatTask('x = = 1\ny=2')).toEqual([]);
    expect(formatTask(soundConfig)).toEqual([]);
  });

  it('is done once it was done, and never changes what a file means', () => {
    const file = join(import.meta.dirname, '../conformance/task-toml.jsonl');
    let changed = 0;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const { toml } = JSON.parse(line) as { toml?: unknown };
      if (typeof toml !== 'string') continue;
      const once = formatted(toml);
      if (once !== toml) changed++;
      expect(formatted(once), toml).toBe(once);
    }
    expect(changed).toBeGreaterThan(5);
    const part = fc.constantFrom(
      'a=1',
      'b  = "x=y" ',
      '[t]',
      '[[u]]',
      '# c ',
      '\n',
      '\n',
      '\n\n\n',
      '\r\n',
      'd = [1,\n 2] ',
      'e = """\n  \n"""',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const once = formatted(parts.join(''));
        expect(formatted(once)).toBe(once);
      }),
    );
  });
});
