import type { SyntaxNode } from '../syntax-tree';
import type { Folder } from './fold';
import { noEnvironment } from './fold';
import type {
  AssertStatement,
  Block,
  Call,
  Check,
  CheckKind,
  PythonFunction,
  PythonModule,
  RaiseStatement,
} from './module';
import { bare, dottedName } from './nodes';

/** What makes a test fail by itself, in the order of the text. */
export function checksOf(
  folder: Folder,
  asserts: readonly AssertStatement[],
  raises: readonly RaiseStatement[],
  calls: readonly Call[],
): readonly Check[] {
  const checks: Check[] = [];
  for (const { node, block } of asserts) checks.push({ kind: 'assert', node, block });
  for (const { node, block, exception } of raises)
    if (!isSkip(folder, exception)) checks.push({ kind: 'raise', node, block });
  for (const call of calls) {
    const kind = checkKind(folder, call);
    if (kind !== null) checks.push({ kind, node: call.node, block: call.block });
  }
  return checks.sort((one, other) => one.node.start - other.node.start);
}

function isSkip(folder: Folder, exception: SyntaxNode | null): boolean {
  if (exception === null) return false;
  const raised = folder.callAt(bare(exception))?.node.children[0] ?? bare(exception);
  return /(?:^|\.)(?:SkipTest|Skipped|skip\.Exception)$/u.test(dottedName(raised, folder.text) ?? '');
}

function checkKind(folder: Folder, call: Call): CheckKind | null {
  const { callee, name, receiver } = call;
  if (callee !== null) {
    if (/^pytest\.(?:raises|warns|deprecated_call)$/u.test(callee)) return 'raises';
    if (callee === 'pytest.fail' || callee === 'pytest.exit') return 'fail';
    if (/^(?:sys\.exit|exit|quit|os\._exit)$/u.test(callee)) return exits(folder, call) ? 'exit' : null;
    if (/(?:^|\.)testing\.assert_\w+$/u.test(callee) || /(?:^|\.)(?:assert_that|assertpy\.\w+)$/u.test(callee))
      return 'library';
    if (callee === 'subprocess.check_call' || callee === 'subprocess.check_output') return 'status';
  }
  if (call.keywords.get('check')?.type === 'true' && callee?.startsWith('subprocess.') === true) return 'status';
  if (receiver === null) return null;
  if (name === 'raise_for_status') return 'status';
  if (/^assert(?:Raises|Warns|Logs|RaisesRegex|WarnsRegex)$/u.test(name)) return 'raises';
  if (name === 'fail' && folder.text.slice(receiver.start, receiver.end) === 'self') return 'fail';
  if (/^assert(?:[A-Z]|_)/u.test(name)) return 'method';
  // `expect(page).to_have_title(…)`
  return /^(?:not_)?to_(?:be|have|contain|match|equal)/u.test(name) && folder.callAt(bare(receiver))?.name === 'expect'
    ? 'library'
    : null;
}

function exits(folder: Folder, call: Call): boolean {
  const [code] = call.arguments;
  if (code === undefined) return false;
  const value = folder.fold(code, noEnvironment, 0);
  if (value?.kind === 'number') return value.value !== 0;
  return value?.kind !== 'none' && !(value?.kind === 'boolean' && !value.value);
}

/** Finds the file that an import names, among those of the same folder; null when it is none of them. */
export type ResolveModule = (module: string) => PythonModule | null;

export const noModules: ResolveModule = () => null;

/**
 * Whether anything that a function does can make a test fail: `yes`; `perhaps` when it calls what cannot be seen into,
 * such as a helper of an unknown file; else `no`. What may raise by chance is for `mayRaise`.
 */
export function canFail(
  module: PythonModule,
  called: PythonFunction,
  resolve: ResolveModule,
  seen = new Set<PythonFunction>(),
): 'yes' | 'perhaps' | 'no' {
  if (seen.has(called)) return 'no';
  seen.add(called);
  if (seen.size > 400) return 'perhaps';
  const { checks, calls } = bodyOf(module, called);
  if (checks > 0) return 'yes';
  let answer: 'perhaps' | 'no' = 'no';
  const consider = (other: 'yes' | 'perhaps' | 'no'): boolean => {
    if (other === 'perhaps') answer = 'perhaps';
    return other === 'yes';
  };
  for (const call of calls) {
    if (consider(callCanFail(module, call, resolve, seen))) return 'yes';
    // `wait_until(check_ready)` calls what it is given.
    for (const argument of call.arguments) {
      const given = argument.type === 'identifier' ? module.functionNamed(argument) : null;
      if (given !== null && consider(canFail(module, given, resolve, seen))) return 'yes';
    }
  }
  // A fixture may check when the test has ended.
  for (const { name } of called.parameters) {
    const fixture = module.fixtures.find((candidate) => candidate.name === name);
    if (fixture !== undefined && consider(canFail(module, fixture.function, resolve, seen))) return 'yes';
  }
  return answer;
}

interface Body {
  checks: number;
  readonly calls: Call[];
}

const bodies = new WeakMap<PythonModule, Map<PythonFunction, Body>>();

/** What stands in a function, nested functions included. */
function bodyOf(module: PythonModule, called: PythonFunction): Body {
  let known = bodies.get(module);
  if (known === undefined) {
    known = new Map<PythonFunction, Body>(module.functions.map((one) => [one, { checks: 0, calls: [] }]));
    for (const { block } of module.checks)
      for (const around of functionsAround(block)) (known.get(around) ?? empty()).checks++;
    for (const call of module.calls)
      for (const around of functionsAround(call.block)) known.get(around)?.calls.push(call);
    bodies.set(module, known);
  }
  return known.get(called) ?? empty();
}

const empty = (): Body => ({ checks: 0, calls: [] });

/** The functions that a block lies in, from the inside out; no more than a program has. */
function functionsAround(block: Block): readonly PythonFunction[] {
  const found: PythonFunction[] = [];
  for (let at = block.function; at !== null && found.length < 50; at = at.parent.function) found.push(at);
  return found;
}

/** The same of one call: of a helper of the file, of a module beside it, or of what cannot be seen into. */
export function callCanFail(
  module: PythonModule,
  call: Call,
  resolve: ResolveModule,
  seen = new Set<PythonFunction>(),
): 'yes' | 'perhaps' | 'no' {
  const own = module.functionOf(call);
  if (own !== null) return canFail(module, own, resolve, seen);
  const imported = call.callee === null ? null : importOf(module, call.callee);
  if (imported !== null) {
    const helper = resolve(imported.module);
    const found = helper?.functions.find(({ name, class: owner }) => name === imported.name && owner === null);
    if (helper !== null && found !== undefined) return canFail(helper, found, resolve, seen);
    return helper === null && imported.outside ? 'no' : 'perhaps';
  }
  // A method of an object of unknown make, or a name that nothing binds: only its own name can tell.
  return call.callee === null &&
    /^_?(?:assert|check|verify|expect|ensure|validate|require|must|should)/iu.test(call.name)
    ? 'perhaps'
    : 'no';
}

/** The import that the first name of a call comes from. */
function importOf(
  module: PythonModule,
  callee: string,
): { readonly module: string; readonly name: string; readonly outside: boolean } | null {
  for (const one of module.imports) {
    const whole = one.name === null ? one.module : `${one.module}.${one.name}`;
    if (callee !== whole && !callee.startsWith(`${whole}.`)) continue;
    const name = callee === whole ? (one.name ?? '') : callee.slice(callee.lastIndexOf('.') + 1);
    return { module: one.module, name, outside: isLibrary(one.module) };
  }
  return module.imports.some(({ name }) => name === '*') && !callee.includes('.')
    ? { module: '', name: callee, outside: false }
    : null;
}

const libraries = new Set(
  (
    'abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar codecs collections concurrent configparser contextlib copy csv ' +
    'ctypes dataclasses datetime decimal difflib dis email enum errno faulthandler filecmp fnmatch fractions ftplib functools gc getpass glob ' +
    'gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json linecache locale logging lzma math mimetypes ' +
    'multiprocessing numbers operator os pathlib pickle platform pprint pty queue random re resource runpy secrets select shelve shlex shutil ' +
    'signal smtplib socket sqlite3 ssl stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time ' +
    'timeit tomllib traceback types typing unicodedata unittest urllib uuid venv warnings wave weakref xml zipfile zlib zoneinfo ' +
    'numpy pandas scipy requests httpx yaml toml tomli PIL bs4 lxml psutil polars pyarrow networkx sklearn torch matplotlib cv2 h5py'
  ).split(' '),
);

/** Modules of the standard library, and the well-known ones that check nothing by themselves. */
export function isLibrary(name: string): boolean {
  return libraries.has(name.split('.')[0] ?? name);
}

export function isWithin(inner: PythonFunction | null, outer: PythonFunction): boolean {
  for (let at = inner; at !== null; at = at.parent.function) if (at === outer) return true;
  return false;
}
