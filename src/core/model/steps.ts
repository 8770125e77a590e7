import { stepDir } from '../task/layout';
import { verifierMode } from '../task/verifier-mode';
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

/** The steps of a task, in order. Empty where there is no folder, or Harbor refuses task.toml. */
export const steps: Derivation<readonly TaskStep[]> = {
  name: 'steps',
  derive: ({ toml, disk, layout }) => {
    const config = toml?.config ?? null;
    if (config === null || disk === null || layout === null) return [];
    const filesIn = (folder: string): ReadonlyMap<string, string> =>
      new Map(
        [...disk.entries].flatMap(([path, kind]) =>
          kind === 'file' && path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), path]] : [],
        ),
      );
    const common = filesIn('tests');
    if (config.steps.length === 0) {
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
          verifier: verifierMode(config).mode,
          agentUser: config.agent.user,
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
