import type { SyntaxNode } from '../syntax-tree';
import type { CommandUse } from './commands';
import type { FileUse } from './file-uses';
import type { Binding, Call, ClockRead, NetworkUse, PythonModule, RandomUse } from './module';
import { isLibrary } from './checks';

/** Where the value of an expression comes from, as far as the file shows: everything that takes part in it. */
export interface Origins {
  readonly files: readonly FileUse[];
  readonly commands: readonly CommandUse[];
  readonly requests: readonly NetworkUse[];
  readonly clocks: readonly ClockRead[];
  readonly randoms: readonly RandomUse[];
  /** All calls that take part, in no certain order. */
  readonly calls: readonly Call[];
  /** False when something takes part that cannot be followed: an argument, an import of the task's own, a method. */
  readonly complete: boolean;
}

interface Facts {
  readonly files: ReadonlyMap<SyntaxNode, readonly FileUse[]>;
  readonly commands: ReadonlyMap<SyntaxNode, readonly CommandUse[]>;
  readonly requests: ReadonlyMap<SyntaxNode, readonly NetworkUse[]>;
  readonly clocks: ReadonlyMap<SyntaxNode, readonly ClockRead[]>;
  readonly randoms: ReadonlyMap<SyntaxNode, readonly RandomUse[]>;
}

const kept = new WeakMap<PythonModule, Facts>();
const keptOrigins = new WeakMap<SyntaxNode, Origins>();
const maxNodes = 1_500;

export function originsOf(module: PythonModule, expression: SyntaxNode): Origins {
  const known = keptOrigins.get(expression);
  if (known !== undefined) return known;
  const found = trace(module, expression);
  keptOrigins.set(expression, found);
  return found;
}

function trace(module: PythonModule, expression: SyntaxNode): Origins {
  const facts = factsOf(module);
  const files = new Set<FileUse>();
  const commands = new Set<CommandUse>();
  const requests = new Set<NetworkUse>();
  const clocks = new Set<ClockRead>();
  const randoms = new Set<RandomUse>();
  const calls = new Set<Call>();
  const seen = new Set<SyntaxNode | Binding>();
  const todo: SyntaxNode[] = [expression];
  let complete = true;

  const name = (node: SyntaxNode): void => {
    for (const binding of module.bindings(module.source(node), node)) {
      if (seen.has(binding)) continue;
      seen.add(binding);
      if (binding.kind === 'function' || binding.kind === 'class') continue;
      if (binding.kind === 'import') continue;
      if (binding.value !== null) todo.push(binding.value);
      if (binding.kind !== 'parameter') continue;
      const fixture = module.fixtures.find((one) => one.name === binding.name);
      if (fixture !== undefined) todo.push(...fixture.function.returns);
      const marks = binding.block.function?.decorators.filter((mark) => mark.name.endsWith('mark.parametrize')) ?? [];
      const values = marks.flatMap(({ call }) => call?.arguments[1] ?? []);
      todo.push(...values);
      if (fixture === undefined && values.length === 0) complete = false;
    }
  };
  const call = (node: SyntaxNode): void => {
    const made = module.callAt(node);
    if (made === null) return;
    calls.add(made);
    for (const use of facts.files.get(node) ?? []) files.add(use);
    for (const use of facts.commands.get(node) ?? []) commands.add(use);
    for (const use of facts.requests.get(node) ?? []) requests.add(use);
    for (const use of facts.clocks.get(node) ?? []) clocks.add(use);
    for (const use of facts.randoms.get(node) ?? []) randoms.add(use);
    const own = module.functionOf(made);
    if (own !== null) todo.push(...own.returns);
    else if (made.callee !== null && made.callee.includes('.') && !isLibrary(made.callee)) complete = false;
  };

  while (todo.length > 0) {
    const node = todo.pop();
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    if (seen.size > maxNodes) {
      complete = false;
      break;
    }
    if (node.type === 'identifier') {
      if (node.field !== 'attribute') name(node);
      continue;
    }
    if (node.type === 'call') call(node);
    // The name of a keyword argument is no name of the file.
    for (const child of node.children)
      if ((child.named || child.children.length > 0) && !(node.type === 'keyword_argument' && child.field === 'name'))
        todo.push(child);
  }
  return {
    files: [...files],
    commands: [...commands],
    requests: [...requests],
    clocks: [...clocks],
    randoms: [...randoms],
    calls: [...calls],
    complete,
  };
}

function factsOf(module: PythonModule): Facts {
  const known = kept.get(module);
  if (known !== undefined) return known;
  const facts: Facts = {
    files: byNode(module.files),
    commands: byNode(module.commands),
    requests: byNode(module.requests),
    clocks: byNode(module.clocks),
    randoms: byNode(module.randoms),
  };
  kept.set(module, facts);
  return facts;
}

function byNode<T extends { readonly node: SyntaxNode }>(uses: readonly T[]): ReadonlyMap<SyntaxNode, readonly T[]> {
  const found = new Map<SyntaxNode, T[]>();
  for (const use of uses) {
    const before = found.get(use.node);
    if (before === undefined) found.set(use.node, [use]);
    else before.push(use);
  }
  return found;
}
