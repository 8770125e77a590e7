import type { Grammars, SyntaxNode } from '../syntax-tree';
import { callSites } from './call-sites';
import type { Callers } from './candidates';
import { foldAll } from './candidates';
import { checksOf } from './checks';
import type { CollectOptions } from './collect';
import { defaultCollection, fixturesOf, testFunctions } from './collect';
import { commandUses } from './commands';
import { fileUses } from './file-uses';
import type { Folder } from './fold';
import { createFolder, noEnvironment } from './fold';
import { createGuards } from './guards';
import type { Block, Call, PythonFunction, PythonModule, SyntaxProblem } from './module';
import { clocksOf, randomsOf, sleepsOf } from './moments';
import { blockAround, lookUp, qualify } from './names';
import { networkUses } from './network';
import type { Walked } from './walk';
import { walk } from './walk';

export interface ReadOptions extends Partial<CollectOptions> {
  /** Base name of the file. */
  readonly file?: string;
}

/** Reads any text as Python. Never throws; see `PythonModule`. */
export function readPython(text: string, grammars: Grammars, options: ReadOptions = {}): PythonModule {
  const root = grammars.python(text);
  const walked = walk(text, root);
  return moduleOf(text, root, walked, options.file ?? 'module.py', { ...defaultCollection, ...options });
}

function moduleOf(text: string, root: SyntaxNode, walked: Walked, file: string, options: CollectOptions): PythonModule {
  const { blocks, imports, functions, classes, calls, callAt, importedAs } = walked;
  const blockOf = (node: SyntaxNode): Block => blockAround(blocks, node.start, node.end);
  const functionAt = lazily(() => new Map(functions.map((one) => [one.nameNode, one])));
  const functionOf = (call: Call): PythonFunction | null => {
    const { receiver, name } = call;
    const scope = receiver === null ? null : ownerOf(call);
    if (receiver !== null && scope === null) return null;
    const found = scope === null ? lookUp(name, call.block) : (scope.names?.get(name) ?? []);
    const binding = found.findLast(({ kind }) => kind === 'function');
    return binding === undefined ? null : (functionAt().get(binding.node) ?? null);
  };
  /** The body of the class whose method a call calls: `self.load()`, `Loader.load()`. */
  const ownerOf = ({ receiver, block }: Call): Block | null => {
    if (receiver?.type !== 'identifier') return null;
    const name = text.slice(receiver.start, receiver.end);
    if (name === 'self' || name === 'cls') return block.class?.body ?? null;
    return classes.find((one) => one.name === name)?.body ?? null;
  };
  const folder: Folder = createFolder({
    text,
    file,
    classes,
    blockOf,
    callAt: (node) => callAt.get(node) ?? null,
    functionOf,
  });
  const tests = lazily(() => testFunctions(functions, classes, options));
  const fixtures = lazily(() => fixturesOf(functions, (node) => text.slice(node.start, node.end)));
  const testSet = lazily(() => new Set(tests().map((one) => one.function)));
  const callsByFunction = lazily(() => {
    const found = new Map<PythonFunction, Call[]>();
    for (const call of calls) {
      const called = functionOf(call);
      if (called === null) continue;
      const known = found.get(called);
      if (known === undefined) found.set(called, [call]);
      else known.push(call);
    }
    return found;
  });
  const callers: Callers = {
    folder,
    functions,
    fixtureOf: (name) => fixtures().find((one) => one.name === name) ?? null,
    callsOf: (called) => callsByFunction().get(called) ?? [],
  };
  const sitesOf = (expression: SyntaxNode, block: Block): ReturnType<typeof callSites> =>
    callSites(callers, expression, block, (candidate) => testSet().has(candidate));
  const checks = lazily(() => checksOf(folder, walked.asserts, walked.raises, calls));
  const failing = lazily(() => new Set(checks().map(({ block }) => block)));
  const guards = lazily(() =>
    createGuards(folder, blocks, walked.conditionals, calls, (block) => {
      for (const one of failing())
        for (let at: Block | null = one; at !== null; at = at.parent) if (at === block) return true;
      return false;
    }),
  );
  const files = lazily(() =>
    fileUses({ folder, calls, guards: guards(), sitesOf, valuesOf: (expression) => foldAll(callers, expression) }),
  );
  const commands = lazily(() => commandUses(folder, calls, sitesOf));
  const requests = lazily(() => networkUses(folder, calls, sitesOf));
  const sleeps = lazily(() => sleepsOf(folder, calls));
  const clocks = lazily(() => clocksOf(calls));
  const randoms = lazily(() => randomsOf(calls));
  const problem = lazily(() => firstProblem(root));
  const searchPaths = lazily(() =>
    calls
      .filter(({ callee }) => callee === 'sys.path.insert' || callee === 'sys.path.append')
      .flatMap(({ arguments: given }) => {
        const node = given.at(-1);
        return node === undefined ? [] : [{ node, value: folder.fold(node, noEnvironment, 0) }];
      }),
  );

  return {
    text,
    file,
    root,
    get syntaxError() {
      return problem();
    },
    blocks,
    imports,
    functions,
    classes,
    calls,
    asserts: walked.asserts,
    raises: walked.raises,
    strings: walked.strings,
    keys: walked.keys,
    comparisons: walked.comparisons,
    get tests() {
      return tests();
    },
    get fixtures() {
      return fixtures();
    },
    get checks() {
      return checks();
    },
    get files() {
      return files();
    },
    get commands() {
      return commands();
    },
    get requests() {
      return requests();
    },
    get sleeps() {
      return sleeps();
    },
    get clocks() {
      return clocks();
    },
    get randoms() {
      return randoms();
    },
    get searchPaths() {
      return searchPaths();
    },
    source: (node) => text.slice(node.start, node.end),
    blockOf,
    fold: (expression) => folder.fold(expression, noEnvironment, 0),
    foldAll: (expression) => foldAll(callers, expression),
    bindings: (name, from) => lookUp(name, blockOf(from)),
    callAt: (node) => callAt.get(node) ?? null,
    functionOf,
    functionNamed(name) {
      const binding = lookUp(text.slice(name.start, name.end), blockOf(name)).findLast(
        ({ kind }) => kind === 'function',
      );
      return binding === undefined ? null : (functionAt().get(binding.node) ?? null);
    },
    qualifiedName: (expression) => qualify(expression, blockOf(expression), text, importedAs),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The first node that the parser put in or could not place. */
function firstProblem(root: SyntaxNode): SyntaxProblem | null {
  let found: SyntaxProblem | null = null;
  const look = (node: SyntaxNode): boolean => {
    if (node.missing) found = { start: node.start, end: node.end, missing: node.type };
    else if (node.type === 'ERROR') found = { start: node.start, end: node.end, missing: null };
    return found !== null || node.children.some(look);
  };
  look(root);
  return found;
}
