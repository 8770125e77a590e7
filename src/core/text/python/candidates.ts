import type { SyntaxNode } from '../syntax-tree';
import { argumentFor } from './arguments';
import type { Environment, Folder } from './fold';
import { noEnvironment } from './fold';
import { itemsOf } from './fold-calls';
import type { Binding, Call, Decorator, Fixture, PythonFunction } from './module';
import { lookUp } from './names';
import { eachNode } from './nodes';
import type { Value } from './value';

/** What else must be known to say which values a name can have. */
export interface Callers {
  readonly folder: Folder;
  readonly functions: readonly PythonFunction[];
  fixtureOf(name: string): Fixture | null;
  callsOf(called: PythonFunction): readonly Call[];
}

const maxValues = 64;
const maxDepth = 4;

/** See `PythonModule.foldAll`. */
export function foldAll(callers: Callers, expression: SyntaxNode, depth = 0): readonly Value[] {
  const { folder } = callers;
  const one = folder.fold(expression, noEnvironment, 0);
  if (one !== null) return [one];
  if (depth > maxDepth) return [];
  const open = openNames(folder, expression);
  if (open === null || open.length === 0) return [];
  let environments: Environment[] = [noEnvironment];
  for (const group of groupsOf(open)) {
    const values = valuesOf(callers, group, depth);
    if (values === null || values.length * environments.length > maxValues) return [];
    environments = environments.flatMap((before) => values.map((value) => new Map([...before, ...value])));
  }
  const folded = environments.map((environment) => folder.fold(expression, environment, 0));
  return folded.every((value) => value !== null) ? folded : [];
}

/** The loop variables and parameters that an expression depends on; null when it depends on something else. */
export function openNames(folder: Folder, expression: SyntaxNode): readonly Binding[] | null {
  const open = new Set<Binding>();
  const seen = new Set<SyntaxNode>();
  const state = { closed: true };
  const follow = (node: SyntaxNode, depth: number): void => {
    if (depth > maxDepth * 2 || seen.size > 400) {
      state.closed = false;
      return;
    }
    eachNode(node, (inner) => {
      if (!state.closed || seen.has(inner)) return false;
      if (inner.type !== 'identifier' || inner.field === 'attribute' || inner.field === 'name') return undefined;
      seen.add(inner);
      const found = lookUp(folder.text.slice(inner.start, inner.end), folder.blockOf(inner));
      const [binding, ...others] = found;
      if (binding === undefined || binding.kind === 'import' || binding.kind === 'function') return undefined;
      if (binding.kind === 'class') return undefined;
      if (others.length > 0) state.closed = false;
      else if (binding.kind === 'loop' || binding.kind === 'parameter') open.add(binding);
      else if ((binding.kind === 'assign' || binding.kind === 'element') && binding.value !== null)
        follow(binding.value, depth + 1);
      else state.closed = false;
      return undefined;
    });
  };
  follow(expression, 0);
  return state.closed ? [...open] : null;
}

/** Names that get their values together: those of one loop, and those of one function. */
function groupsOf(names: readonly Binding[]): readonly (readonly Binding[])[] {
  const groups = new Map<unknown, Binding[]>();
  for (const name of names) {
    const key = name.kind === 'loop' ? name.value : name.block;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [name]);
    else group.push(name);
  }
  return [...groups.values()];
}

function valuesOf(callers: Callers, group: readonly Binding[], depth: number): readonly Environment[] | null {
  const [first] = group;
  if (first === undefined) return null;
  if (first.kind === 'loop') return loopValues(callers.folder, group);
  const owner = first.block.function;
  if (owner === null || first.block.kind === 'lambda') return null;
  const marked = [...owner.decorators, ...(owner.class?.decorators ?? [])].filter(({ name }) =>
    name.endsWith('mark.parametrize'),
  );
  let environments: Environment[] = [noEnvironment];
  const left = new Set(group);
  const join = (values: readonly Environment[]): boolean => {
    environments = environments.flatMap((before) => values.map((value) => new Map([...before, ...value])));
    return environments.length <= maxValues;
  };
  for (const mark of marked) {
    const { names, rows } = parametrized(callers.folder, mark);
    const covered = [...left].filter(({ name }) => names.includes(name));
    if (covered.length === 0) continue;
    const values = rows === null ? null : rowValues(covered, names, rows);
    if (values === null || !join(values)) return null;
    for (const binding of covered) left.delete(binding);
  }
  for (const binding of left) {
    const fixture = callers.fixtureOf(binding.name);
    if (fixture === null || !(owner.name.startsWith('test') || isFixture(owner))) continue;
    const [result, ...others] = fixture.function.returns;
    const value = result === undefined || others.length > 0 ? null : callers.folder.fold(result, noEnvironment, 0);
    if (value === null || !join([new Map([[binding.node, value]])])) return null;
    left.delete(binding);
  }
  if (left.size === 0) return environments;
  const calls = callers.callsOf(owner);
  if (calls.length === 0) return null;
  const perCall: Environment[] = [];
  for (const call of calls) {
    let own: Environment[] = [noEnvironment];
    for (const binding of left) {
      const given = argumentFor(owner, call, binding.name);
      const values = given === null ? [] : foldAll(callers, given, depth + 1);
      if (values.length === 0 || values.length * own.length > maxValues) return null;
      own = own.flatMap((before) => values.map((value) => new Map([...before, [binding.node, value]])));
    }
    perCall.push(...own);
  }
  return join(distinct(perCall)) ? environments : null;
}

function distinct(environments: readonly Environment[]): readonly Environment[] {
  const seen = new Map<string, Environment>();
  for (const environment of environments) seen.set(JSON.stringify([...environment.values()]), environment);
  return [...seen.values()];
}

function isFixture(owner: PythonFunction): boolean {
  return owner.decorators.some(({ name }) => /(?:^|\.)fixture$/u.test(name));
}

function loopValues(folder: Folder, group: readonly Binding[]): readonly Environment[] | null {
  const iterable = group[0]?.value ?? null;
  const items = iterable === null ? null : itemsOf(folder.fold(iterable, noEnvironment, 0));
  if (items === null || items.length > maxValues) return null;
  const names = group.map(({ name }) => name);
  return rowValues(
    group,
    names,
    items,
    group.map(({ index }) => index),
  );
}

/** The values of names in each row; `places` says which part of a row a name takes, the row itself where null. */
function rowValues(
  bindings: readonly Binding[],
  names: readonly string[],
  rows: readonly (Value | null)[],
  places: readonly (number | null)[] = bindings.map(({ name }) => (names.length === 1 ? null : names.indexOf(name))),
): readonly Environment[] | null {
  const environments: Environment[] = [];
  for (const row of rows) {
    const environment = new Map<SyntaxNode, Value>();
    for (const [at, binding] of bindings.entries()) {
      const place = places[at] ?? null;
      const value = place === null ? row : (itemsOf(row)?.[place] ?? null);
      if (value === null || row?.kind === 'set') return null;
      environment.set(binding.node, value);
    }
    environments.push(environment);
  }
  return environments;
}

/** The names of a `parametrize` mark and its rows; no rows where they are not constant. */
export function parametrized(
  folder: Folder,
  mark: Decorator,
): { readonly names: readonly string[]; readonly rows: readonly (Value | null)[] | null } {
  const first = mark.call?.arguments[0] ?? mark.call?.keywords.get('argnames');
  const second = mark.call?.arguments[1] ?? mark.call?.keywords.get('argvalues');
  const named = first === undefined ? null : folder.fold(first, noEnvironment, 0);
  const names =
    named?.kind === 'text'
      ? named.text.split(',').map((name) => name.trim())
      : (itemsOf(named) ?? []).map((item) => (item?.kind === 'text' ? item.text : ''));
  return { names, rows: second === undefined ? null : itemsOf(folder.fold(second, noEnvironment, 0)) };
}
