import type { SyntaxNode } from '../syntax-tree';
import type { Call, ComparisonOperator } from './module';
import { childOf, field, fields, firstPart } from './nodes';
import type { OpenBlock } from './scopes';
import { stringPieces } from './string-literal';
import type { OpenFunction, Visit, Walk } from './walk';

const operators = new Set<string>(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is', 'is not']);
const comparingMethods: ReadonlyMap<string, ComparisonOperator> = new Map([
  ['assertEqual', '=='],
  ['assertEquals', '=='],
  ['assertListEqual', '=='],
  ['assertDictEqual', '=='],
  ['assertSetEqual', '=='],
  ['assertTupleEqual', '=='],
  ['assertSequenceEqual', '=='],
  ['assertMultiLineEqual', '=='],
  ['assertCountEqual', '=='],
  ['assertAlmostEqual', '=='],
  ['assertNotEqual', '!='],
  ['assertIn', 'in'],
  ['assertNotIn', 'not in'],
  ['assertIs', 'is'],
  ['assertIsNot', 'is not'],
  ['assertGreater', '>'],
  ['assertGreaterEqual', '>='],
  ['assertLess', '<'],
  ['assertLessEqual', '<='],
]);
const mutating = new Set([
  'append',
  'extend',
  'insert',
  'update',
  'add',
  'pop',
  'remove',
  'clear',
  'setdefault',
  'sort',
]);

export function stringLiteral(walk: Walk, node: SyntaxNode, isBare: boolean, block: OpenBlock): void {
  const pieces = (node.type === 'string' ? [node] : node.children.filter(({ type }) => type === 'string')).map((part) =>
    stringPieces(part, walk.text),
  );
  let whole: string | null = '';
  for (const part of pieces)
    for (const piece of part.pieces) whole = whole === null || typeof piece !== 'string' ? null : whole + piece;
  walk.strings.push({ node, text: whole, bytes: pieces[0]?.bytes ?? false, bare: isBare, block });
  if (whole === null) walk.visitChildren(node, block);
}

function comprehension(walk: Walk, node: SyntaxNode, block: OpenBlock): void {
  const first = childOf(node, 'for_in_clause');
  const inner = walk.scopes.open(
    'comprehension',
    node,
    node,
    null,
    first === null ? null : field(first, 'right'),
    block,
    true,
  );
  // Targets first: what stands before `for` uses them.
  for (const child of node.children)
    if (child.type === 'for_in_clause') {
      const left = field(child, 'left');
      if (left !== null) walk.scopes.bindTarget(left, 'loop', field(child, 'right'), inner);
    }
  walk.visitChildren(node, inner);
}

function call(walk: Walk, node: SyntaxNode, block: OpenBlock): void {
  const called = field(node, 'function');
  const list = field(node, 'arguments');
  if (called === null || list === null) {
    walk.visitChildren(node, block);
    return;
  }
  const attribute = called.type === 'attribute' ? field(called, 'attribute') : null;
  const receiver = called.type === 'attribute' ? field(called, 'object') : null;
  const positional: SyntaxNode[] = [];
  const keywords = new Map<string, SyntaxNode>();
  let spread = false;
  if (list.type === 'generator_expression') positional.push(list);
  else
    for (const argument of list.children) {
      if (!argument.named || argument.type === 'comment') continue;
      if (argument.type === 'keyword_argument') {
        const name = field(argument, 'name');
        const value = field(argument, 'value');
        if (name !== null && value !== null) keywords.set(walk.source(name), value);
      } else if (argument.type === 'list_splat' || argument.type === 'dictionary_splat') spread = true;
      else positional.push(argument);
    }
  const name = called.type === 'identifier' ? walk.source(called) : attribute === null ? '' : walk.source(attribute);
  const made: Call = {
    node,
    callee: null,
    name,
    receiver,
    arguments: positional,
    keywords,
    spread,
    block,
  };
  walk.calls.push(made);
  walk.callAt.set(node, made);
  const operator = comparingMethods.get(name);
  const [left, right] = positional;
  if (operator !== undefined && receiver !== null && left !== undefined && right !== undefined)
    walk.comparisons.push({ node, left, operator, right, block });
  if (name === 'get' && receiver !== null && left !== undefined)
    walk.keys.push({ node, object: receiver, key: left, block });
  if (receiver?.type === 'identifier' && mutating.has(name))
    walk.scopes.bind(walk.source(receiver), 'other', receiver, left ?? null, block);
  walk.visit(called, block);
  if (list.type === 'generator_expression') walk.visit(list, block);
  else walk.visitChildren(list, block);
}

function comparison(walk: Walk, node: SyntaxNode, block: OpenBlock): void {
  let left: SyntaxNode | null = null;
  let operator: string | null = null;
  for (const child of node.children) {
    if (child.field === 'operators') operator = child.type;
    else if (child.named && child.type !== 'comment') {
      if (left !== null && operator !== null && operators.has(operator))
        walk.comparisons.push({ node, left, operator: operator as ComparisonOperator, right: child, block });
      left = child;
      operator = null;
    }
  }
  walk.visitChildren(node, block);
}

/** What is done at each kind of expression. */
export const expressionVisits: Readonly<Record<string, Visit>> = {
  string(walk, node, block) {
    stringLiteral(walk, node, false, block);
  },
  concatenated_string(walk, node, block) {
    stringLiteral(walk, node, false, block);
  },
  call,
  comparison_operator: comparison,
  subscript(walk, node, block) {
    const object = field(node, 'value');
    const [key, ...others] = fields(node, 'subscript');
    if (object !== null && key !== undefined && others.length === 0 && key.type !== 'slice')
      walk.keys.push({ node, object, key, block });
    walk.visitChildren(node, block);
  },
  yield(walk, node, block) {
    if (block.function !== null) {
      const value = firstPart(node);
      (block.function as OpenFunction).yields = true;
      if (value !== null) (block.function as OpenFunction).returns.push(value);
    }
    walk.visitChildren(node, block);
  },
  named_expression(walk, node, block) {
    const name = field(node, 'name');
    if (name !== null) walk.scopes.bind(walk.source(name), 'assign', name, field(node, 'value'), block, null, true);
    walk.visitChildren(node, block);
  },
  as_pattern(walk, node, block) {
    const value = firstPart(node);
    const alias = field(node, 'alias');
    if (value !== null) walk.visit(value, block);
    if (alias !== null) walk.scopes.bindTarget(alias, 'with', value, block);
  },
  list_comprehension: comprehension,
  set_comprehension: comprehension,
  dictionary_comprehension: comprehension,
  generator_expression: comprehension,
  conditional_expression(walk, node, block) {
    walk.conditionals.push(node);
    walk.visitChildren(node, block);
  },
};
