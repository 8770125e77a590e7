import type { SyntaxNode } from '../syntax-tree';
import type { Callers } from './candidates';
import { argumentFor } from './arguments';
import type { Environment } from './fold';
import { noEnvironment } from './fold';
import type { Block, Call, PythonFunction } from './module';
import { lookUp } from './names';
import { eachNode } from './nodes';
import type { Value } from './value';

/** One way to come to an expression in a helper: with the values that a chain of calls gives to its parameters. */
export interface CallSite {
  readonly environment: Environment;
  /** The outermost call of the chain; null when the expression depends on no parameter. */
  readonly call: Call | null;
  /** What that call passes on. */
  readonly argument: SyntaxNode | null;
}

const maxSites = 100;
const maxDepth = 3;
const alone: readonly CallSite[] = [{ environment: noEnvironment, call: null, argument: null }];

/** The call sites that decide what `expression`, which stands in `block`, is; one without values where none do. */
export function callSites(
  callers: Callers,
  expression: SyntaxNode,
  block: Block,
  isTest: (candidate: PythonFunction) => boolean,
  depth = 0,
): readonly CallSite[] {
  const owner = block.function;
  if (owner === null || depth >= maxDepth || isTest(owner)) return alone;
  const names = parametersIn(callers, expression, owner);
  if (names.size === 0) return alone;
  const calls = callers.callsOf(owner);
  if (calls.length === 0) return alone;
  const sites: CallSite[] = [];
  for (const call of calls) {
    const first = [...names].map((name) => argumentFor(owner, call, name)).find((node) => node !== null) ?? null;
    const place = first ?? call.node;
    for (const outer of callSites(callers, place, call.block, isTest, depth + 1)) {
      if (sites.length >= maxSites) return sites;
      sites.push({
        environment: given(callers, owner, call, outer.environment),
        call: outer.call ?? call,
        argument: outer.argument ?? first,
      });
    }
  }
  return sites;
}

/** The parameters of a function that an expression in it depends on. */
function parametersIn(callers: Callers, expression: SyntaxNode, owner: PythonFunction): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const follow = (node: SyntaxNode): void => {
    eachNode(node, (inner) => {
      if (inner.type !== 'identifier' || inner.field === 'attribute' || inner.field === 'name') return undefined;
      const name = callers.folder.text.slice(inner.start, inner.end);
      if (seen.has(name) || seen.size > 50) return undefined;
      seen.add(name);
      for (const binding of lookUp(name, callers.folder.blockOf(inner))) {
        if (binding.block.function !== owner) continue;
        if (binding.kind === 'parameter') names.add(name);
        else if (binding.value !== null && (binding.kind === 'assign' || binding.kind === 'element'))
          follow(binding.value);
      }
      return undefined;
    });
  };
  follow(expression);
  if (owner.class !== null) names.delete(owner.parameters[0]?.name ?? '');
  return names;
}

function given(callers: Callers, owner: PythonFunction, call: Call, outer: Environment): Environment {
  const environment = new Map<SyntaxNode, Value>();
  const bound = owner.class === null ? 0 : 1;
  for (const [at, parameter] of owner.parameters.entries()) {
    if (parameter.kind === 'args') {
      if (!call.spread)
        environment.set(parameter.node, {
          kind: 'tuple',
          items: call.arguments.slice(at - bound).map((node) => callers.folder.fold(node, outer, 0)),
        });
      continue;
    }
    const node = argumentFor(owner, call, parameter.name);
    const value =
      node === null ? null : callers.folder.fold(node, node === parameter.default ? noEnvironment : outer, 0);
    if (value !== null) environment.set(parameter.node, value);
  }
  return environment;
}
