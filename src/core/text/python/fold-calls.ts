import type { SyntaxNode } from '../syntax-tree';
import { argumentFor } from './arguments';
import { maxItems } from './bounds';
import type { Environment, Folder } from './fold';
import { numberValue, printed, textValue } from './fold';
import type { Call } from './module';
import { joinPaths, nameOfPath, normalisePath, parentOf } from './paths';
import type { CollectionValue, TextValue, Value } from './value';

type Fold = (node: SyntaxNode | null | undefined) => Value | null;

const pathTypes = new Set(['Path', 'PurePath', 'PosixPath', 'PurePosixPath']);

/** The attribute of a constant, such as `path.parent`. */
export function foldMember(value: Value, name: string): Value | null {
  if (value.kind !== 'text' || !value.path) return null;
  const base = nameOfPath(value.text);
  const dot = base.lastIndexOf('.');
  switch (name) {
    case 'parent':
      return parentOf(value);
    case 'name':
      return textValue(base);
    case 'stem':
      return textValue(dot > 0 ? base.slice(0, dot) : base);
    case 'suffix':
      return textValue(dot > 0 ? base.slice(dot) : '');
    default:
      return null;
  }
}

/** What a call returns, where that is a constant whatever the machine. */
export function foldCall(
  folder: Folder,
  call: Call,
  environment: Environment,
  depth: number,
  fold: Fold,
): Value | null {
  if (call.spread) return null;
  const { callee, name } = call;
  if (callee !== null) {
    const known = foldKnown(callee, name, call, fold);
    if (known !== undefined) return known;
  }
  if (call.receiver !== null) {
    const receiver = fold(call.receiver);
    if (receiver !== null) return foldMethod(receiver, name, call, fold);
  }
  return foldOwn(folder, call, environment, depth, fold);
}

function texts(call: Call, fold: Fold): readonly TextValue[] | null {
  const values: TextValue[] = [];
  for (const argument of call.arguments) {
    const value = fold(argument);
    if (value?.kind !== 'text') return null;
    values.push(value);
  }
  return values;
}

/** Undefined for a call that is none of those known here. */
function foldKnown(callee: string, name: string, call: Call, fold: Fold): Value | null | undefined {
  const [first] = call.arguments;
  const one = (): TextValue | null => {
    const value = fold(first);
    return value?.kind === 'text' ? value : null;
  };
  if (pathTypes.has(name) && (callee === name || callee === `pathlib.${name}`)) {
    const values = texts(call, fold);
    return values === null || values.length === 0 ? null : joinPaths(values, true);
  }
  switch (callee) {
    case 'str':
    case 'os.fspath': {
      const value = fold(first);
      if (value?.kind === 'text') return { ...value, path: false };
      const written = value === null ? null : printed(value);
      return written === null ? null : textValue(written);
    }
    case 'os.path.join':
    case 'posixpath.join': {
      const values = texts(call, fold);
      return values === null ? null : { ...joinPaths(values, false), path: false };
    }
    case 'os.path.dirname': {
      const value = one();
      return value === null ? null : { ...parentOf(value), path: false };
    }
    case 'os.path.basename': {
      const value = one();
      return value === null ? null : textValue(nameOfPath(value.text));
    }
    case 'os.path.abspath':
    case 'os.path.realpath':
    case 'os.path.normpath': {
      const value = one();
      return value === null ? null : { ...value, text: normalisePath(value.text), path: false };
    }
    case 'textwrap.dedent':
    case 'dedent': {
      const value = one();
      return value === null ? null : { ...value, text: dedent(value.text) };
    }
    case 'shlex.split': {
      const value = one();
      if (value === null || /["'\\]/u.test(value.text)) return null;
      return {
        kind: 'list',
        items: value.text
          .split(/\s+/u)
          .filter(Boolean)
          .map((word) => textValue(word)),
      };
    }
    case 'range':
      return foldRange(call, fold);
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset': {
      if (first === undefined) return { kind: callee === 'frozenset' ? 'set' : callee, items: [] };
      const items = itemsOf(fold(first));
      return items === null ? null : { kind: callee === 'frozenset' ? 'set' : callee, items };
    }
    case 'sorted':
    case 'reversed':
    case 'iter': {
      // The items are the same; their order is not worked out.
      const items = itemsOf(fold(first));
      return items === null ? null : { kind: 'set', items };
    }
    case 'enumerate': {
      const items = itemsOf(fold(first));
      if (items === null || call.arguments.length > 1 || call.keywords.size > 0) return null;
      return { kind: 'list', items: items.map((item, at) => ({ kind: 'tuple', items: [numberValue(at), item] })) };
    }
    case 'zip': {
      const lists = call.arguments.map((argument) => itemsOf(fold(argument)));
      const least = Math.min(...lists.map((list) => list?.length ?? 0));
      if (lists.length === 0 || lists.length > maxItems || lists.includes(null)) return null;
      return {
        kind: 'list',
        items: Array.from({ length: least }, (_, at) => ({
          kind: 'tuple' as const,
          items: lists.map((list) => list?.[at] ?? null),
        })),
      };
    }
    case 'dict':
      if (call.arguments.length > 0) return null;
      return {
        kind: 'dict',
        entries: [...call.keywords].map(([key, value]) => [textValue(key), fold(value)] as const),
      };
    case 'pytest.param':
      return call.arguments.length === 1 ? fold(first) : { kind: 'tuple', items: call.arguments.map(fold) };
    case 'len': {
      const value = fold(first);
      if (value?.kind === 'text' && !value.path) return numberValue(Array.from(value.text).length);
      return value?.kind === 'list' || value?.kind === 'tuple' ? numberValue(value.items.length) : null;
    }
    case 'int':
    case 'float': {
      const value = fold(first);
      if (value?.kind !== 'number' || call.arguments.length > 1) return null;
      return callee === 'int' ? numberValue(Math.trunc(value.value)) : { ...value, float: true };
    }
    default:
      return undefined;
  }
}

function foldRange(call: Call, fold: Fold): CollectionValue | null {
  const numbers = call.arguments.map(fold);
  if (!numbers.every((value) => value?.kind === 'number' && Number.isInteger(value.value))) return null;
  const values = numbers.map((value) => (value?.kind === 'number' ? value.value : 0));
  const [start, stop, step] =
    values.length === 1 ? [0, values[0] ?? 0, 1] : [values[0] ?? 0, values[1] ?? 0, values[2] ?? 1];
  if (step === 0 || Math.abs((stop - start) / step) > maxItems) return null;
  const items: Value[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) items.push(numberValue(at));
  return { kind: 'list', items };
}

/** What iterating over a constant gives; null when it is no collection. */
export function itemsOf(value: Value | null): readonly (Value | null)[] | null {
  if (value?.kind === 'list' || value?.kind === 'tuple' || value?.kind === 'set') return value.items;
  if (value?.kind === 'dict') return value.entries.map(([key]) => key);
  return null;
}

function foldMethod(receiver: Value, name: string, call: Call, fold: Fold): Value | null {
  if (receiver.kind === 'dict') {
    if (name === 'items')
      return { kind: 'list', items: receiver.entries.map((entry) => ({ kind: 'tuple', items: entry })) };
    if (name === 'keys') return { kind: 'list', items: receiver.entries.map(([key]) => key) };
    if (name === 'values') return { kind: 'list', items: receiver.entries.map(([, value]) => value) };
    return null;
  }
  if (receiver.kind === 'bytes') return name === 'decode' ? textValue(receiver.text) : null;
  if (receiver.kind !== 'text') return null;
  const first = fold(call.arguments[0]);
  if (receiver.path) return foldPathMethod(receiver, name, call, fold);
  switch (name) {
    case 'strip':
      return call.arguments.length > 0 ? null : { ...receiver, text: receiver.text.trim() };
    case 'lower':
      return { ...receiver, text: receiver.text.toLowerCase() };
    case 'upper':
      return { ...receiver, text: receiver.text.toUpperCase() };
    case 'encode':
      return /^[\0-\x7f]*$/u.test(receiver.text) ? { kind: 'bytes', text: receiver.text } : null;
    case 'split':
      if (call.arguments.length > 0) return null;
      return {
        kind: 'list',
        items: receiver.text
          .trim()
          .split(/\s+/u)
          .filter(Boolean)
          .map((word) => textValue(word)),
      };
    case 'splitlines':
      return call.arguments.length > 0
        ? null
        : {
            kind: 'list',
            items: receiver.text
              .replace(/\n$/u, '')
              .split('\n')
              .map((line) => textValue(line)),
          };
    case 'join': {
      const items = itemsOf(first);
      if (items === null || first?.kind === 'set') return null;
      const words = items.map((item) => (item?.kind === 'text' ? item.text : null));
      return words.includes(null) ? null : textValue(words.join(receiver.text));
    }
    default:
      return null;
  }
}

function foldPathMethod(receiver: TextValue, name: string, call: Call, fold: Fold): Value | null {
  const values = texts(call, fold);
  if (values === null) return null;
  const [first] = values;
  const folder = receiver.text.slice(0, receiver.text.length - nameOfPath(receiver.text).length);
  switch (name) {
    case 'resolve':
    case 'absolute':
      return { ...receiver, text: normalisePath(receiver.text) };
    case 'expanduser':
      return receiver.text.startsWith('~') ? null : receiver;
    case 'as_posix':
      return { ...receiver, path: false };
    case 'joinpath':
      return joinPaths([receiver, ...values], true);
    case 'with_name':
      return first === undefined ? null : { ...receiver, text: folder + first.text };
    case 'with_suffix': {
      if (first === undefined) return null;
      const stem = foldMember(receiver, 'stem');
      return stem?.kind === 'text' ? { ...receiver, text: folder + stem.text + first.text } : null;
    }
    default:
      return null;
  }
}

/** A function of the file that only returns an expression. */
function foldOwn(folder: Folder, call: Call, environment: Environment, depth: number, fold: Fold): Value | null {
  const called = folder.functionOf(call);
  const [result, ...others] = called?.returns ?? [];
  if (called === null || result === undefined || others.length > 0 || called.yields || depth > 12) return null;
  if (called.decorators.length > 0 && !called.decorators.every(({ name }) => /cache$|^staticmethod$/u.test(name)))
    return null;
  const given = new Map(environment);
  for (const parameter of called.parameters) {
    const argument = argumentFor(called, call, parameter.name);
    const value = argument === null ? null : fold(argument);
    if (value !== null) given.set(parameter.node, value);
  }
  return folder.fold(result, given, depth + 4);
}

function dedent(text: string): string {
  const lines = text.split('\n');
  let margin: string | null = null;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = /^[ \t]*/u.exec(line)?.[0] ?? '';
    if (margin === null) margin = indent;
    else while (!indent.startsWith(margin)) margin = margin.slice(0, -1);
  }
  const cut = margin?.length ?? 0;
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(cut))).join('\n');
}
