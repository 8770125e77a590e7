import type { TomlDocument } from '../task/document';
import { stepDir } from '../task/layout';
import { verifierMode } from '../task/verifier-mode';
import { valueAt } from '../text/toml-tree';
import type { Derivation } from './subject';

/** One step of a task; a task without steps has one, whose index is null. Paths are relative to the task folder. */
export interface TaskStep {
  readonly index: number | null;
  readonly name: string | null;
  /** The step's folder; empty for a task without steps. */
  readonly dir: string;
  readonly instruction: string | null;
  /** The step's own, else the shared one. */
  readonly testScript: string | null;
  readonly solveScript: string | null;
  /** What lies under `/tests` when the verifier runs, by path below it: the shared files with the step's laid over. */
  readonly tests: ReadonlyMap<string, string>;
  /** What lies under `/solution` when the oracle runs, by path below it. */
  readonly solution: ReadonlyMap<string, string>;
  readonly verifier: 'shared' | 'separate';
  /** As configured for the step, else for the task; null where neither says. */
  readonly agentUser: string | number | null;
}

/**
 * The steps of a task, in order. Where Harbor refuses task.toml the rest of the folder is judged all the same, as far as
 * the text shows plainly that it is one of a single step; else it is empty, as it is without a folder.
 */
export const steps: Derivation<readonly TaskStep[]> = {
  name: 'steps',
  derive: ({ toml, disk, layout }) => {
    const config = toml?.config ?? null;
    if (toml === null || disk === null || layout === null) return [];
    const single = config === null ? plainShape(toml) : null;
    if (config === null && single === null) return [];
    const filesIn = (folder: string): ReadonlyMap<string, string> =>
      new Map(
        [...disk.entries].flatMap(([path, kind]) =>
          kind === 'file' && path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), path]] : [],
        ),
      );
    const common = filesIn('tests');
    if (config === null || config.steps.length === 0) {
      return [
        {
          index: null,
          name: null,
          dir: '',
          instruction: layout.instruction,
          testScript: layout.testScript,
          solveScript: layout.solveScript,
          tests: common,
          solution: filesIn('solution'),
          verifier: config === null ? (single?.verifier ?? 'shared') : verifierMode(config).mode,
          agentUser: config === null ? (single?.agentUser ?? null) : config.agent.user,
        },
      ];
    }
    return layout.steps.map((step, index): TaskStep => {
      const dir = stepDir(step.name) ?? step.dir;
      const own = filesIn(`${dir}/solution`);
      return {
        index,
        name: step.name,
        dir,
        instruction: step.instruction,
        testScript: step.testScript ?? layout.testScript,
        solveScript: step.solveScript ?? layout.solveScript,
        tests: new Map([...common, ...filesIn(`${dir}/tests`)]),
        solution: own.size > 0 ? own : filesIn('solution'),
        verifier: verifierMode(config, index).mode,
        agentUser: config.steps[index]?.agent.user ?? config.agent.user,
      };
    });
  },
};

/** What a task.toml that Harbor refuses says of verifier and agent; null when it may be of another shape. */
function plainShape({ root, text }: TomlDocument): Pick<TaskStep, 'verifier' | 'agentUser'> | null {
  if (root === null) {
    // Half typed, as a rule: the words that change the shape are looked for in the raw text.
    return /\bsteps\b|environment_mode|verifier\.environment|\bos\b|\buser\b/u.test(text)
      ? null
      : { verifier: 'shared', agentUser: null };
  }
  const os = valueAt(root, ['environment', 'os']);
  if (root.entries.has('steps') || (os !== undefined && !(os.kind === 'string' && os.value === 'linux'))) return null;
  const mode = valueAt(root, ['verifier', 'environment_mode']);
  if (mode !== undefined && !(mode.kind === 'string' && (mode.value === 'shared' || mode.value === 'separate')))
    return null;
  const isSeparate =
    mode?.kind === 'string' ? mode.value === 'separate' : valueAt(root, ['verifier', 'environment']) !== undefined;
  const user = valueAt(root, ['agent', 'user']);
  if (user !== undefined && user.kind !== 'string' && user.kind !== 'integer') return null;
  return { verifier: isSeparate ? 'separate' : 'shared', agentUser: user === undefined ? null : String(user.value) };
}
