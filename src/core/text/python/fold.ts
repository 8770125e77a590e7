import type { SyntaxNode } from '../syntax-tree';
import { bounded, maxItems, maxText } from './bounds';
import { foldCall, foldMember } from './fold-calls';
import type { Binding, Block, Call, PythonClass, PythonFunction } from './module';
import { lookUp } from './names';
import { bare, field, fields, firstPart, parts } from './nodes';
import { joinPaths } from './paths';
import { stringPieces } from './string-literal';
import type { CollectionValue, DictValue, TextValue, Value } from './value';

/** Values given to parameters or loop variables, by the node that binds them. */
export type Environment = ReadonlyMap<SyntaxNode, Value>;

export interface Folder {
  readonly text: string;
  readonly file: string;
  readonly classes: readonly PythonClass[];
  blockOf(node: SyntaxNode): Block;
  callAt(node: SyntaxNode): Call | null;
  /** The function of the file that a call calls. */
  functionOf(call: Call): PythonFunction | null;
  fold(expression: SyntaxNode, environment: Environment, depth: number): Value | null;
}

const maxDepth = 40;
/** What costs more to fold than to remember. */
const kept = new Set('identifier attribute subscript call dictionary list tuple set binary_operator'.split(' '));
const maxSteps = 4_000;
/** Of one file: calls in calls may take all steps of each of thousands of expressions. */
const maxTotalSteps = 200_000;
export const noEnvironment: Environment = new Map();

export const textValue = (text: string, path = false): TextValue => ({
  kind: 'text',
  text,
  path,
  inModuleFolder: false,
});
export const numberValue = (value: number, float = false): Value => ({ kind: 'number', value, float });

/** Folds constants of one file. */
export function createFolder(source: Omit<Folder, 'fold'>): Folder {
  const known = new Map<SyntaxNode, Value | null>();
  let steps = 0;
  let total = 0;

  const folder: Folder = {
    ...source,
    fold(expression, environment, depth) {
      if (depth === 0) steps = 0;
      if (depth > maxDepth || ++steps > maxSteps || ++total > maxTotalSteps) return null;
      // Without values from outside, an expression always has the same value: nothing is followed twice.
      if (environment.size > 0 || !kept.has(expression.type))
        return bounded(foldNode(folder, expression, environment, depth));
      const seen = known.get(expression);
      if (seen !== undefined) return seen;
      known.set(expression, null);
      const value = bounded(foldNode(folder, expression, environment, depth));
      known.set(expression, value);
      return value;
    },
  };
  return folder;
}

function foldNode(folder: Folder, node: SyntaxNode, environment: Environment, depth: number): Value | null {
  const fold = (inner: SyntaxNode | null | undefined): Value | null =>
    inner === null || inner === undefined ? null : folder.fold(inner, environment, depth + 1);
  switch (node.type) {
    case 'string':
      return foldString(folder, node, fold);
    case 'concatenated_string': {
      let whole: Value | null = null;
      for (const part of parts(node)) {
        const value = fold(part);
        if (value === null) return null;
        whole = whole === null ? value : add(whole, value);
        if (whole === null) return null;
      }
      return whole;
    }
    case 'integer':
    case 'float':
      return foldNumber(folder.text.slice(node.start, node.end), node.type === 'float');
    case 'true':
      return { kind: 'boolean', value: true };
    case 'false':
      return { kind: 'boolean', value: false };
    case 'none':
      return { kind: 'none' };
    case 'parenthesized_expression':
    case 'named_expression':
      return fold(node.type === 'named_expression' ? field(node, 'value') : firstPart(node));
    case 'unary_operator': {
      const value = fold(field(node, 'argument'));
      if (value?.kind !== 'number') return null;
      const operator = field(node, 'operator')?.type;
      return operator === '-' ? { ...value, value: -value.value } : operator === '+' ? value : null;
    }
    case 'binary_operator':
      return foldBinary(field(node, 'operator')?.type ?? '', fold(field(node, 'left')), fold(field(node, 'right')));
    case 'conditional_expression': {
      const [first, , last] = parts(node);
      const one = fold(first);
      const other = fold(last);
      return one !== null && other !== null && sameValue(one, other) ? one : null;
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'expression_list':
      return foldItems(node, fold);
    case 'dictionary':
      return foldDictionary(node, fold);
    case 'subscript':
      return foldSubscript(node, fold);
    case 'identifier':
      return foldName(folder, node, environment, depth);
    case 'attribute':
      return foldAttribute(folder, node, environment, depth, fold);
    case 'call': {
      const call = folder.callAt(node);
      return call === null ? null : foldCall(folder, call, environment, depth, fold);
    }
    default:
      return null;
  }
}

type Fold = (node: SyntaxNode | null | undefined) => Value | null;

function foldString(folder: Folder, node: SyntaxNode, fold: Fold): Value | null {
  const { bytes, pieces } = stringPieces(node, folder.text);
  if (bytes)
    return pieces.every((piece) => typeof piece === 'string') ? { kind: 'bytes', text: pieces.join('') } : null;
  let text = '';
  let inModuleFolder = false;
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece === 'string') text += piece;
    else {
      const value = fold(piece);
      const written = value === null ? null : printed(value);
      if (written === null || (at > 0 && value?.kind === 'text' && value.inModuleFolder)) return null;
      if (value?.kind === 'text' && value.inModuleFolder) inModuleFolder = true;
      text += written;
    }
    if (text.length > maxText) return null;
  }
  if (inModuleFolder) text = text.replace(/^\/+/u, '');
  return { ...textValue(text), inModuleFolder };
}

/** `str(value)`; null where Python's form is not certain. */
export function printed(value: Value): string | null {
  if (value.kind === 'text') return value.text;
  if (value.kind === 'number') return value.float || !Number.isSafeInteger(value.value) ? null : String(value.value);
  if (value.kind === 'boolean') return value.value ? 'True' : 'False';
  return null;
}

function foldNumber(written: string, float: boolean): Value | null {
  const plain = written.replaceAll('_', '').toLowerCase();
  if (plain.endsWith('j') || plain.endsWith('l')) return null;
  const value = Number(plain);
  return Number.isNaN(value) ? null : numberValue(value, float);
}

function add(left: Value, right: Value): Value | null {
  if (left.kind === 'text' && right.kind === 'text') {
    if (left.path || right.path || right.inModuleFolder || left.text.length + right.text.length > maxText) return null;
    const text = left.inModuleFolder && left.text === '' ? right.text.replace(/^\/+/u, '') : left.text + right.text;
    return { ...left, text };
  }
  if (left.kind === 'bytes' && right.kind === 'bytes') {
    const text = left.text + right.text;
    return text.length > maxText ? null : { kind: 'bytes', text };
  }
  if (left.kind === 'number' && right.kind === 'number')
    return numberValue(left.value + right.value, left.float || right.float);
  if ((left.kind === 'list' || left.kind === 'tuple') && right.kind === left.kind) {
    const items = [...left.items, ...right.items];
    return items.length > maxItems ? null : { kind: left.kind, items };
  }
  return null;
}

function foldBinary(operator: string, left: Value | null, right: Value | null): Value | null {
  if (left === null || right === null) return null;
  if (operator === '+') return add(left, right);
  if (left.kind === 'text' && right.kind === 'text')
    return operator === '/' && (left.path || right.path) ? joinPaths([left, right], true) : null;
  if (operator === '*' && left.kind === 'text' && right.kind === 'number') {
    const long = right.value * left.text.length > maxText || right.value < 0 || left.path;
    return long || !Number.isInteger(right.value) ? null : { ...left, text: left.text.repeat(right.value) };
  }
  if (left.kind !== 'number' || right.kind !== 'number') return null;
  const float = left.float || right.float;
  switch (operator) {
    case '-':
      return numberValue(left.value - right.value, float);
    case '*':
      return numberValue(left.value * right.value, float);
    case '/':
      return right.value === 0 ? null : numberValue(left.value / right.value, true);
    case '//':
      return right.value === 0 ? null : numberValue(Math.floor(left.value / right.value), float);
    case '**':
      return numberValue(left.value ** right.value, float || right.value < 0);
    default:
      return null;
  }
}

function foldItems(node: SyntaxNode, fold: Fold): CollectionValue | null {
  const items: (Value | null)[] = [];
  for (const part of parts(node)) {
    if (part.type !== 'list_splat') items.push(fold(part));
    else {
      const inner = fold(firstPart(part));
      if (inner?.kind !== 'list' && inner?.kind !== 'tuple') return null;
      items.push(...inner.items);
    }
    if (items.length > maxItems) return null;
  }
  return { kind: node.type === 'list' || node.type === 'set' ? node.type : 'tuple', items };
}

function foldDictionary(node: SyntaxNode, fold: Fold): DictValue | null {
  const entries: (readonly [Value | null, Value | null])[] = [];
  for (const part of parts(node)) {
    if (part.type === 'pair') entries.push([fold(field(part, 'key')), fold(field(part, 'value'))]);
    else {
      const inner = part.type === 'dictionary_splat' ? fold(firstPart(part)) : null;
      if (inner?.kind !== 'dict') return null;
      entries.push(...inner.entries);
    }
    if (entries.length > maxItems) return null;
  }
  return { kind: 'dict', entries };
}

function foldSubscript(node: SyntaxNode, fold: Fold): Value | null {
  const object = field(node, 'value');
  const [at, ...others] = fields(node, 'subscript');
  if (object === null || at === undefined || others.length > 0) return null;
  const key = fold(at);
  if (key === null) return null;
  const inner = bare(object);
  // `path.parents[1]`
  if (inner.type === 'attribute' && key.kind === 'number') {
    const path = fold(field(inner, 'object'));
    const attribute = field(inner, 'attribute');
    if (path?.kind === 'text' && path.path && attribute !== null && key.value >= 0 && key.value < 10) {
      let parent: Value | null = path;
      for (let step = 0; step <= key.value && parent !== null; step++) parent = foldMember(parent, 'parent');
      return parent;
    }
  }
  const value = fold(object);
  if ((value?.kind === 'list' || value?.kind === 'tuple') && key.kind === 'number')
    return value.items.at(key.value) ?? null;
  if (value?.kind !== 'dict' || value.entries.some(([known]) => known === null)) return null;
  return value.entries.findLast(([known]) => known !== null && sameValue(known, key))?.[1] ?? null;
}

function foldName(folder: Folder, node: SyntaxNode, environment: Environment, depth: number): Value | null {
  const name = folder.text.slice(node.start, node.end);
  const found = lookUp(name, folder.blockOf(node));
  if (found.length === 0)
    return name === '__file__' ? { kind: 'text', text: folder.file, path: false, inModuleFolder: true } : null;
  return foldBindings(folder, found, environment, depth);
}

function foldBindings(
  folder: Folder,
  found: readonly Binding[],
  environment: Environment,
  depth: number,
): Value | null {
  const [binding, ...others] = found;
  if (binding === undefined || others.length > 0) return null;
  const given = environment.get(binding.node);
  if (given !== undefined) return given;
  if (binding.value === null) return null;
  if (binding.kind === 'assign') {
    // Most names depend on nothing that is given, and are known already.
    const plain = environment.size > 0 ? folder.fold(binding.value, noEnvironment, depth + 1) : null;
    return plain ?? folder.fold(binding.value, environment, depth + 1);
  }
  if (binding.kind !== 'element' || binding.index === null || binding.index < 0) return null;
  const whole = folder.fold(binding.value, environment, depth + 1);
  return whole?.kind === 'tuple' || whole?.kind === 'list' ? (whole.items[binding.index] ?? null) : null;
}

function foldAttribute(
  folder: Folder,
  node: SyntaxNode,
  environment: Environment,
  depth: number,
  fold: Fold,
): Value | null {
  const object = field(node, 'object');
  const attribute = field(node, 'attribute');
  if (object === null || attribute === null) return null;
  const name = folder.text.slice(attribute.start, attribute.end);
  if (object.type === 'identifier') {
    const owner = folder.text.slice(object.start, object.end);
    const block = folder.blockOf(node);
    if (owner === 'os' && name === 'sep') return textValue('/');
    // Its path differs from machine to machine; what it is does not.
    if (owner === 'sys' && name === 'executable') return textValue('python3');
    const type =
      owner === 'self' || owner === 'cls'
        ? block.class
        : (folder.classes.find((known) => known.name === owner) ?? null);
    if (type !== null) {
      const names = type.body.names;
      const inBody = names?.get(name) ?? [];
      const onSelf = names?.get(`.${name}`) ?? [];
      return foldBindings(folder, [...inBody, ...onSelf], environment, depth);
    }
  }
  const value = fold(object);
  return value === null ? null : foldMember(value, name);
}

/** Whether two constants are equal in Python; false where that is not known. */
export function sameValue(left: Value, right: Value): boolean {
  if (left.kind === 'text' && right.kind === 'text')
    return left.text === right.text && left.path === right.path && left.inModuleFolder === right.inModuleFolder;
  if (left.kind === 'number' && right.kind === 'number') return left.value === right.value;
  if (left.kind === 'boolean' && right.kind === 'boolean') return left.value === right.value;
  if (left.kind === 'bytes' && right.kind === 'bytes') return left.text === right.text;
  if (left.kind === 'none') return right.kind === 'none';
  if (left.kind === 'dict' || right.kind !== left.kind || !('items' in left) || !('items' in right)) return false;
  return (
    left.items.length === right.items.length &&
    left.items.every((item, at) => {
      const other = right.items[at];
      return item !== null && other !== null && other !== undefined && sameValue(item, other);
    })
  );
}
