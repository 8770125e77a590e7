import type { SyntaxNode } from '../syntax-tree';
import type { BlockKind, Import } from './module';
import { childOf, field, fields, firstPart, parts } from './nodes';
import type { OpenBlock } from './scopes';
import type { OpenFunction, Visit, Walk } from './walk';
import { stringLiteral } from './walk-expressions';

/** Opens a block for a body and goes through it. */
function enter(
  walk: Walk,
  kind: BlockKind,
  node: SyntaxNode,
  statement: SyntaxNode,
  body: SyntaxNode | null,
  head: SyntaxNode | null,
  block: OpenBlock,
): void {
  if (body === null) return;
  walk.visitChildren(body, walk.scopes.open(kind, node, statement, body, head, block, false));
}

function clause(walk: Walk, node: SyntaxNode, statement: SyntaxNode, block: OpenBlock): void {
  switch (node.type) {
    case 'elif_clause': {
      const condition = field(node, 'condition');
      if (condition !== null) walk.visit(condition, block);
      enter(walk, 'elif', node, statement, field(node, 'consequence'), condition, block);
      return;
    }
    case 'else_clause':
      enter(walk, 'else', node, statement, field(node, 'body'), null, block);
      return;
    case 'finally_clause':
      enter(walk, 'finally', node, statement, childOf(node, 'block'), null, block);
      return;
    case 'except_clause':
    case 'except_group_clause': {
      const caught = field(node, 'value') ?? node.children.find(({ named, type }) => named && type !== 'block') ?? null;
      if (caught !== null) walk.visit(caught, block);
      enter(walk, 'except', node, statement, childOf(node, 'block'), caught, block);
    }
  }
}

function importStatement(walk: Walk, node: SyntaxNode, block: OpenBlock): void {
  const from = node.type === 'import_from_statement' ? field(node, 'module_name') : null;
  for (const part of fields(node, 'name')) {
    const named = part.type === 'aliased_import' ? field(part, 'name') : part;
    const alias = part.type === 'aliased_import' ? field(part, 'alias') : null;
    if (named === null) continue;
    const written = walk.source(named);
    const bound = alias === null ? (from === null ? (written.split('.')[0] ?? written) : written) : walk.source(alias);
    const made: Import =
      from === null
        ? { node, module: written, moduleNode: named, name: null, nameNode: named, alias: bound, block }
        : { node, module: walk.source(from), moduleNode: from, name: written, nameNode: named, alias: bound, block };
    walk.imports.push(made);
    walk.importedAs.set(
      alias ?? named,
      from === null ? (alias === null ? bound : written) : `${made.module}.${written}`,
    );
    walk.scopes.bind(bound, 'import', alias ?? named, node, block);
  }
  const all = childOf(node, 'wildcard_import');
  if (all !== null && from !== null)
    walk.imports.push({
      node,
      module: walk.source(from),
      moduleNode: from,
      name: '*',
      nameNode: all,
      alias: '*',
      block,
    });
}

/** What is done at each kind of statement. */
export const statementVisits: Readonly<Record<string, Visit>> = {
  expression_statement(walk, node, block) {
    const only = firstPart(node);
    if (only !== null && (only.type === 'string' || only.type === 'concatenated_string'))
      stringLiteral(walk, only, true, block);
    else walk.visitChildren(node, block);
  },
  assert_statement(walk, node, block) {
    const [condition, message] = parts(node);
    if (condition !== undefined) walk.asserts.push({ node, condition, message: message ?? null, block });
    walk.visitChildren(node, block);
  },
  raise_statement(walk, node, block) {
    walk.raises.push({ node, exception: firstPart(node), block });
    walk.visitChildren(node, block);
  },
  return_statement(walk, node, block) {
    const value = firstPart(node);
    if (value !== null && block.function !== null) (block.function as OpenFunction).returns.push(value);
    walk.visitChildren(node, block);
  },
  assignment(walk, node, block) {
    const left = field(node, 'left');
    const right = field(node, 'right');
    if (left !== null && right !== null) {
      let value = right;
      while (value.type === 'assignment') {
        const next = field(value, 'right');
        if (next === null) break;
        value = next;
      }
      walk.scopes.bindTarget(left, 'assign', value, block);
    }
    walk.visitChildren(node, block);
  },
  augmented_assignment(walk, node, block) {
    const left = field(node, 'left');
    if (left !== null) walk.scopes.bindTarget(left, 'augmented', field(node, 'right'), block);
    walk.visitChildren(node, block);
  },
  delete_statement(walk, node, block) {
    for (const target of parts(node))
      if (target.type === 'identifier') walk.scopes.bindTarget(target, 'other', null, block);
    walk.visitChildren(node, block);
  },
  global_statement(walk, node, block) {
    for (const name of parts(node)) walk.scopes.share(walk.source(name), name, block, false);
  },
  nonlocal_statement(walk, node, block) {
    for (const name of parts(node)) walk.scopes.share(walk.source(name), name, block, true);
  },
  import_statement: importStatement,
  import_from_statement: importStatement,
  if_statement(walk, node, block) {
    const condition = field(node, 'condition');
    if (condition !== null) walk.visit(condition, block);
    enter(walk, 'if', node, node, field(node, 'consequence'), condition, block);
    for (const child of node.children) if (child.field === 'alternative') clause(walk, child, node, block);
  },
  for_statement(walk, node, block) {
    const left = field(node, 'left');
    const right = field(node, 'right');
    if (left !== null) walk.scopes.bindTarget(left, 'loop', right, block);
    if (right !== null) walk.visit(right, block);
    enter(walk, 'for', node, node, field(node, 'body'), right, block);
    for (const child of node.children) if (child.field === 'alternative') clause(walk, child, node, block);
  },
  while_statement(walk, node, block) {
    const condition = field(node, 'condition');
    if (condition !== null) walk.visit(condition, block);
    enter(walk, 'while', node, node, field(node, 'body'), condition, block);
    for (const child of node.children) if (child.field === 'alternative') clause(walk, child, node, block);
  },
  try_statement(walk, node, block) {
    enter(walk, 'try', node, node, field(node, 'body'), null, block);
    for (const child of node.children) clause(walk, child, node, block);
  },
  with_statement(walk, node, block) {
    const items = childOf(node, 'with_clause');
    if (items !== null) walk.visitChildren(items, block);
    enter(walk, 'with', node, node, field(node, 'body'), items, block);
  },
  match_statement(walk, node, block) {
    const subject = field(node, 'subject');
    if (subject !== null) walk.visit(subject, block);
    const body = field(node, 'body');
    for (const child of body?.children ?? [])
      if (child.type === 'case_clause') enter(walk, 'case', child, node, field(child, 'consequence'), subject, block);
  },
};
