import type { SyntaxNode } from '../syntax-tree';
import type { Folder } from './fold';
import { noEnvironment, sameValue } from './fold';
import type { Block, Call } from './module';
import { bare, eachNode, field, firstPart, parts } from './nodes';

/** Knows where the absence of a file is provided for. */
export interface Guards {
  /** Whether `node`, which uses the file that `path` names, is not reached, or does not fail, without that file. */
  covers(node: SyntaxNode, block: Block, path: SyntaxNode): boolean;
}

const asks = /^(?:exists|lexists|is_file|isfile|is_dir|isdir|access)$/u;
const missingFile =
  /^(?:FileNotFoundError|OSError|IOError|EnvironmentError|Exception|BaseException|NotADirectoryError|builtins\.\w+)$/u;

interface Asked {
  readonly path: SyntaxNode;
  /** `not path.exists()` */
  readonly negated: boolean;
}

export function createGuards(
  folder: Folder,
  blocks: readonly Block[],
  conditionals: readonly SyntaxNode[],
  calls: readonly Call[],
  fails: (block: Block) => boolean,
): Guards {
  const handlers = new Map<SyntaxNode, Block[]>();
  for (const block of blocks)
    if (block.kind === 'except') handlers.set(block.statement, [...(handlers.get(block.statement) ?? []), block]);
  const askingCalls = calls.some(({ name }) => asks.test(name));

  const asked = (condition: SyntaxNode): readonly Asked[] => {
    const found: Asked[] = [];
    if (!askingCalls) return found;
    const negations: SyntaxNode[] = [];
    eachNode(condition, (inner) => {
      if (inner.type === 'not_operator') negations.push(inner);
      const call = inner.type === 'call' ? folder.callAt(inner) : null;
      if (call === null || !asks.test(call.name)) return undefined;
      const path = call.callee !== null && call.arguments[0] !== undefined ? call.arguments[0] : call.receiver;
      if (path !== null)
        found.push({ path, negated: negations.some(({ start, end }) => start <= inner.start && inner.end <= end) });
      return undefined;
    });
    return found;
  };
  const same = (one: SyntaxNode, other: SyntaxNode): boolean => {
    if (folder.text.slice(one.start, one.end) === folder.text.slice(other.start, other.end)) return true;
    const left = folder.fold(one, noEnvironment, 0);
    const right = left === null ? null : folder.fold(other, noEnvironment, 0);
    if (left?.kind === 'text' && right?.kind === 'text')
      return left.text === right.text && left.inModuleFolder === right.inModuleFolder;
    return left !== null && right !== null && sameValue(left, right);
  };
  const asksFor = (condition: SyntaxNode | null, path: SyntaxNode, negated: boolean): boolean =>
    condition !== null && asked(condition).some((found) => found.negated === negated && same(found.path, path));

  /** `if not path.exists(): return` */
  const leaves = (statement: SyntaxNode): boolean => {
    const body = statement.type === 'if_statement' ? field(statement, 'consequence') : null;
    const last = body === null ? undefined : parts(body).at(-1);
    if (last === undefined) return false;
    if (/^(?:return|continue|break)_statement$/u.test(last.type)) return true;
    const call = last.type === 'expression_statement' ? folder.callAt(firstPart(last) ?? last) : null;
    return call !== null && /^(?:skip|skipTest)$/u.test(call.name);
  };

  return {
    covers(node, start, path) {
      for (let block: Block | null = start; block !== null; block = block.parent) {
        if (
          (block.kind === 'if' || block.kind === 'elif' || block.kind === 'while') &&
          asksFor(block.head, path, false)
        )
          return true;
        if (block.kind === 'else' && asksFor(field(block.statement, 'condition'), path, true)) return true;
        if (block.kind === 'try') {
          const own = handlers.get(block.statement) ?? [];
          if (own.some((handler) => catchesMissing(folder, handler) && !fails(handler))) return true;
        }
        if (block.kind === 'with' && block.head !== null && suppresses(folder, block.head)) return true;
        if (askingCalls)
          for (const statement of block.statements) {
            if (statement.start >= node.start) break;
            if (leaves(statement) && asksFor(field(statement, 'condition'), path, true)) return true;
          }
        if (block.kind === 'function') break;
      }
      if (!askingCalls) return false;
      return conditionals.some((conditional) => {
        if (conditional.start > node.start || conditional.end < node.end) return false;
        const [value, condition, other] = parts(conditional);
        const inside = (place: SyntaxNode | undefined): boolean =>
          place !== undefined && place.start <= node.start && node.end <= place.end;
        return (
          condition !== undefined &&
          ((inside(value) && asksFor(condition, path, false)) || (inside(other) && asksFor(condition, path, true)))
        );
      });
    },
  };
}

/** The names of exceptions that a handler catches; empty for a bare `except`. */
export function caught(text: string, handler: Block): readonly string[] {
  if (handler.head === null) return [];
  let head = bare(handler.head);
  if (head.type === 'as_pattern') head = bare(firstPart(head) ?? head);
  const listed = head.type === 'tuple' ? parts(head) : [head];
  return listed.map((one) => text.slice(one.start, one.end));
}

function catchesMissing(folder: Folder, handler: Block): boolean {
  const names = caught(folder.text, handler);
  return names.length === 0 || names.some((name) => missingFile.test(name));
}

function suppresses(folder: Folder, clause: SyntaxNode): boolean {
  let found = false;
  eachNode(clause, (inner) => {
    const call = inner.type === 'call' ? folder.callAt(inner) : null;
    if (call?.name !== 'suppress') return undefined;
    found ||= call.arguments.some((one) => missingFile.test(folder.text.slice(one.start, one.end)));
    return false;
  });
  return found;
}
