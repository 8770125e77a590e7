import type { SyntaxNode } from '../text/syntax-tree';
import type { Block, PythonModule } from '../text/python/module';
import type { FilePath } from '../text/python/value';
import type { ShellScript } from '../text/shell/script';
import { absolutePath, folderOf } from './container-path';
import type { Contact, Expectations, PathRole, PathUse, ReachedFile } from './expectations';
import type { Visit } from './shell-walk';
import { pathOf, walkShell } from './shell-walk';
import { startedBy } from './started-program';

/** A use before it is known what the path is to the agent. */
export type RawUse = Omit<PathUse, 'role'>;

/** The uses of paths in one file that the verifier reaches. */
export function usesIn(reached: ReachedFile): readonly RawUse[] {
  if (reached.shell !== null) return shellUses(reached.shell, reached);
  if (reached.python !== null && reached.via !== 'read') return pythonUses(reached.python, reached);
  return [];
}

/** Where a path of a Python file leads when the file lies at `at` and runs in `folder`. */
export function placeOf(path: FilePath, at: string, folder: string | null): string | null {
  return absolutePath(path.text, path.from === 'module' ? folderOf(at) : folder);
}

/** The folder that relative paths of a Python file start from, which it may change itself. */
export function folderIn(module: PythonModule, reached: ReachedFile): string | null {
  const changes = module.calls.filter(({ callee }) => callee === 'os.chdir' || callee === 'monkeypatch.chdir');
  if (changes.length === 0) return reached.folder;
  const [only, ...more] = changes;
  const target = only?.arguments[0];
  const value = target === undefined || more.length > 0 ? null : module.fold(target);
  if (value?.kind !== 'text') return null;
  return absolutePath(value.text, value.inModuleFolder ? folderOf(reached.at) : reached.folder);
}

/** The test that a block belongs to; null for the module's own level, fixtures and helpers. */
export function testOf(module: PythonModule, block: Block): string | null {
  for (let at: Block | null = block; at !== null; at = at.parent) {
    const { function: around } = at;
    if (around !== null && module.tests.some((test) => test.function === around)) return around.path;
  }
  return null;
}

function pythonUses(module: PythonModule, reached: ReachedFile): RawUse[] {
  const folder = folderIn(module, reached);
  const { file } = reached;
  const uses: RawUse[] = [];
  const add = (
    path: string | null,
    node: SyntaxNode,
    block: Block,
    rest: Pick<RawUse, 'action' | 'guarded' | 'pattern'>,
  ): void => {
    if (path !== null) {
      uses.push({ file, start: node.start, end: node.end, path, ...rest, test: testOf(module, block) });
    }
  };
  for (const use of module.files) {
    if (use.path === null) continue;
    const { action, guarded, pattern } = use;
    add(placeOf(use.path, reached.at, folder), use.literal ?? use.pathNode, use.block, { action, guarded, pattern });
  }
  for (const { argv, shell, cwd, commandNode, block } of module.commands) {
    const from = cwd === null ? folder : placeOf(cwd, reached.at, folder);
    const words = argv ?? (shell === null ? [] : pathsInText(shell));
    const started = argv === null ? null : scriptOf(argv, from);
    words.forEach((word, index) => {
      if (word === null || !looksLikePath(word)) return;
      const path = absolutePath(word.replace(/^--?[\w-]+=/u, ''), from);
      const isRun = argv !== null && (index === 0 || path === started);
      add(path, commandNode, block, { action: isRun ? 'run' : 'argument', guarded: false, pattern: null });
    });
  }
  return uses;
}

/** The script that an interpreter is given. */
function scriptOf(words: readonly (string | null)[], folder: string | null): string | null {
  const started = startedBy(words[0] === null ? ['python3', ...words.slice(1)] : words, folder);
  return started === null || started.kind === 'pytest' || started.kind === 'unittest' ? null : started.path;
}

function looksLikePath(word: string): boolean {
  if (word.length > 300 || /[\s*?$]/u.test(word) || word.includes('://')) return false;
  return (
    word.startsWith('/') || word.startsWith('./') || /^[\w.-]+\/[\w./-]+$/u.test(word) || /^--?[\w-]+=\//u.test(word)
  );
}

/** The words of a text of shell that look like absolute paths. */
export function pathsInText(text: string): string[] {
  return text.split(/[\s;|&<>()'"`=,]+/u).filter((word) => /^\/[\w./-]+$/u.test(word) && word.length < 300);
}

const readers = new Set(
  (
    'cat head tail less more grep egrep fgrep rg awk gawk sed jq yq wc sort uniq cut tr diff cmp comm md5sum sha1sum ' +
    'sha256sum sha512sum b2sum cksum xxd od hexdump base64 zcat gunzip gzip tar unzip file stat strings nl tac join paste'
  ).split(' '),
);
const probes = new Set(['[', '[[', 'test']);

function shellUses(script: ShellScript, { file, folder: start, via }: ReachedFile): RawUse[] {
  const uses: RawUse[] = [];
  const visit = ({ command, folder }: Visit): void => {
    const { program, args, context } = command;
    const add = (path: string | null, place: { start: number; end: number }, action: RawUse['action']): void => {
      if (path === null) return;
      // What runs only after something else went well, or whose failure is caught, need not be there.
      const isCaught = context.leftOf === '||' && action !== 'run';
      const guarded = context.rightOf !== null || context.conditional || isCaught;
      uses.push({ file, start: place.start, end: place.end, path, action, pattern: null, guarded, test: null });
    };
    for (const write of command.writes) {
      const path = write.file === null ? null : absolutePath(write.file, folder);
      if (!write.stderrOnly || path !== '/dev/null') add(path, write.path, 'write');
    }
    for (const { operator, target } of command.redirects) {
      if (operator === '<') add(pathOf(target, folder), target, 'read');
    }
    if (program === null) return;
    const { programWord } = command;
    if (programWord?.value?.includes('/') === true) add(pathOf(programWord, folder), programWord, 'run');
    const written = new Set(command.writes.map(({ path }) => path.start));
    const started = scriptOf([programWord?.value ?? program, ...args.map(({ value }) => value)], folder);
    for (const word of args) {
      if (written.has(word.start) || word.pattern) continue;
      const value = word.value ?? '';
      const path = pathOf(word, folder);
      const action = path !== null && path === started ? 'run' : actionOf(program);
      // A name without a slash may be anything but a file: only readers and probes take nothing else.
      if (!value.includes('/') && action !== 'read' && action !== 'probe' && action !== 'run') continue;
      if (!value.includes('/') && !/\.\w{1,8}$/u.test(value)) continue;
      if (/^[\w./~-]+$/u.test(value)) add(path, word, action);
    }
  };
  walkShell(script, start, visit, { isSourced: via === 'source' });
  return uses;
}

function actionOf(program: string): RawUse['action'] {
  if (probes.has(program)) return 'probe';
  if (readers.has(program) || program === 'cp' || program === 'mv' || program === 'install') return 'read';
  if (program === 'mkdir') return 'make';
  if (program === 'rm' || program === 'rmdir' || program === 'unlink') return 'delete';
  if (program === 'ls' || program === 'find') return 'list';
  return 'argument';
}

/** What the requests of a file go to. */
export function contactsIn(reached: ReachedFile): readonly Contact[] {
  const { file, python, shell } = reached;
  const contacts: Contact[] = [];
  for (const { url, host, port, targetNode, node } of python?.requests ?? []) {
    const place = targetNode ?? node;
    contacts.push({ file, start: place.start, end: place.end, host, port, route: url === null ? null : routeOf(url) });
  }
  for (const { program, args } of shell?.commands ?? []) {
    if (program !== 'curl' && program !== 'wget' && program !== 'http') continue;
    for (const word of args) {
      const found = /^(?:https?:\/\/)?([\w.-]+):(\d{1,5})(?:\/|$)/u.exec(word.value ?? '');
      if (found?.[1] === undefined || word.value === null) continue;
      contacts.push({
        file,
        start: word.start,
        end: word.end,
        host: found[1],
        port: Number(found[2]),
        route: routeOf(word.value),
      });
    }
  }
  return contacts;
}

function routeOf(url: string): string | null {
  const found = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*(\/[^?#]*)/u.exec(url);
  return found?.[1] ?? null;
}

/** What a path is to the agent; `unknown` for one that is not used. */
export function roleAt({ uses }: Expectations, path: string): PathRole {
  return uses.find((use) => use.path === path)?.role ?? 'unknown';
}
