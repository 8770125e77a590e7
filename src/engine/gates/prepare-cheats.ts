import { explainAuthorHit, explainHit } from '../../core/cheats/explain';
import { planCheats } from '../../core/cheats/plan';
import { readFacts } from '../../core/cheats/read-facts';
import type { HitExplanation, Strategy } from '../../core/cheats/strategy';
import type { Files } from '../../core/files';
import { readTaskFolder, subjectOfReading } from '../../core/model/task-reading';
import { harborProfile } from '../../core/rules/profile';
import type { Grammars } from '../../core/text/syntax-tree';
import { pathBelow } from '../../core/workspace';
import { authorRun, loadAuthorEntries } from '../cheats/author-entries';
import { catalogueRun } from '../cheats/catalogue';
import type { Prober } from '../cheats/probe';
import type { Image } from '../sandbox';
import type { CheatRun } from '../trial/spec';
import type { GateTarget } from './options';

/** What trying cheats needs, made once for a run over many tasks. */
export interface CheatKit {
  readonly strategies: readonly Strategy[];
  readonly probe: Prober;
  /** The parsers of what is in `tests/`. Rejects when they cannot be loaded. */
  readonly grammars: () => Promise<Grammars>;
}

/** A cheat of the list, in the list's order: ready to run, or known not to apply. */
export type PreparedCheat =
  | {
      readonly kind: 'run';
      readonly run: CheatRun;
      /** The texts of a hit; `reward` as it was written. */
      readonly explain: (planted: readonly string[], reward: string) => HitExplanation;
    }
  | { readonly kind: 'not-applicable'; readonly strategy: string; readonly reason: string }
  | { readonly kind: 'unusable'; readonly strategy: string; readonly reason: string };

export interface PrepareOptions {
  readonly files: Files;
  readonly rewardKey: string | null;
  /** Ids or labels; null is the default set and all of the author's. */
  readonly strategies: readonly string[] | null;
  /** For the templates of `[solution].env`, which variants get. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Reads the task's facts, looks at its image once, and makes the list of cheats (cheats.md, sections 3, 6 and 11). */
export async function prepareCheats(
  target: GateTarget,
  image: Image | null,
  kit: CheatKit,
  options: PrepareOptions,
): Promise<readonly PreparedCheat[]> {
  const { task } = target;
  const parsers = await parsersOf(kit);
  const reading = await readTaskFolder(options.files, task.dir, options.signal);
  const facts = readFacts(subjectOfReading(reading, { profile: harborProfile, grammars: parsers.grammars }));
  const probe =
    image === null
      ? null
      : await kit.probe({
          image,
          user: task.config?.agent.user ?? null,
          workdir: task.config?.environment.workdir ?? null,
          facts,
          signal: options.signal,
        });
  const planned = planCheats(kit.strategies, facts, probe, { strategies: options.strategies });
  const catalogue = planned.map((one): PreparedCheat => {
    if (parsers.grammars === null && one.strategy.knowledge === 'informed')
      return { kind: 'unusable', strategy: one.kind === 'run' ? one.label : one.strategy.id, reason: parsers.reason };
    if (one.kind === 'not-applicable') return { kind: 'not-applicable', strategy: one.strategy.id, reason: one.reason };
    const command = commandFor(target, one.label);
    return {
      kind: 'run',
      run: catalogueRun(one, facts, options.rewardKey),
      explain: (planted, reward) => explainHit(one.strategy, { facts, planted, reward, command }),
    };
  });
  return [...catalogue, ...(await prepareAuthors(target, options))];
}

type Parsers = { readonly grammars: Grammars } | { readonly grammars: null; readonly reason: string };

/** Without parsers nothing is known of `tests/`, and a cheat that rests on it would pass for one that has no surface. */
async function parsersOf(kit: CheatKit): Promise<Parsers> {
  try {
    return { grammars: await kit.grammars() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      grammars: null,
      reason: `the parsers that read tests/ cannot be loaded (${why}); install taskwright again`,
    };
  }
}

/** The author's own, after the catalogue: cheats first, then variants. */
async function prepareAuthors(target: GateTarget, options: PrepareOptions): Promise<readonly PreparedCheat[]> {
  const { task, workspace } = target;
  const { entries, problems } = await loadAuthorEntries(options.files, workspace, task);
  const isWanted = (label: string): boolean => options.strategies === null || options.strategies.includes(label);
  const usable = entries
    .filter(({ label }) => isWanted(label))
    .map((entry): PreparedCheat => {
      const made = authorRun(entry, task, (name) => options.hostEnv[name]);
      if (!made.ok) return { kind: 'unusable', strategy: entry.label, reason: made.message };
      const { title, targets, expect } = entry.header;
      const about = {
        label: entry.label,
        isVariant: entry.header.kind === 'alternative',
        title,
        targets,
        expect,
        path: pathBelow(workspace.root, entry.path) ?? entry.path,
        command: commandFor(target, entry.label),
      };
      return {
        kind: 'run',
        run: made.run,
        explain: (_planted, reward) => explainAuthorHit({ ...about, reward }),
      };
    });
  const unusable = problems
    .filter(({ label }) => isWanted(label))
    .map(({ label, file, line, message }): PreparedCheat => {
      const place = `${pathBelow(workspace.root, file) ?? file}${line > 0 ? `:${line + 1}` : ''}`;
      return { kind: 'unusable', strategy: label, reason: `${message} (${place})` };
    });
  return [...usable, ...unusable];
}

/** The command that tries one cheat again. */
function commandFor(target: GateTarget, label: string): string {
  return `taskwright gate ${shellWord(target.path)} --gates cheat --strategy ${shellWord(label)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
