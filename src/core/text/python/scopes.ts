import type { SyntaxNode } from '../syntax-tree';
import type { Binding, BindingKind, Block, BlockKind } from './module';
import { field, parts, statementsOf } from './nodes';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A block whose names are still being found. */
export interface OpenBlock extends Omit<Mutable<Block>, 'names'> {
  names: Map<string, Binding[]> | null;
  /** Names that `global` and `nonlocal` hand to the module. */
  globals?: Set<string>;
}

/** The blocks of a file, and what is bound in those that are scopes, as one pass finds them. */
export class Scopes {
  readonly blocks: OpenBlock[] = [];

  constructor(private readonly text: string) {}

  open(
    kind: BlockKind,
    node: SyntaxNode,
    statement: SyntaxNode,
    body: SyntaxNode | null,
    head: SyntaxNode | null,
    parent: OpenBlock | null,
    scope: boolean,
  ): OpenBlock {
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
    this.blocks.push(block);
    return block;
  }

  bind(
    name: string,
    kind: BindingKind,
    node: SyntaxNode,
    value: SyntaxNode | null,
    block: OpenBlock,
    index: number | null = null,
    skipComprehensions = false,
  ): void {
    let scope: OpenBlock = block;
    while (scope.names === null || (skipComprehensions && scope.kind === 'comprehension')) {
      if (scope.parent === null) break;
      scope = scope.parent as OpenBlock;
    }
    if (scope.globals?.has(name) === true) scope = this.blocks[0] ?? scope;
    const { names } = scope;
    if (names === null) return;
    add(names, { name, kind, node, value, index, block });
  }

  /** Binds what stands left of `=`, after `for` or after `as`. */
  bindTarget(
    target: SyntaxNode,
    kind: BindingKind,
    value: SyntaxNode | null,
    block: OpenBlock,
    index: number | null = null,
  ): void {
    switch (target.type) {
      case 'identifier':
        this.bind(this.source(target), kind, target, value, block, index);
        return;
      case 'attribute': {
        const object = field(target, 'object');
        const attribute = field(target, 'attribute');
        if (object?.type !== 'identifier' || attribute === null) return;
        const owner = block.class?.body as OpenBlock | undefined;
        if (owner?.names && /^(?:self|cls)$/u.test(this.source(object))) {
          add(owner.names, { name: `.${this.source(attribute)}`, kind, node: attribute, value, index, block });
        }
        return;
      }
      case 'subscript': {
        const object = field(target, 'value');
        if (object?.type === 'identifier') this.bind(this.source(object), 'other', object, value, block);
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
          for (const inner of targets) this.bindTarget(inner, kind, value, block, index);
          return;
        }
        const values =
          kind === 'assign' && value !== null && /^(?:tuple|list|expression_list)$/u.test(value.type)
            ? parts(value)
            : [];
        const even =
          values.length === targets.length && ![...values, ...targets].some(({ type }) => type.includes('splat'));
        targets.forEach((inner, at) => {
          if (even) this.bindTarget(inner, 'assign', values[at] ?? null, block);
          else this.bindTarget(inner, kind === 'assign' ? 'element' : kind, value, block, index === null ? at : -1);
        });
        return;
      }
      case 'list_splat_pattern':
      case 'list_splat':
        for (const inner of parts(target)) this.bindTarget(inner, 'other', value, block);
    }
  }

  /** `global` and `nonlocal`. */
  share(name: string, node: SyntaxNode, block: OpenBlock, isNonlocal: boolean): void {
    let scope: OpenBlock = block;
    while (scope.names === null && scope.parent !== null) scope = scope.parent as OpenBlock;
    scope.globals ??= new Set();
    scope.globals.add(name);
    // A name shared this way may change at any time.
    if (isNonlocal) this.bind(name, 'other', node, null, block);
  }

  private source({ start, end }: SyntaxNode): string {
    return this.text.slice(start, end);
  }
}

function add(names: Map<string, Binding[]>, binding: Binding): void {
  const known = names.get(binding.name);
  if (known === undefined) names.set(binding.name, [binding]);
  else known.push(binding);
}
