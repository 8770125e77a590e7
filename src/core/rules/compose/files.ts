import { composeReader } from '../../model/readers/compose';
import type { Derivation, Subject } from '../../model/subject';
import { verifierMode } from '../../task/verifier-mode';
import type { ComposeFile, ComposeResult, ComposeService } from '../../text/compose';

/** A compose file that Harbor uses. */
export interface UsedCompose {
  /** Relative to the task folder. */
  readonly file: string;
  /** The folder that its relative paths start from. */
  readonly dir: string;
  readonly role: 'agent' | 'verifier';
  readonly result: ComposeResult;
}

/** The compose files of a task: the environment's, and those of separate verifiers. */
export const composeFiles: Derivation<readonly UsedCompose[]> = {
  name: 'compose-files',
  derive: (subject) => {
    const found: UsedCompose[] = [];
    const add = (file: string, dir: string, role: UsedCompose['role']): void => {
      const result = subject.read(composeReader, file);
      if (result !== null) found.push({ file, dir, role, result });
    };
    const own = subject.layout?.composeFile ?? null;
    if (own !== null) add(own, 'environment', 'agent');
    for (const dir of separateDirs(subject)) add(`${dir}/docker-compose.yaml`, dir, 'verifier');
    return found;
  },
};

function separateDirs(subject: Subject): ReadonlySet<string> {
  const { layout } = subject;
  const config = subject.toml?.config ?? null;
  const dirs = new Set<string>();
  if (layout === null || config === null) return dirs;
  if (layout.steps.length === 0 && verifierMode(config).mode === 'separate' && layout.testsDir !== null)
    dirs.add(layout.testsDir);
  for (const [index, step] of layout.steps.entries()) {
    const dir = step.testsDir ?? layout.testsDir;
    if (dir !== null && verifierMode(config, index).mode === 'separate') dirs.add(dir);
  }
  return dirs;
}

/** The readable ones, service by service. */
export function* servicesOf(
  subject: Subject,
): Generator<{ readonly used: UsedCompose; readonly compose: ComposeFile; readonly service: ComposeService }> {
  for (const used of subject.derive(composeFiles)) {
    if (!used.result.ok) continue;
    for (const service of used.result.compose.services.values()) yield { used, compose: used.result.compose, service };
  }
}
