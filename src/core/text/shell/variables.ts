import type { SyntaxNode } from '../syntax-tree';
import { baseName } from './names';
import type { Known, Variables } from './reading';

/** How often each variable is set in a script; read before anything else, since a use may stand before it. */
export type Settings = ReadonlyMap<string, number>;

/** Names that commands set by their words: `read -r a b`. */
const setters: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'unset', 'let']);

export function countSettings(root: SyntaxNode, text: string): Settings {
  const counts = new Map<string, number>();
  const add = (name: string, times: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + times);
  };
  const source = (node: SyntaxNode): string => text.slice(node.start, node.end);
  const visit = (node: SyntaxNode): void => {
    const [first] = node.children;
    if (node.type === 'variable_assignment' && first !== undefined) {
      add(/^\w+/u.exec(source(first))?.[0] ?? '', node.children[1]?.type === '+=' ? 2 : 1);
    } else if (node.type === 'for_statement') {
      const name = node.children.find((child) => child.field === 'variable');
      if (name !== undefined) add(source(name), 2);
    } else if (node.type === 'command' || node.type === 'unset_command') {
      const name = node.children.find((child) => child.type === 'command_name') ?? first;
      if (name !== undefined && setters.has(source(name))) {
        for (const child of node.children)
          if (child !== name && child.named) add(/^\w+/u.exec(source(child))?.[0] ?? '', 2);
      }
    } else if (node.type === 'expansion' && node.children.some((child) => /^:?=$/u.test(child.type))) {
      const name = node.children.find((child) => child.type === 'variable_name');
      if (name !== undefined) add(source(name), 1);
    } else if (node.type === 'postfix_expression' || node.type === 'unary_expression') {
      for (const child of node.children) if (child.type === 'variable_name') add(source(child), 2);
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  return counts;
}

export interface VariableFacts {
  readonly settings: Settings;
  /** From outside: the image's `ENV`, or the script that sources this one. */
  readonly outside: ReadonlyMap<string, string>;
  /** What an earlier pass over the same script found. */
  readonly known: ReadonlyMap<string, string>;
  readonly file: string | null;
  readonly folder: string | null;
  readonly home: string;
}

export interface TrackedVariables extends Variables {
  /** Variables with one and the same constant at every assignment. */
  constants(): ReadonlyMap<string, string>;
  /** True when a variable was used before the assignment that would have told its value. */
  readonly missed: boolean;
}

export function trackVariables(facts: VariableFacts): TrackedVariables {
  const values = new Map<string, { readonly value: string | null; readonly all: readonly (string | null)[] }>();
  const open = new Set<string>();
  let missed = false;

  const builtIn = (name: string): Known => {
    if (name === 'HOME') return facts.outside.get('HOME') ?? facts.home;
    if (name === '0' || name === 'BASH_SOURCE')
      return facts.folder === null || facts.file === null ? null : `${facts.folder}/${baseName(facts.file)}`;
    if (/^\W|^\d/u.test(name) || name.startsWith('PIPESTATUS')) return null;
    if (/^(?:PWD|OLDPWD|RANDOM|SECONDS|LINENO|UID|EUID|PPID|HOSTNAME|USER|REPLY|FUNCNAME)$/u.test(name)) return null;
    return facts.outside.get(name);
  };

  return {
    lookup(name) {
      const settings = facts.settings.get(name) ?? 0;
      if (settings === 0 || open.has(name)) return builtIn(name);
      const known = facts.known.get(name);
      if (known !== undefined) return known;
      const found = values.get(name);
      if (found?.all.length === settings) return found.value;
      missed = true;
      return null;
    },
    choices(name) {
      const all = values.get(name)?.all ?? [];
      if (all.length !== facts.settings.get(name)) return [];
      const known = all.filter((value) => value !== null);
      return known.length === all.length ? known : [];
    },
    begin(name) {
      open.add(name);
    },
    end(name, value) {
      open.delete(name);
      const before = values.get(name);
      const same = before === undefined || before.value === value;
      values.set(name, { value: same ? value : null, all: [...(before?.all ?? []), value] });
    },
    constants() {
      const constants = new Map<string, string>();
      for (const [name, { value, all }] of values)
        if (value !== null && all.length === facts.settings.get(name)) constants.set(name, value);
      return constants;
    },
    get missed() {
      return missed;
    },
  };
}
