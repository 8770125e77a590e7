import type { PythonModule } from '../../text/python/module';
import { bare, field, parts } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';

/** Why a condition cannot be false. */
export interface ConstantCondition {
  readonly kind: 'constant' | 'tuple' | 'same' | 'range' | 'function' | 'or';
  /** A clause: `a tuple that is not empty is always true`. */
  readonly because: string;
}

/** Null for any condition that may be false. */
export function constantCondition(module: PythonModule, condition: SyntaxNode): ConstantCondition | null {
  const node = bare(condition);
  switch (node.type) {
    case 'true':
      return { kind: 'constant', because: 'it says so itself' };
    case 'integer':
    case 'float': {
      const value = module.fold(node);
      return value?.kind === 'number' && value.value !== 0
        ? { kind: 'constant', because: 'a number other than 0 is true' }
        : null;
    }
    case 'string':
    case 'concatenated_string': {
      const value = module.fold(node);
      return value?.kind === 'text' && value.text !== ''
        ? { kind: 'constant', because: 'a text that is not empty is true' }
        : null;
    }
    case 'tuple':
      return parts(node).length > 1 ? { kind: 'tuple', because: 'a tuple that is not empty is true' } : null;
    case 'list':
    case 'dictionary':
    case 'set':
      return parts(node).some(({ type }) => !type.includes('splat'))
        ? { kind: 'constant', because: 'a collection that is not empty is true' }
        : null;
    case 'lambda':
      return { kind: 'function', because: 'a function is true, whatever it would return' };
    case 'identifier':
      return module.functionNamed(node) !== null && isOnlyFunction(module, node)
        ? { kind: 'function', because: 'the function is not called, and a function is true' }
        : null;
    case 'boolean_operator':
      return either(module, node);
    case 'comparison_operator':
      return compared(module, node);
    case 'call':
      return instanceOfObject(module, node);
    default:
      return null;
  }
}

function isOnlyFunction(module: PythonModule, node: SyntaxNode): boolean {
  return module.bindings(module.source(node), node).every(({ kind }) => kind === 'function');
}

function either(module: PythonModule, node: SyntaxNode): ConstantCondition | null {
  if (field(node, 'operator')?.type !== 'or') return null;
  for (const side of ['left', 'right']) {
    const operand = field(node, side);
    if (operand === null) continue;
    const found = constantCondition(module, operand);
    if (found !== null) return { kind: 'or', because: `\`${shortened(module.source(bare(operand)))}\` is always true` };
  }
  return null;
}

function compared(module: PythonModule, node: SyntaxNode): ConstantCondition | null {
  const comparisons = module.comparisons.filter((one) => one.node === node);
  const [only, ...others] = comparisons;
  if (only === undefined || others.length > 0) return null;
  const left = bare(only.left);
  const right = bare(only.right);
  if (/^(?:==|<=|>=|is)$/u.test(only.operator) && isPlain(left) && module.source(left) === module.source(right))
    return { kind: 'same', because: 'both sides are the same' };
  // `len(x) >= 0`
  const call = module.callAt(left);
  const bound = module.fold(right);
  if (call?.callee === 'len' && bound?.kind === 'number' && !bound.float)
    if ((only.operator === '>=' && bound.value <= 0) || (only.operator === '>' && bound.value < 0))
      return { kind: 'range', because: 'a length is never negative' };
  if (isLiteral(left) && isLiteral(right) && /^(?:==|!=)$/u.test(only.operator)) {
    const same = module.source(left) === module.source(right);
    return same === (only.operator === '==') ? { kind: 'constant', because: 'both sides are constants' } : null;
  }
  return null;
}

/** A chain of names and constant keys: reading it twice gives the same. */
function isPlain(node: SyntaxNode): boolean {
  if (node.type === 'identifier') return true;
  if (node.type === 'attribute' || node.type === 'subscript')
    return node.children.every((child) => !child.named || isPlain(child) || isLiteral(child));
  return false;
}

function isLiteral({ type }: SyntaxNode): boolean {
  return /^(?:integer|string|true|false|none)$/u.test(type);
}

function instanceOfObject(module: PythonModule, node: SyntaxNode): ConstantCondition | null {
  const call = module.callAt(node);
  const type = call?.arguments[1];
  return call?.callee === 'isinstance' && type !== undefined && module.source(type) === 'object'
    ? { kind: 'constant', because: 'everything is an object' }
    : null;
}

export function shortened(text: string, most = 40): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
