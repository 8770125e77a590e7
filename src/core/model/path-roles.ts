import type { InstructionText, PathMention } from '../text/markdown/instruction-text';
import type { AgentSpace } from './agent-space';
import { isAtOrBelow, isSystemPath } from './container-path';
import type { PathRole, PathUse } from './expectations';
import type { RawUse } from './path-uses';
import { mentionOf } from './path-words';

export interface RoleFacts {
  readonly space: AgentSpace;
  readonly instructions: readonly InstructionText[];
  /** All texts of the reference solution. */
  readonly solution: string;
  /** Places that the test script filled from `/tests`. */
  readonly copies: readonly string[];
}

/** Says of each path what it is to the agent. */
export function withRoles(uses: readonly RawUse[], facts: RoleFacts): readonly PathUse[] {
  const written = new Set<string>();
  const given = new Set<string>();
  const made: string[] = [];
  for (const { action, path } of uses) {
    if (action === 'write') written.add(path);
    else if (action === 'argument') given.add(path);
    else if (action === 'make' && isAtOrBelow(path, '/tmp')) made.push(path);
  }
  const mentioned = mentionsByPath(facts.instructions);
  const known = new Map<string, PathRole>();
  const roleOf = (path: string): PathRole => {
    if (isOwn(path, facts.copies)) return 'own';
    if (isHomeFile(path) && !mentioned.has(path)) return 'system';
    if (written.has(path) || made.some((folder) => isAtOrBelow(path, folder))) return 'scratch';
    const roles = (mentioned.get(path) ?? []).map(({ context }) => context.role);
    if (roles.includes('output') || roles.includes('edited')) return 'output';
    const solved = mentionOf(facts.solution, path);
    const isSolved = solved === 'path' || solved === 'name';
    if (given.has(path) && roles.length === 0 && !isSolved) return 'scratch';
    const there = facts.space.has(path);
    if (there === 'yes' || roles.includes('input') || roles.includes('protected')) return 'input';
    if (isSystemPath(path) && roles.length === 0 && solved !== 'path') return 'system';
    if (roles.length > 0 || isSolved) return 'output';
    return there === 'no' ? 'output' : 'unknown';
  };
  return uses.map((use) => {
    const role = known.get(use.path) ?? roleOf(use.path);
    known.set(use.path, role);
    return { ...use, role };
  });
}

/** `/root/.bashrc`, `/home/ida/.local/bin/env`. */
function isHomeFile(path: string): boolean {
  return /^\/(?:root|home\/[^/]+)\/\./u.test(path);
}

function isOwn(path: string, copies: readonly string[]): boolean {
  return ['/tests', '/logs/verifier', '/solution', ...copies].some((folder) => isAtOrBelow(path, folder));
}

/** Absolute paths that instructions name, with where they do. */
export function mentionsByPath(instructions: readonly InstructionText[]): ReadonlyMap<string, readonly PathMention[]> {
  const found = new Map<string, PathMention[]>();
  for (const { mentions } of instructions) {
    for (const mention of mentions.paths) {
      const known = found.get(mention.path);
      if (known === undefined) found.set(mention.path, [mention]);
      else known.push(mention);
    }
  }
  return found;
}
