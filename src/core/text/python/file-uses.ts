import type { SyntaxNode } from '../syntax-tree';
import type { CallSite } from './call-sites';
import type { Environment, Folder } from './fold';
import { recogniseFiles } from './file-calls';
import type { Guards } from './guards';
import type { Block, Call } from './module';
import { lookUp } from './names';
import { bare } from './nodes';
import { filePath } from './paths';
import type { FilePath, TextValue, Value } from './value';

export type FileAction =
  | 'read'
  | 'write'
  /** Looks whether it is there, or what it is: `exists()`, `is_file()`, `stat()`. */
  | 'probe'
  /** Lists a folder: `glob`, `listdir`, `iterdir`. */
  | 'list'
  | 'delete'
  /** Makes a folder. */
  | 'make';

/** What a file does to another. In a helper it appears once for each call that decides the path. */
export interface FileUse {
  readonly call: Call;
  /** The call; in a helper, the one that passes the path. */
  readonly node: SyntaxNode;
  readonly action: FileAction;
  /** The name of what is called: `open`, `read_text`, `exists`, `read_csv`, `connect`. */
  readonly how: string;
  /** The expression of the path; in a helper, what the call passes. */
  readonly pathNode: SyntaxNode;
  /** The literal that spells the path, where it is one: also that of a constant defined elsewhere. */
  readonly literal: SyntaxNode | null;
  /** Null when it cannot be folded. */
  readonly path: FilePath | null;
  /** A pattern of `glob`, below `path`. */
  readonly pattern: string | null;
  /** True when the absence of the file is provided for: inside `if exists()` or a `try` that catches it. */
  readonly guarded: boolean;
  /** The statement's own block; in a helper, that of the call which passes the path. */
  readonly block: Block;
}

const maxUses = 2_000;

export interface FileUseSource {
  readonly folder: Folder;
  readonly calls: readonly Call[];
  readonly guards: Guards;
  sitesOf(expression: SyntaxNode, block: Block): readonly CallSite[];
  valuesOf(expression: SyntaxNode): readonly Value[];
}

export function fileUses(source: FileUseSource): readonly FileUse[] {
  const { folder, guards } = source;
  const uses: FileUse[] = [];
  for (const call of source.calls)
    for (const { action, pathNode, pattern } of recogniseFiles(folder, call))
      for (const site of source.sitesOf(pathNode, call.block)) {
        const values = site.call === null ? source.valuesOf(pathNode) : [folder.fold(pathNode, site.environment, 0)];
        const node = site.call?.node ?? call.node;
        const block = site.call?.block ?? call.block;
        const spelled = site.argument ?? pathNode;
        const guarded =
          guards.covers(call.node, call.block, pathNode) ||
          (site.call !== null && site.argument !== null && guards.covers(site.call.node, block, site.argument));
        for (const value of values.length === 0 ? [null] : values) {
          if (uses.length >= maxUses) return uses;
          const { path, rest } = split(
            action === 'list' ? value : uriFile(value, call),
            action === 'list' && pattern === null,
          );
          uses.push({
            call,
            node,
            action,
            how: call.name,
            pathNode: spelled,
            literal: literalOf(folder, spelled),
            path,
            pattern: pattern === null ? rest : patternText(folder, pattern, site.environment),
            guarded,
            block,
          });
        }
      }
  return uses;
}

function patternText(folder: Folder, node: SyntaxNode, environment: Environment): string | null {
  const value = folder.fold(node, environment, 0);
  return value?.kind === 'text' ? value.text : null;
}

/** The folder before the first wildcard, and the pattern from there. */
function split(value: Value | null, glob: boolean): { readonly path: FilePath | null; readonly rest: string | null } {
  if (!glob || value?.kind !== 'text' || !/[*?[]/u.test(value.text)) return { path: filePath(value), rest: null };
  const cut = value.text.slice(0, value.text.search(/[*?[]/u)).lastIndexOf('/') + 1;
  const folder: TextValue = { ...value, text: value.text.slice(0, cut) };
  return { path: filePath(folder), rest: value.text.slice(cut) };
}

/** SQLite takes `file:/srv/a.db?mode=ro`, and a name for a database in memory. */
function uriFile(value: Value | null, call: Call): Value | null {
  if (call.name !== 'connect' || value?.kind !== 'text') return value;
  if (value.text.startsWith(':')) return null;
  const uri = /^file:([^?]*)/u.exec(value.text);
  return uri === null ? value : { ...value, text: uri[1] ?? '' };
}

/** The literal that an expression is nothing but a name of: `"/a"`, `Path("/a")`, `OUT` where `OUT = Path("/a")`. */
export function literalOf(folder: Folder, expression: SyntaxNode): SyntaxNode | null {
  let node = bare(expression);
  for (let step = 0; step < 12; step++) {
    if (node.type === 'string' || node.type === 'concatenated_string') return node;
    if (node.type === 'identifier') {
      const found = lookUp(folder.text.slice(node.start, node.end), folder.blockOf(node));
      const value = found.length === 1 && found[0]?.kind === 'assign' ? found[0].value : null;
      if (value === null) return null;
      node = bare(value);
      continue;
    }
    const call = folder.callAt(node);
    const [only, ...others] = call?.arguments ?? [];
    if (call === null) return null;
    if (
      only !== undefined &&
      others.length === 0 &&
      /^(?:Path|PurePath|PosixPath|PurePosixPath|str|fspath)$/u.test(call.name)
    )
      node = bare(only);
    else if (
      only === undefined &&
      call.receiver !== null &&
      /^(?:resolve|absolute|as_posix|expanduser)$/u.test(call.name)
    )
      node = bare(call.receiver);
    else return null;
  }
  return null;
}
