import type { SyntaxNode } from '../syntax-tree';
import type {
  AssertStatement,
  Binding,
  BindingKind,
  Block,
  BlockKind,
  Call,
  Comparison,
  ComparisonOperator,
  Decorator,
  Import,
  KeyUse,
  Parameter,
  PythonClass,
  PythonFunction,
  RaiseStatement,
  StringLiteral,
} from './module';
import { qualify } from './names';
import { childOf, dottedName, field, fields, firstPart, hasToken, parts, statementsOf } from './nodes';
import { stringPieces } from './string-literal';

/** Everything that one pass over a tree collects. Names are as written: imports are resolved afterwards. */
export interface Walked {
  readonly blocks: readonly Block[];
  readonly imports: readonly Import[];
  readonly functions: readonly PythonFunction[];
  readonly classes: readonly PythonClass[];
  readonly calls: readonly Call[];
  /** The full name of what the binding of an import stands for, by its node. */
  readonly importedAs: ReadonlyMap<SyntaxNode, string>;
  readonly callAt: ReadonlyMap<SyntaxNode, Call>;
  readonly asserts: readonly AssertStatement[];
  readonly raises: readonly RaiseStatement[];
  readonly strings: readonly StringLiteral[];
  readonly keys: readonly KeyUse[];
  readonly comparisons: readonly Comparison[];
  /** `a if b else c` */
  readonly conditionals: readonly SyntaxNode[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface OpenBlock extends Omit<Mutable<Block>, 'names'> {
  names: Map<string, Binding[]> | null;
  globals?: Set<string>;
}
type OpenFunction = Omit<Mutable<PythonFunction>, 'returns'> & { returns: SyntaxNode[] };

const operators = new Set<string>(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is', 'is not']);
const comparingMethods: Record<string, ComparisonOperator> = {
  assertEqual: '==',
  assertEquals: '==',
  assertListEqual: '==',
  assertDictEqual: '==',
  assertSetEqual: '==',
  assertTupleEqual: '==',
  assertSequenceEqual: '==',
  assertMultiLineEqual: '==',
  assertCountEqual: '==',
  assertAlmostEqual: '==',
  assertNotEqual: '!=',
  assertIn: 'in',
  assertNotIn: 'not in',
  assertIs: 'is',
  assertIsNot: 'is not',
  assertGreater: '>',
  assertGreaterEqual: '>=',
  assertLess: '<',
  assertLessEqual: '<=',
};
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

export function walk(text: string, root: SyntaxNode): Walked {
  const blocks: OpenBlock[] = [];
  const imports: Import[] = [];
  const functions: OpenFunction[] = [];
  const classes: PythonClass[] = [];
  const calls: Mutable<Call>[] = [];
  const importedAs = new Map<SyntaxNode, string>();
  const callAt = new Map<SyntaxNode, Call>();
  const asserts: AssertStatement[] = [];
  const raises: RaiseStatement[] = [];
  const strings: StringLiteral[] = [];
  const keys: KeyUse[] = [];
  const comparisons: Comparison[] = [];
  const conditionals: SyntaxNode[] = [];

  const source = (node: SyntaxNode): string => text.slice(node.start, node.end);
  const nameOf = (node: SyntaxNode, block: Block): string =>
    qualify(node, block, text, importedAs) ?? dottedName(node, text) ?? '';

  const open = (
    kind: BlockKind,
    node: SyntaxNode,
    statement: SyntaxNode,
    body: SyntaxNode | null,
    head: SyntaxNode | null,
    parent: OpenBlock | null,
    scope: boolean,
  ): OpenBlock => {
    const place = body ?? node;
    const block: OpenBlock = {
      kind,
      start: place.start,
      end: place.end,
      node,
      statement,
      head,
      parent,
      function: parent?.function ?? null,
      class: parent?.class ?? null,
      statements: kind === 'lambda' || kind === 'comprehension' ? [] : statementsOf(body),
      names: scope ? new Map<string, Binding[]>() : null,
    };
    blocks.push(block);
    return block;
  };

  const bind = (
    name: string,
    kind: BindingKind,
    node: SyntaxNode,
    value: SyntaxNode | null,
    block: OpenBlock,
    index: number | null = null,
    skipComprehensions = false,
  ): void => {
    let scope: OpenBlock = block;
    while (scope.names === null || (skipComprehensions && scope.kind === 'comprehension')) {
      if (scope.parent === null) break;
      scope = scope.parent as OpenBlock;
    }
    if (scope.globals?.has(name) === true) scope = blocks[0] ?? scope;
    const { names } = scope;
    if (names === null) return;
    const binding: Binding = { name, kind, node, value, index, block };
    const known = names.get(name);
    if (known === undefined) names.set(name, [binding]);
    else known.push(binding);
  };

  /** Binds what stands left of `=`, after `for` or after `as`. */
  const bindTarget = (
    target: SyntaxNode,
    kind: BindingKind,
    value: SyntaxNode | null,
    block: OpenBlock,
    index: number | null = null,
  ): void => {
    switch (target.type) {
      case 'identifier':
        bind(source(target), kind, target, value, block, index);
        return;
      case 'attribute': {
        const object = field(target, 'object');
        const attribute = field(target, 'attribute');
        if (object?.type !== 'identifier' || attribute === null) return;
        const owner = block.class?.body as OpenBlock | undefined;
        if (owner?.names && /^(?:self|cls)$/u.test(source(object))) {
          const name = `.${source(attribute)}`;
          const binding: Binding = { name, kind, node: attribute, value, index, block };
          const known = owner.names.get(name);
          if (known === undefined) owner.names.set(name, [binding]);
          else known.push(binding);
        }
        return;
      }
      case 'subscript': {
        const object = field(target, 'value');
        if (object?.type === 'identifier') bind(source(object), 'other', object, value, block);
        return;
      }
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
      case 'tuple':
      case 'list':
      case 'expression_list':
      case 'parenthesized_expression':
      case 'as_pattern_target': {
        const targets = parts(target);
        if (target.type === 'as_pattern_target' || target.type === 'parenthesized_expression') {
          for (const inner of targets) bindTarget(inner, kind, value, block, index);
          return;
        }
        const values =
          kind === 'assign' && value !== null && /^(?:tuple|list|expression_list)$/u.test(value.type)
            ? parts(value)
            : [];
        const even =
          values.length === targets.length && ![...values, ...targets].some(({ type }) => type.includes('splat'));
        targets.forEach((inner, at) => {
          if (even) bindTarget(inner, 'assign', values[at] ?? null, block);
          else bindTarget(inner, kind === 'assign' ? 'element' : kind, value, block, index === null ? at : -1);
        });
        return;
      }
      case 'list_splat_pattern':
      case 'list_splat':
        for (const inner of parts(target)) bindTarget(inner, 'other', value, block);
    }
  };

  const string = (node: SyntaxNode, isBare: boolean, block: OpenBlock): void => {
    const pieces = (node.type === 'string' ? [node] : node.children.filter(({ type }) => type === 'string')).map(
      (part) => stringPieces(part, text),
    );
    let whole: string | null = '';
    for (const part of pieces)
      for (const piece of part.pieces) whole = whole === null || typeof piece !== 'string' ? null : whole + piece;
    strings.push({ node, text: whole, bytes: pieces[0]?.bytes ?? false, bare: isBare, block });
    if (whole === null) visitChildren(node, block);
  };

  const decorator = (node: SyntaxNode, block: OpenBlock): Decorator => {
    const expression = firstPart(node);
    if (expression === null) return { node, name: '', call: null };
    visit(expression, block);
    const call = callAt.get(expression) ?? null;
    const named = call === null ? expression : field(expression, 'function');
    return { node, name: named === null ? '' : nameOf(named, block), call };
  };

  const parameter = (node: SyntaxNode, block: OpenBlock): Parameter | null => {
    const value = field(node, 'value');
    if (value !== null) visit(value, block);
    const named =
      node.type === 'identifier' ? node : (field(node, 'name') ?? childOf(node, 'identifier') ?? firstPart(node));
    if (named === null) return null;
    const inner = named.type === 'identifier' ? named : childOf(named, 'identifier');
    if (inner === null) return null;
    const splat = node.type.includes('splat') ? node.type : named.type;
    const kind = splat.startsWith('dictionary_splat') ? 'kwargs' : splat.startsWith('list_splat') ? 'args' : 'plain';
    return { name: source(inner), node: inner, default: value, kind };
  };

  const defineFunction = (node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void => {
    const nameNode = field(node, 'name') ?? node;
    const list = field(node, 'parameters');
    const parameters: Parameter[] = [];
    let byKeyword = false;
    for (const part of list === null ? [] : parts(list)) {
      const made = parameter(part, block);
      if (made !== null) parameters.push(byKeyword && made.kind === 'plain' ? { ...made, kind: 'keyword' } : made);
      byKeyword ||= part.type === 'keyword_separator' || made?.kind === 'args';
    }
    const body = open('function', node, node, field(node, 'body'), null, block, true);
    const inClass = block.kind === 'class' ? block.class : null;
    const owner =
      block.function !== null && inClass === null ? `${block.function.path}.` : inClass ? `${inClass.name}.` : '';
    const made: OpenFunction = {
      name: source(nameNode),
      nameNode,
      node,
      async: hasToken(node, 'async'),
      parameters,
      decorators,
      parent: block,
      body,
      class: inClass,
      path: `${owner}${source(nameNode)}`,
      returns: [],
      yields: false,
    };
    body.function = made;
    functions.push(made);
    bind(made.name, 'function', nameNode, node, block);
    for (const { name, node: at, default: value } of parameters) bind(name, 'parameter', at, value, body);
    const block_ = field(node, 'body');
    if (block_ !== null) visitChildren(block_, body);
  };

  const defineClass = (node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void => {
    const nameNode = field(node, 'name') ?? node;
    const bases = field(node, 'superclasses');
    if (bases !== null) visitChildren(bases, block);
    const body = open('class', node, node, field(node, 'body'), null, block, true);
    const made: PythonClass = {
      name: source(nameNode),
      nameNode,
      node,
      bases: (bases === null ? [] : parts(bases))
        .filter(({ type }) => type !== 'keyword_argument')
        .map((base) => nameOf(base, block)),
      decorators,
      parent: block,
      body,
    };
    body.class = made;
    classes.push(made);
    bind(made.name, 'class', nameNode, node, block);
    const inner = field(node, 'body');
    if (inner !== null) visitChildren(inner, body);
  };

  const define = (node: SyntaxNode, decorators: readonly Decorator[], block: OpenBlock): void => {
    if (node.type === 'class_definition') defineClass(node, decorators, block);
    else defineFunction(node, decorators, block);
  };

  /** Opens a block for a body and goes through it. */
  const enter = (
    kind: BlockKind,
    node: SyntaxNode,
    statement: SyntaxNode,
    body: SyntaxNode | null,
    head: SyntaxNode | null,
    block: OpenBlock,
  ): void => {
    if (body === null) return;
    visitChildren(body, open(kind, node, statement, body, head, block, false));
  };

  const clause = (node: SyntaxNode, statement: SyntaxNode, block: OpenBlock): void => {
    switch (node.type) {
      case 'elif_clause': {
        const condition = field(node, 'condition');
        if (condition !== null) visit(condition, block);
        enter('elif', node, statement, field(node, 'consequence'), condition, block);
        return;
      }
      case 'else_clause':
        enter('else', node, statement, field(node, 'body'), null, block);
        return;
      case 'finally_clause':
        enter('finally', node, statement, childOf(node, 'block'), null, block);
        return;
      case 'except_clause':
      case 'except_group_clause': {
        const caught =
          field(node, 'value') ?? node.children.find(({ named, type }) => named && type !== 'block') ?? null;
        if (caught !== null) visit(caught, block);
        enter('except', node, statement, childOf(node, 'block'), caught, block);
      }
    }
  };

  const importStatement = (node: SyntaxNode, block: OpenBlock): void => {
    const from = node.type === 'import_from_statement' ? field(node, 'module_name') : null;
    for (const part of fields(node, 'name')) {
      const named = part.type === 'aliased_import' ? field(part, 'name') : part;
      const alias = part.type === 'aliased_import' ? field(part, 'alias') : null;
      if (named === null) continue;
      const written = source(named);
      const bound = alias === null ? (from === null ? (written.split('.')[0] ?? written) : written) : source(alias);
      const made: Import =
        from === null
          ? { node, module: written, moduleNode: named, name: null, nameNode: named, alias: bound, block }
          : { node, module: source(from), moduleNode: from, name: written, nameNode: named, alias: bound, block };
      imports.push(made);
      importedAs.set(alias ?? named, from === null ? (alias === null ? bound : written) : `${made.module}.${written}`);
      bind(bound, 'import', alias ?? named, node, block);
    }
    const all = childOf(node, 'wildcard_import');
    if (all !== null && from !== null)
      imports.push({ node, module: source(from), moduleNode: from, name: '*', nameNode: all, alias: '*', block });
  };

  const comprehension = (node: SyntaxNode, block: OpenBlock): void => {
    const first = childOf(node, 'for_in_clause');
    const inner = open('comprehension', node, node, null, first === null ? null : field(first, 'right'), block, true);
    // Targets first: what stands before `for` uses them.
    for (const child of node.children)
      if (child.type === 'for_in_clause') {
        const left = field(child, 'left');
        if (left !== null) bindTarget(left, 'loop', field(child, 'right'), inner);
      }
    visitChildren(node, inner);
  };

  const call = (node: SyntaxNode, block: OpenBlock): void => {
    const called = field(node, 'function');
    const list = field(node, 'arguments');
    if (called === null || list === null) {
      visitChildren(node, block);
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
          if (name !== null && value !== null) keywords.set(source(name), value);
        } else if (argument.type === 'list_splat' || argument.type === 'dictionary_splat') spread = true;
        else positional.push(argument);
      }
    const name = called.type === 'identifier' ? source(called) : attribute === null ? '' : source(attribute);
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
    calls.push(made);
    callAt.set(node, made);
    const operator = comparingMethods[name];
    const [left, right] = positional;
    if (operator !== undefined && receiver !== null && left !== undefined && right !== undefined)
      comparisons.push({ node, left, operator, right, block });
    if (name === 'get' && receiver !== null && left !== undefined)
      keys.push({ node, object: receiver, key: left, block });
    if (receiver?.type === 'identifier' && mutating.has(name))
      bind(source(receiver), 'other', receiver, left ?? null, block);
    visit(called, block);
    if (list.type === 'generator_expression') visit(list, block);
    else visitChildren(list, block);
  };

  const comparison = (node: SyntaxNode, block: OpenBlock): void => {
    let left: SyntaxNode | null = null;
    let operator: string | null = null;
    for (const child of node.children) {
      if (child.field === 'operators') operator = child.type;
      else if (child.named && child.type !== 'comment') {
        if (left !== null && operator !== null && operators.has(operator))
          comparisons.push({ node, left, operator: operator as ComparisonOperator, right: child, block });
        left = child;
        operator = null;
      }
    }
    visitChildren(node, block);
  };

  function visitChildren(node: SyntaxNode, block: OpenBlock): void {
    for (const child of node.children) if (child.named || child.children.length > 0) visit(child, block);
  }

  function visit(node: SyntaxNode, block: OpenBlock): void {
    switch (node.type) {
      case 'identifier':
      case 'comment':
      case 'integer':
      case 'type':
        return;
      case 'expression_statement': {
        const only = firstPart(node);
        if (only !== null && (only.type === 'string' || only.type === 'concatenated_string')) string(only, true, block);
        else visitChildren(node, block);
        return;
      }
      case 'string':
      case 'concatenated_string':
        string(node, false, block);
        return;
      case 'call':
        call(node, block);
        return;
      case 'comparison_operator':
        comparison(node, block);
        return;
      case 'subscript': {
        const object = field(node, 'value');
        const [key, ...others] = fields(node, 'subscript');
        if (object !== null && key !== undefined && others.length === 0 && key.type !== 'slice')
          keys.push({ node, object, key, block });
        visitChildren(node, block);
        return;
      }
      case 'assert_statement': {
        const [condition, message] = parts(node);
        if (condition !== undefined) asserts.push({ node, condition, message: message ?? null, block });
        visitChildren(node, block);
        return;
      }
      case 'raise_statement':
        raises.push({ node, exception: firstPart(node), block });
        visitChildren(node, block);
        return;
      case 'return_statement': {
        const value = firstPart(node);
        if (value !== null && block.function !== null) (block.function as OpenFunction).returns.push(value);
        visitChildren(node, block);
        return;
      }
      case 'yield':
        if (block.function !== null) {
          const value = firstPart(node);
          (block.function as OpenFunction).yields = true;
          if (value !== null) (block.function as OpenFunction).returns.push(value);
        }
        visitChildren(node, block);
        return;
      case 'assignment': {
        const left = field(node, 'left');
        const right = field(node, 'right');
        if (left !== null && right !== null) {
          let value = right;
          while (value.type === 'assignment') {
            const next = field(value, 'right');
            if (next === null) break;
            value = next;
          }
          bindTarget(left, 'assign', value, block);
        }
        visitChildren(node, block);
        return;
      }
      case 'augmented_assignment': {
        const left = field(node, 'left');
        if (left !== null) bindTarget(left, 'augmented', field(node, 'right'), block);
        visitChildren(node, block);
        return;
      }
      case 'named_expression': {
        const name = field(node, 'name');
        if (name !== null) bind(source(name), 'assign', name, field(node, 'value'), block, null, true);
        visitChildren(node, block);
        return;
      }
      case 'delete_statement':
        for (const target of parts(node)) if (target.type === 'identifier') bindTarget(target, 'other', null, block);
        visitChildren(node, block);
        return;
      case 'global_statement':
      case 'nonlocal_statement': {
        let scope: OpenBlock = block;
        while (scope.names === null && scope.parent !== null) scope = scope.parent as OpenBlock;
        scope.globals ??= new Set();
        for (const name of parts(node)) {
          scope.globals.add(source(name));
          // A name shared this way may change at any time.
          if (node.type === 'nonlocal_statement') bind(source(name), 'other', name, null, block);
        }
        return;
      }
      case 'import_statement':
      case 'import_from_statement':
        importStatement(node, block);
        return;
      case 'decorated_definition': {
        const decorators: Decorator[] = [];
        for (const child of node.children) if (child.type === 'decorator') decorators.push(decorator(child, block));
        const definition = field(node, 'definition');
        if (definition !== null) define(definition, decorators, block);
        return;
      }
      case 'function_definition':
      case 'class_definition':
        define(node, [], block);
        return;
      case 'if_statement': {
        const condition = field(node, 'condition');
        if (condition !== null) visit(condition, block);
        enter('if', node, node, field(node, 'consequence'), condition, block);
        for (const child of node.children) if (child.field === 'alternative') clause(child, node, block);
        return;
      }
      case 'for_statement': {
        const left = field(node, 'left');
        const right = field(node, 'right');
        if (left !== null) bindTarget(left, 'loop', right, block);
        if (right !== null) visit(right, block);
        enter('for', node, node, field(node, 'body'), right, block);
        for (const child of node.children) if (child.field === 'alternative') clause(child, node, block);
        return;
      }
      case 'while_statement': {
        const condition = field(node, 'condition');
        if (condition !== null) visit(condition, block);
        enter('while', node, node, field(node, 'body'), condition, block);
        for (const child of node.children) if (child.field === 'alternative') clause(child, node, block);
        return;
      }
      case 'try_statement':
        enter('try', node, node, field(node, 'body'), null, block);
        for (const child of node.children) clause(child, node, block);
        return;
      case 'with_statement': {
        const items = childOf(node, 'with_clause');
        if (items !== null) visitChildren(items, block);
        enter('with', node, node, field(node, 'body'), items, block);
        return;
      }
      case 'as_pattern': {
        const value = firstPart(node);
        const alias = field(node, 'alias');
        if (value !== null) visit(value, block);
        if (alias !== null) bindTarget(alias, 'with', value, block);
        return;
      }
      case 'match_statement': {
        const subject = field(node, 'subject');
        if (subject !== null) visit(subject, block);
        const body = field(node, 'body');
        for (const child of body?.children ?? [])
          if (child.type === 'case_clause') enter('case', child, node, field(child, 'consequence'), subject, block);
        return;
      }
      case 'lambda': {
        const inner = open('lambda', node, node, null, null, block, true);
        const list = field(node, 'parameters');
        for (const part of list === null ? [] : parts(list)) {
          const made = parameter(part, block);
          if (made !== null) bind(made.name, 'parameter', made.node, made.default, inner);
        }
        const body = field(node, 'body');
        if (body !== null) visit(body, inner);
        return;
      }
      case 'list_comprehension':
      case 'set_comprehension':
      case 'dictionary_comprehension':
      case 'generator_expression':
        comprehension(node, block);
        return;
      case 'conditional_expression':
        conditionals.push(node);
        visitChildren(node, block);
        return;
      default:
        visitChildren(node, block);
    }
  }

  const module = open('module', root, root, root, null, null, true);
  // A file may begin with blank lines, which the tree leaves out.
  module.start = 0;
  module.end = text.length;
  visitChildren(root, module);
  // Only now is every name of the file known.
  for (const made of calls) {
    const called = made.node.children[0];
    if (called !== undefined) made.callee = qualify(called, made.block, text, importedAs);
    if (made.callee !== null) made.name = made.callee.slice(made.callee.lastIndexOf('.') + 1);
  }
  return {
    importedAs,
    blocks,
    imports,
    functions,
    classes,
    calls,
    callAt,
    asserts,
    raises,
    strings,
    keys,
    comparisons,
    conditionals,
  };
}
