import type { SyntaxNode } from '../syntax-tree';
import type { Decorator, Parameter, PythonClass } from './module';
import { childOf, field, firstPart, hasToken, parts } from './nodes';
import type { OpenBlock } from './scopes';
import type { OpenFunction, Visit, Walk } from './walk';

function decorator(walk: Walk, node: SyntaxNode, block: OpenBlock): Decorator {
  const expression = firstPart(node);
  if (expression === null) return { node, name: '', call: null };
  walk.visit(expression, block);
  const call = walk.callAt.get(expression) ?? null;
  const named = call === null ? expression : field(expression, 'function');
  return { node, name: named === null ? '' : walk.nameOf(named, block), call };
}

function parameter(walk: Walk, node: SyntaxNode, block: OpenBlock): Parameter | null {
  const value = field(node, 'value');
  if (value !== null) walk.visit(value, block);
  const named =
    node.type === 'identifier' ? node : (field(node, 'name') ?? childOf(node, 'identifier') ?? firstPart(node));
  if (named === null) return null;
  const inner = named.type === 'identifier' ? named : childOf(named, 'identifier');
  if (inner === null) return null;
  const splat = node.type.includes('splat') ? node.type : named.type;
  const kind = splat.startsWith('dictionary_splat') ? 'kwargs' : splat.startsWith('list_splat') ? 'args' : 'plain';
  return { name: walk.source(inner), node: inner, default: value, kind };
}

function define(walk: Walk, node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void {
  if (node.type === 'class_definition') defineClass(walk, node, decorators, block);
  else defineFunction(walk, node, decorators, block);
}

function defineFunction(walk: Walk, node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void {
  const nameNode = field(node, 'name') ?? node;
  const list = field(node, 'parameters');
  const parameters: Parameter[] = [];
  let byKeyword = false;
  for (const part of list === null ? [] : parts(list)) {
    const made = parameter(walk, part, block);
    if (made !== null) parameters.push(byKeyword && made.kind === 'plain' ? { ...made, kind: 'keyword' } : made);
    byKeyword ||= part.type === 'keyword_separator' || made?.kind === 'args';
  }
  const body = walk.scopes.open('function', node, node, field(node, 'body'), null, block, true);
  const inClass = block.kind === 'class' ? block.class : null;
  const owner =
    block.function !== null && inClass === null ? `${block.function.path}.` : inClass ? `${inClass.name}.` : '';
  const made: OpenFunction = {
    name: walk.source(nameNode),
    nameNode,
    node,
    async: hasToken(node, 'async'),
    parameters,
    decorators,
    parent: block,
    body,
    class: inClass,
    path: `${owner}${walk.source(nameNode)}`,
    returns: [],
    yields: false,
  };
  body.function = made;
  walk.functions.push(made);
  walk.scopes.bind(made.name, 'function', nameNode, node, block);
  for (const { name, node: at, default: value } of parameters) walk.scopes.bind(name, 'parameter', at, value, body);
  const block_ = field(node, 'body');
  if (block_ !== null) walk.visitChildren(block_, body);
}

function defineClass(walk: Walk, node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void {
  const nameNode = field(node, 'name') ?? node;
  const bases = field(node, 'superclasses');
  if (bases !== null) walk.visitChildren(bases, block);
  const body = walk.scopes.open('class', node, node, field(node, 'body'), null, block, true);
  const made: PythonClass = {
    name: walk.source(nameNode),
    nameNode,
    node,
    bases: (bases === null ? [] : parts(bases))
      .filter(({ type }) => type !== 'keyword_argument')
      .map((base) => walk.nameOf(base, block)),
    decorators,
    parent: block,
    body,
  };
  body.class = made;
  walk.classes.push(made);
  walk.scopes.bind(made.name, 'class', nameNode, node, block);
  const inner = field(node, 'body');
  if (inner !== null) walk.visitChildren(inner, body);
}

/** What is done at each kind of definition. */
export const definitionVisits: Readonly<Record<string, Visit>> = {
  decorated_definition(walk, node, block) {
    const decorators: Decorator[] = [];
    for (const child of node.children) if (child.type === 'decorator') decorators.push(decorator(walk, child, block));
    const definition = field(node, 'definition');
    if (definition !== null) define(walk, definition, decorators, block);
  },
  function_definition(walk, node, block) {
    define(walk, node, [], block);
  },
  class_definition(walk, node, block) {
    define(walk, node, [], block);
  },
  lambda(walk, node, block) {
    const inner = walk.scopes.open('lambda', node, node, null, null, block, true);
    const list = field(node, 'parameters');
    for (const part of list === null ? [] : parts(list)) {
      const made = parameter(walk, part, block);
      if (made !== null) walk.scopes.bind(made.name, 'parameter', made.node, made.default, inner);
    }
    const body = field(node, 'body');
    if (body !== null) walk.visit(body, inner);
  },
};
