import { describe, expect, it } from 'vitest';
import type { PythonModule } from '../../../../src/core/text/python/module';
import type { ReadOptions } from '../../../../src/core/text/python/read';
import { readPython } from '../../../../src/core/text/python/read';
import type { FilePath, Value } from '../../../../src/core/text/python/value';
import { grammars } from '../../grammars';

const read = (text: string, options?: ReadOptions): PythonModule => readPython(text, grammars, options);

function shown(value: Value | null): string {
  if (value === null) return '?';
  switch (value.kind) {
    case 'text':
      return `${value.path ? 'Path' : ''}${value.inModuleFolder ? '~' : ''}'${value.text}'`;
    case 'bytes':
      return `b'${value.text}'`;
    case 'number':
    case 'boolean':
      return String(value.value);
    case 'none':
      return 'None';
    case 'dict':
      return `{${value.entries.map(([key, item]) => `${shown(key)}: ${shown(item)}`).join(', ')}}`;
    case 'list':
    case 'tuple':
    case 'set':
      return `${value.kind}[${value.items.map(shown).join(', ')}]`;
  }
}

const place = (path: FilePath | null): string =>
  path === null ? '?' : path.from === 'module' ? `~${path.text}` : path.text;

/** Folds what `X` is assigned at the end of the text. */
function folded(text: string): string {
  const module = read(text, { file: 'test_x.py' });
  const value = module.blocks[0]?.names?.get('X')?.at(-1)?.value;
  return value ? shown(module.fold(value)) : 'no X';
}

/** Every file use on a line of its own: function, action, path. */
function files(text: string): readonly string[] {
  return read(text).files.map(
    ({ action, path, pattern, guarded, block, how }) =>
      `${block.function?.path ?? '-'} ${action} ${how} ${place(path)}${pattern === null ? '' : ` ${pattern}`}${guarded ? ' guarded' : ''}`,
  );
}

describe('constants', () => {
  it.each([
    ['X = "a" \'b\' r"\\n" "\\n\\x41\\u00e9"', "'ab\\n\nAé'"],
    ['from pathlib import Path\nA = Path("/srv")\nX = A / "out" / "b.json"', "Path'/srv/out/b.json'"],
    ['import pathlib as p\nX = p.Path("/srv", "a").joinpath("b").with_suffix(".c")', "Path'/srv/a/b.c'"],
    ['import os\nX = os.path.join("/srv", "a", "b")', "'/srv/a/b'"],
    ['N = "a"\nX = f"/srv/{N}/x{3}{{}}.json"', "'/srv/a/x3{}.json'"],
    ['X = f"/srv/{name}"', '?'],
    ['X = f"{1:03}"', '?'],
    ['from pathlib import Path\nX = Path(__file__).parent / "data" / "a.csv"', "Path~'data/a.csv'"],
    ['from pathlib import Path\nX = Path(__file__).resolve().parents[1] / "a"', "Path~'../a'"],
    ['import os\nX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "a.json")', "~'a.json'"],
    ['import os\nHERE = os.path.dirname(__file__)\nX = f"{HERE}/a.json"', "~'a.json'"],
    ['import os\nX = os.environ.get("OUT", "/srv/a")', '?'],
    ['X = "a{}".format(1)', '?'],
    ['def f(a="/srv"):\n    return a + "/x"\nX = f()', "'/srv/x'"],
    ['def f(a="/srv"):\n    return a + "/x"\nX = f("/opt")', "'/opt/x'"],
    ['A = "a"\nA = "b"\nX = A', '?'],
    ['A = "a"\nA += "b"\nX = A', '?'],
    ['A = ["a"]\nA.append("b")\nX = A', '?'],
    ['def f():\n    global A\n    A = "b"\nA = "a"\nX = A', '?'],
    ['A, B = "a", "b"\nX = A + B', "'ab'"],
    ['class C:\n    A = "/a"\n    B = A + "/b"\nX = C.B', "'/a/b'"],
    ['D = {"a": "/x", "b": 2}\nX = D["a"]', "'/x'"],
    ['X = [1, -2.5, 1_000, 0x10, True, None, b"q", unknown]', "list[1, -2.5, 1000, 16, true, None, b'q', ?]"],
    ['X = str(3 * 4 + 2 ** 3 - 10 // 3)', "'17'"],
    ['X = "/a" if c else "/a"', "'/a'"],
    ['X = "/a" if c else "/b"', '?'],
    ['X = "a b".split()', "list['a', 'b']"],
    ['X = "🐝\\U0001F41D"', "'🐝🐝'"],
    ['X = """a\r\nb"""', "'a\nb'"],
    ['A = B\nB = A\nX = A', '?'],
  ])('%s', (text, value) => {
    expect(folded(text)).toBe(value);
  });

  it('ends where names double again and again', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `a${at + 1} = a${at} + a${at}`);
    expect(folded(`a0 = "ab"\n${lines.join('\n')}\nX = a60`)).toBe('?');
  });

  it('gives all values of a loop, a parametrised argument and a parameter whose calls are seen', () => {
    const all = (text: string): string => {
      const module = read(text);
      const call = module.calls.find(({ name }) => name === 'use');
      return module.foldAll(call!.arguments[0]!).map(shown).join(' ');
    };
    expect(all('for n in ("a", "b"):\n    use("/srv/" + n)')).toBe("'/srv/a' '/srv/b'");
    expect(all('for n, m in [("a", 1), ("b", 2)]:\n    use(f"{n}{m}")')).toBe("'a1' 'b2'");
    expect(all('for k, v in {"a": "b"}.items():\n    use(k + v)')).toBe("'ab'");
    expect(
      all(
        'import pytest\n@pytest.mark.parametrize("n,m", [("a", "b"), pytest.param("c", "d")])\ndef test_x(n, m):\n    use(n + m)',
      ),
    ).toBe("'ab' 'cd'");
    expect(all('def f(p):\n    use(p)\nf("/a")\nf("/b")')).toBe("'/a' '/b'");
    expect(all('import pytest\n@pytest.fixture\ndef out():\n    return "/a"\ndef test_x(out):\n    use(out)')).toBe(
      "'/a'",
    );
    expect(all('for n in names():\n    use(n)')).toBe('');
    expect(all('def f(p):\n    use(p)\nf("/a")\nf(unknown)')).toBe('');
  });
});

describe('collection', () => {
  const text = `
import pytest, unittest
from pytest import mark
def test_a(): pass
def helper(): pass
def check_b(): pass
async def test_c(): pass
@pytest.fixture(name="thing", autouse=True, params=[1])
def test_like(): pass
class TestD:
    def test_e(self): pass
    def other(self): pass
class TestWithInit:
    def __init__(self): pass
    def test_f(self): pass
class Plain:
    def test_g(self): pass
class Case(unittest.TestCase):
    def test_h(self): pass
class Sub(Case):
    def test_i(self): pass
if True:
    def test_j():
        def test_inner(): pass
@mark.skipif(True, reason="x")
@mark.parametrize("a", [1])
def test_k(a): pass
`;

  it('finds what pytest collects', () => {
    const module = read(text);
    expect(module.tests.map((test) => test.function.path)).toEqual([
      'test_a',
      'test_c',
      'TestD.test_e',
      'Case.test_h',
      'Sub.test_i',
      'test_j',
      'test_k',
    ]);
    expect(module.tests.at(-1)).toMatchObject({ parametrize: [{ name: 'parametrize' }] });
    expect(module.tests.at(-1)?.marks.map(({ name }) => name)).toEqual([
      'pytest.mark.skipif',
      'pytest.mark.parametrize',
    ]);
    expect(module.fixtures.map(({ name, autouse }) => [name, autouse])).toEqual([['thing', true]]);
  });

  it('honours a configuration', () => {
    const found = read(text, { pythonFunctions: ['check_*'], pythonClasses: ['Plain'] }).tests;
    expect(found.map((test) => test.function.path)).toEqual(['check_b', 'Case.test_h', 'Sub.test_i']);
  });
});

describe('files', () => {
  it('tells reads, writes and probes, with their paths', () => {
    expect(
      files(`
import json, os, shutil, sqlite3, glob
import pandas as pd
from pathlib import Path
OUT = Path("/srv/out.json")
def test_a(tmp_path):
    a = json.loads(OUT.read_text())
    with open("/srv/b.csv", encoding="utf-8") as f: pass
    open("/tmp/x", "w").write("1")
    (tmp_path / "q").write_text("")
    os.path.exists("/srv/c"); OUT.is_file(); os.listdir("/srv")
    shutil.copy("/srv/d", "/tmp/d")
    sqlite3.connect("file:/srv/e.db?mode=ro", uri=True)
    pd.read_csv("rel/f.csv")
    glob.glob("/srv/logs/*.log")
    Path("/srv").rglob("*.py")
    session.exists("key")
    OUT.open("wb")
`),
    ).toEqual([
      'test_a read read_text /srv/out.json',
      'test_a read open /srv/b.csv',
      'test_a write open /tmp/x',
      'test_a write write_text ?',
      'test_a probe exists /srv/c',
      'test_a probe is_file /srv/out.json',
      'test_a list listdir /srv',
      'test_a read copy /srv/d',
      'test_a write copy /tmp/d',
      'test_a read connect /srv/e.db',
      'test_a read read_csv rel/f.csv',
      'test_a list glob /srv/logs *.log',
      'test_a list rglob /srv *.py',
      'test_a write open /srv/out.json',
    ]);
  });

  it('follows a path through helpers, to the call that gives it', () => {
    const text = `
import json
def load(path):
    with open(path) as f:
        return json.load(f)
def load_named(name):
    return load(f"/srv/{name}.json")
def test_a():
    assert load("/srv/a.json")["k"] == 1
def test_b():
    assert load_named("b") == {}
`;
    expect(files(text)).toEqual(['test_b read open /srv/b.json', 'test_a read open /srv/a.json']);
    const use = read(text).files.find(({ path }) => path?.text === '/srv/a.json');
    expect(read(text).source(use!.literal!)).toBe('"/srv/a.json"');
  });

  it('knows when the absence of a file is provided for', () => {
    expect(
      files(`
import os
from pathlib import Path
P = Path("/srv/a")
def test_a():
    if P.exists():
        P.read_text()
    if not os.path.exists("/srv/b"):
        return
    open("/srv/b")
    try:
        open("/srv/c")
    except FileNotFoundError:
        pass
    try:
        open("/srv/d")
    except OSError as e:
        raise AssertionError("no") from e
    x = Path("/srv/e").read_text() if Path("/srv/e").is_file() else ""
    open("/srv/f")
`).filter((line) => line.includes(' read ')),
    ).toEqual([
      'test_a read read_text /srv/a guarded',
      'test_a read open /srv/b guarded',
      'test_a read open /srv/c guarded',
      'test_a read open /srv/d',
      'test_a read read_text /srv/e guarded',
      'test_a read open /srv/f',
    ]);
  });
});

describe('commands, network, time and chance', () => {
  it('folds what is run', () => {
    const { commands } = read(`
import subprocess, sys, os
from subprocess import check_output as co
def run(*args, timeout=5):
    return subprocess.run(list(args), timeout=timeout, cwd="/srv")
def sh(cmd):
    return subprocess.run(cmd, shell=True, check=True)
def test_a():
    run("python3", "/srv/a.py")
    sh("ls -l | wc")
    co(["bash", "-c", "echo hi"])
    subprocess.Popen([sys.executable, "-m", "http.server", str(PORT)])
    os.system("sleep 5 &")
    subprocess.run(["a"] + extra, timeout=2)
`);
    expect(
      commands.map(({ how, argv, shell, check, timeout, hasTimeout, cwd, background }) =>
        JSON.stringify([how, argv, shell, check, hasTimeout ? timeout : '-', cwd?.text ?? null, background]),
      ),
    ).toEqual([
      '["run",["python3","/srv/a.py"],null,false,5,"/srv",false]',
      '["run",null,"ls -l | wc",true,"-",null,false]',
      '["check_output",["bash","-c","echo hi"],"echo hi",true,"-",null,false]',
      '["Popen",["python3","-m","http.server",null],null,false,"-",null,true]',
      '["system",null,"sleep 5 &",false,"-",null,true]',
      '["run",["a",null],null,false,2,null,false]',
    ]);
  });

  it('folds whom it talks to', () => {
    const { requests } = read(`
import requests, socket
from urllib.request import urlopen
BASE = "http://localhost:8080"
def get(path): return requests.get(f"{BASE}{path}")
def test_a(item):
    get("/health")
    urlopen("https://api.example.org/x")
    socket.create_connection(("127.0.0.1", 6379))
    requests.request("GET", f"{BASE}/items/{item}")
    with requests.Session() as s:
        s.get(BASE + "/z")
        d.get("key")
`);
    expect(requests.map(({ url, host, port }) => `${url ?? '-'} ${host ?? '-'} ${port ?? '-'}`)).toEqual([
      'http://localhost:8080/health localhost 8080',
      'https://api.example.org/x api.example.org -',
      '- 127.0.0.1 6379',
      'http://localhost:8080/items/ localhost 8080',
      'http://localhost:8080/z localhost 8080',
    ]);
  });

  it('finds sleeps, clocks and random calls', () => {
    const module = read(`
import time, random, datetime as dt, numpy as np, uuid
from datetime import datetime, date
np.random.seed(1)
def test_a():
    time.sleep(2 * 1.5)
    t = time.monotonic(); datetime.now(); date.today(); dt.datetime.utcnow(); time.strftime("%Y")
    random.choice([1]); random.Random(3); random.Random(); np.random.rand(3); uuid.uuid4()
`);
    expect(module.sleeps.map(({ seconds }) => seconds)).toEqual([3]);
    expect(module.clocks.map(({ kind }) => kind)).toEqual(['elapsed', 'date', 'date', 'date', 'date']);
    expect(module.randoms.map(({ source, seeded }) => `${source} ${seeded}`)).toEqual([
      'random false',
      'random true',
      'random false',
      'numpy.random true',
      'uuid false',
    ]);
  });
});

describe('the tree', () => {
  it('gives the first place that does not parse', () => {
    const at = (text: string): string => {
      const problem = read(text).syntaxError;
      return problem === null ? 'sound' : `${problem.start} ${problem.end} ${problem.missing ?? '-'}`;
    };
    expect(at('def f():\n    return 1\n')).toBe('sound');
    expect(at('x = (1,\n')).not.toBe('sound');
    expect(at("headers.get('Enc', ')\n")).not.toBe('sound');
  });

  it('gives comparisons, also of unittest and of chains', () => {
    const module = read(
      'class T:\n    def test(self):\n        assert 1 < x <= y != z\n        self.assertIn("a", b)\n',
    );
    expect(
      module.comparisons.map(
        ({ left, operator, right }) => `${module.source(left)} ${operator} ${module.source(right)}`,
      ),
    ).toEqual(['1 < x', 'x <= y', 'y != z', '"a" in b']);
  });

  it('names the block around each fact', () => {
    const module = read(`
def f():
    for r in rows:
        try:
            if r:
                [a(x) for x in r]
        except ValueError:
            b()
        else:
            c()
        finally:
            d()
`);
    const chain = (name: string): string => {
      const names: string[] = [];
      let block = module.calls.find((call) => call.name === name)?.block ?? null;
      for (; block !== null; block = block.parent) names.push(block.kind);
      return names.join('<');
    };
    expect(chain('a')).toBe('comprehension<if<try<for<function<module');
    expect(chain('b')).toBe('except<for<function<module');
    expect(chain('c')).toBe('else<for<function<module');
    expect(chain('d')).toBe('finally<for<function<module');
  });
});
