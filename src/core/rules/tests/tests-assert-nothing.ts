import { canFail, isLibrary, isWithin } from '../../text/python/checks';
import type { Call, PythonFunction, PythonModule, TestFunction } from '../../text/python/module';
import type { Rule } from '../rule';
import type { TestModule } from './test-modules';
import { claimIn, soundModules } from './test-modules';

export const testsAssertNothing: Rule = {
  id: 'tests-assert-nothing',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A test fails only when something in it raises. This one has nothing that would, so it passes for every answer.',
  docs: {
    finds:
      'A collected test without an assertion, a `raise`, or a helper that has one. Where it only reads or parses something that may not be there, that is information.',
    silent:
      'Tests that use `pytest.raises`, a checked subprocess, a fixture that is not known or that checks at its end, a helper of a file that cannot be seen.',
    bad: 'def test_no_gaps():\n    gaps = find_gaps(rows)',
    good: 'def test_no_gaps():\n    assert find_gaps(rows) == []',
  },
  *check(subject) {
    const modules = soundModules(subject);
    const isKnownFixture = fixtureNames(modules);
    for (const test of modules)
      for (const one of test.tests) {
        const strength = strengthOf(test, one, isKnownFixture, modules);
        if (strength === 'checks') continue;
        const { name, nameNode, returns } = one.function;
        yield* claimIn(subject, test, nameNode, {
          ...(strength === 'weak' && { severity: 'information' as const }),
          message:
            strength === 'weak'
              ? `${name} asserts nothing: it fails only if something it calls happens to raise.`
              : returns.length > 0
                ? `${name} returns its result, which pytest ignores, and asserts nothing, so it passes for every answer.`
                : `${name} asserts nothing and nothing in it can fail, so it passes for every answer.`,
        });
      }
  },
};

/** What pytest brings along; none of them fails a test by itself. */
const builtinFixtures = new Set(
  'self cls tmp_path tmp_path_factory tmpdir tmpdir_factory monkeypatch capsys capfd capsysbinary capfdbinary caplog request recwarn record_property cache'.split(
    ' ',
  ),
);

function fixtureNames(modules: readonly TestModule[]): (name: string) => boolean {
  const known = new Set(modules.flatMap(({ module }) => module.fixtures.map(({ name }) => name)));
  return (name) => builtinFixtures.has(name) || known.has(name);
}

function strengthOf(
  test: TestModule,
  one: TestFunction,
  isKnownFixture: (name: string) => boolean,
  modules: readonly TestModule[],
): 'checks' | 'weak' | 'nothing' {
  const { module, resolve } = test;
  const { function: called, marks } = one;
  if (called.yields || marks.some(({ name }) => /skip|xfail|expectedFailure/u.test(name))) return 'checks';
  if (called.decorators.some(({ name }) => !/(?:^|\.)(?:mark\.\w+|staticmethod|classmethod)$/u.test(name)))
    return 'checks';
  // A class between this one and the test framework may check for all of its tests.
  if (called.class?.bases.some((base) => !/(?:^|\.)(?:TestCase|IsolatedAsyncioTestCase|object)$/u.test(base)) === true)
    return 'checks';
  if (canFail(module, called, resolve) !== 'no' || isDoctest(module, called)) return 'checks';
  const parametrised = new Set(one.parametrize.flatMap((call) => namesOf(module, call)));
  const asked = called.parameters.map(({ name }) => name).filter((name) => !parametrised.has(name));
  if (!asked.every(isKnownFixture)) return 'checks';
  const hooks = [...around(called, module), ...modules.flatMap((other) => applied(other, asked, other === test))];
  if (hooks.some(([where, hook]) => canFail(where.module, hook, where.resolve) !== 'no')) return 'checks';
  const calls = module.calls.filter((call) => isWithin(call.block.function, called));
  const imports = module.imports.some(
    ({ block, module: name }) => isWithin(block.function, called) && !isLibrary(name),
  );
  return imports || touches(called) || calls.some((call) => mayRaise(module, call)) ? 'weak' : 'nothing';

  function* around(owner: PythonFunction, from: PythonModule): Generator<[TestModule, PythonFunction]> {
    for (const hook of from.functions)
      if (hook.class === owner.class && /^(?:setup|teardown|setUp|tearDown)/u.test(hook.name)) yield [test, hook];
  }
}

function isDoctest(module: PythonModule, { body }: PythonFunction): boolean {
  const first = body.statements[0];
  return first !== undefined && /\bdoctest\b|^\s*>>> /mu.test(module.source(first).slice(0, 2_000));
}

/** `thing.attribute` alone, or a class: nothing is called, and yet it may raise. */
function touches({ body }: PythonFunction): boolean {
  return body.statements.some((statement) => {
    if (/^(?:class_definition|decorated_definition|delete_statement)$/u.test(statement.type)) return true;
    const only = statement.type === 'expression_statement' ? statement.children[0] : undefined;
    return only !== undefined && /^(?:identifier|attribute|subscript|binary_operator)$/u.test(only.type);
  });
}

function namesOf(module: PythonModule, call: Call): readonly string[] {
  const [names] = call.arguments;
  const value = names === undefined ? null : module.fold(names);
  if (value?.kind === 'text') return value.text.split(',').map((name) => name.trim());
  return value?.kind === 'tuple' || value?.kind === 'list'
    ? value.items.flatMap((item) => (item?.kind === 'text' ? [item.text] : []))
    : [];
}

/** The fixtures of a file that a test uses: by name, or since they are used by all. */
function applied(where: TestModule, asked: readonly string[], own: boolean): readonly [TestModule, PythonFunction][] {
  return where.module.fixtures
    .filter(({ name, autouse }) => asked.includes(name) || (autouse && (own || where.file.endsWith('conftest.py'))))
    .map((fixture) => [where, fixture.function]);
}

const harmless = new Set(
  (
    'print len str repr list tuple set frozenset dict sorted range enumerate zip map filter isinstance issubclass hasattr sum any all min max ' +
    'abs round bool type id super reversed time.sleep time.time time.monotonic time.perf_counter subprocess.run subprocess.call os.system ' +
    'os.path.exists os.path.isfile os.path.isdir os.path.join re.search re.match re.findall re.fullmatch re.sub re.compile logging.info ' +
    'logging.warning logging.debug os.environ.get os.getenv pathlib.Path Path os.path.dirname os.path.basename'
  ).split(' '),
);
const harmlessMethods = new Set(
  (
    'append extend add update strip lstrip rstrip split rsplit splitlines join lower upper startswith endswith replace format get items keys values ' +
    'exists is_file is_dir info debug warning error count find rfind sort copy encode title zfill isdigit group groups resolve write_text mkdir'
  ).split(' '),
);

/** Whether a call may raise when the agent's work is wrong or missing: anything but what is known to be harmless. */
function mayRaise(module: PythonModule, call: Call, depth = 0): boolean {
  if (call.callee !== null && harmless.has(call.callee)) return false;
  const own = module.functionOf(call);
  if (own === null) return !(call.receiver !== null && harmlessMethods.has(call.name));
  return depth > 4 || module.calls.some((inner) => inner.block.function === own && mayRaise(module, inner, depth + 1));
}
