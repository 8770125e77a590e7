import type { Facts, Probe } from './facts';
import { isWhole, probed } from './probe';
import type { CheatLevel, PlannedCheat, Strategy } from './strategy';

export interface CheatSelection {
  /** Ids, or labels of single runs (`reward-block#2`); null is the default set. */
  readonly strategies: readonly string[] | null;
  /** Levels of the default set: 1 and 2 when left out. */
  readonly levels?: readonly CheatLevel[];
}

/** Cheapest and most telling first (cheats.md, section 11); what is not named comes after, by level and id. */
const order = [
  'reward-json',
  'out-touch',
  'out-skeleton',
  'out-example',
  'out-link',
  'tests-conftest',
  'tests-config',
  'root-config',
  'mod-exit0',
  'svc-yes',
  'leftover-answer',
  'workdir-conftest',
  'workdir-config',
  'workdir-shadow',
  'pytest-plugin',
  'user-site',
  'build-file-neuter',
  'grader-overwrite',
  'baseline-overwrite',
  'input-trivialise',
  'mod-always-equal',
  'mod-report-patch',
  'mod-clock',
  'mod-stack-peek',
  'reward-txt',
  'out-minimal',
  'out-duplicate',
];

/**
 * The runs to make, in order, and what is left out with the reason. A strategy is left out only where the static model or
 * the probe shows that it cannot matter. `facts` may be incomplete, `probe` missing: then it is run.
 */
export function planCheats(
  strategies: readonly Strategy[],
  facts: Facts,
  probe: Probe | null,
  selection: CheatSelection,
): readonly PlannedCheat[] {
  const levels = selection.levels ?? [1, 2];
  const wanted = selection.strategies;
  return [...strategies]
    .filter((strategy) =>
      wanted === null
        ? strategy.isDefault && levels.includes(strategy.level)
        : wanted.some((name) => idOf(name) === strategy.id),
    )
    .sort((a, b) => (a.level - b.level === 0 || (a.level < 3 && b.level < 3) ? compare(a, b) : a.level - b.level))
    .flatMap((strategy): PlannedCheat[] => {
      const reason = irrelevant(strategy.id, facts) ?? impossible(strategy.id, probe);
      if (reason !== null) return [{ kind: 'not-applicable', strategy, reason }];
      return strategy.runs
        .map((run, index): PlannedCheat & { kind: 'run' } => ({
          kind: 'run',
          strategy,
          run,
          label: strategy.runs.length === 1 ? strategy.id : `${strategy.id}#${index + 1}`,
        }))
        .filter(({ label }) => wanted === null || wanted.includes(strategy.id) || wanted.includes(label));
    });
}

/** Names of a selection that no strategy or run has. */
export function unknownStrategies(strategies: readonly Strategy[], names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const strategy = strategies.find(({ id }) => id === idOf(name));
    if (strategy === undefined) return true;
    const run = /#(.*)$/.exec(name)?.[1];
    return run !== undefined && !(strategy.runs.length > 1 && strategy.runs.some((_, at) => String(at + 1) === run));
  });
}

function idOf(name: string): string {
  return name.replace(/#.*$/, '');
}

function compare(a: Strategy, b: Strategy): number {
  const rank = (strategy: Strategy): number => {
    const at = order.indexOf(strategy.id);
    return at === -1 ? order.length + strategy.level : at;
  };
  return rank(a) - rank(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Why the static model proves a strategy irrelevant; null when it does not. */
function irrelevant(id: string, facts: Facts): string | null {
  switch (id) {
    case 'tests-conftest':
    case 'tests-config':
    case 'root-config':
    case 'workdir-conftest':
    case 'workdir-config':
    case 'pytest-plugin':
      return facts.verifierUsesPytest ? null : 'nothing in tests/ uses pytest';
    case 'workdir-shadow':
    case 'tests-shadow':
    case 'user-site':
      return facts.verifierUsesPython ? null : 'nothing in tests/ uses Python';
    case 'out-touch':
    case 'out-minimal':
      return facts.outputs.length > 0 ? null : 'the instruction names no output file that is not there already';
    case 'out-duplicate':
      if (!facts.outputs.some(({ kind }) => ['json', 'csv', 'text', 'unknown'].includes(kind)))
        return 'the instruction names no output with records';
      return facts.inputs.length > 0 || facts.examples.some(({ output }) => output !== null)
        ? null
        : 'the instruction names no input and gives no example to copy';
    case 'grader-overwrite':
      return facts.graders.length > 0 ? null : 'the verifier runs no program that the task left in its image';
    default:
      return null;
  }
}

/** Why the probed image makes a strategy impossible for its agent; null when it may work, or nothing is known. */
function impossible(id: string, probe: Probe | null): string | null {
  if (probe === null || !isWhole(probe)) return null;
  const writable = new Set(probed(probe, 'writable'));
  switch (id) {
    case 'reward-json':
    case 'reward-txt':
    case 'reward-block':
      return null;
    case 'tests-conftest':
    case 'tests-config':
    case 'tests-shadow':
      return writable.has('/tests') ? null : 'the agent cannot write to /tests';
    case 'root-config':
      return writable.has('/') ? null : 'the agent cannot write to /';
    case 'workdir-conftest':
    case 'workdir-config':
    case 'workdir-shadow':
      return probed(probe, 'workdir').every((folder) => writable.has(folder))
        ? null
        : 'the agent cannot write to the working directory';
    case 'pytest-plugin':
    case 'user-site':
      return probed(probe, 'python').length > 0 ? null : 'there is no Python in the image';
    default:
      return null;
  }
}
