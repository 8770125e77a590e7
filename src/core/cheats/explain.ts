import { defence } from './defences';
import type { Facts, Place, RunnerFact } from './facts';
import type { HitExplanation, Strategy } from './strategy';

export interface HitContext {
  readonly facts: Facts;
  /** What the script said that it planted. */
  readonly planted: readonly string[];
  /** The reward as it was written. */
  readonly reward: string;
  /** The command that runs this cheat again. */
  readonly command: string;
}

/** The four texts of a hit, in this task's names (cheats.md, section 9). Lines are shown counting from 1. */
export function explainHit(strategy: Strategy, hit: HitContext): HitExplanation {
  return {
    whatHappened: whatHappened(strategy, hit),
    whyItWorked: whyItWorked(strategy, hit),
    whatToChange: whatToChange(strategy, hit),
    howToCheck: howToCheck(hit.command),
  };
}

/** What a denial means, for the same places. */
export function explainDenial(strategy: Strategy, hit: HitContext): HitExplanation {
  return {
    whatHappened: `The script left ${listed(hit.planted)}. An agent can make this trial end in an error instead of 0.`,
    whyItWorked: `${cleared(hit.facts)}.`,
    whatToChange: whatToChange(strategy, hit),
    howToCheck: howToCheck(hit.command),
  };
}

export interface AuthorHit {
  /** `cheat:<name>` or `variant:<name>`. */
  readonly label: string;
  readonly isVariant: boolean;
  readonly title: string | null;
  readonly targets: string | null;
  readonly expect: string;
  readonly reward: string;
  /** Where the entry is, relative to the workspace root. */
  readonly path: string;
  readonly command: string;
}

/** The four texts for an author's own entry that did not get the reward it is to get. */
export function explainAuthorHit(hit: AuthorHit): HitExplanation {
  const named = hit.title === null ? `The entry ${hit.label}` : `The entry ${hit.label} (${hit.title})`;
  const targets = hit.targets === null ? null : `“${hit.targets}”`;
  if (hit.isVariant)
    return {
      whatHappened: `${named} solves the task in another way; the verifier gave ${hit.reward}, and ${hit.expect} was expected.`,
      whyItWorked: `The tests ask for more than the instruction does, or for one way of doing it${targets === null ? '' : `; the entry stands for ${targets}`}.`,
      whatToChange: `Let the tests judge what the instruction states, or state in the instruction what they ask for. If ${hit.path} is wrong, mend it or move it to the cheats.`,
      howToCheck: howToCheck(hit.command),
    };
  return {
    whatHappened: `${named} does not solve the task; the verifier gave ${hit.reward}, and ${hit.expect} was expected.`,
    whyItWorked:
      targets === null
        ? `No test tells what ${hit.path} does from a right solution.`
        : `No test checks the requirement that it violates: ${targets}.`,
    whatToChange:
      targets === null
        ? `Add a test that ${hit.path} fails and the reference solution passes.`
        : `Add a test for ${targets} that ${hit.path} fails and the reference solution passes.`,
    howToCheck: howToCheck(hit.command),
  };
}

function howToCheck(command: string): string {
  return `Run this cheat again: ${command}`;
}

function whatHappened(strategy: Strategy, { planted, reward }: HitContext): string {
  const gave = `the verifier gave ${reward}`;
  const plants = listed(planted);
  switch (strategy.id) {
    case 'reward-json':
    case 'reward-txt':
      return `The script wrote ${plants} itself; the reward was then ${reward}.`;
    case 'out-touch':
      return `The script created ${plants}, empty; ${gave}.`;
    case 'out-minimal':
      return `The script wrote the least that is valid to ${plants}; ${gave}.`;
    case 'out-duplicate':
      return `The script wrote a copy with every record twice to ${plants}; ${gave}.`;
    case 'grader-overwrite':
      return `The script replaced ${plants} by a program that only says that all is well; ${gave}.`;
    default:
      return `The script planted ${plants}; ${gave}.`;
  }
}

function whyItWorked(strategy: Strategy, hit: HitContext): string {
  const { facts, planted } = hit;
  switch (strategy.id) {
    case 'reward-json':
      return `reward.json is read before reward.txt, and ${lowerFirst(cleared(facts))}.`;
    case 'reward-txt':
    case 'reward-block':
      return `${cleared(facts)}.`;
    case 'tests-conftest':
    case 'tests-config':
    case 'root-config':
    case 'pytest-plugin': {
      const source =
        strategy.id === 'pytest-plugin'
          ? 'loads every plug-in that is installed'
          : 'takes its configuration from the folder of the tests and from those above it';
      return `${runner(facts, 'pytest')}, and pytest ${source}.`;
    }
    case 'workdir-shadow':
      return `${runner(facts, 'python')}, and Python looks for modules in the working directory first.`;
    case 'user-site':
      return `${runner(facts, 'python')}, and Python runs what lies in the user's own site folder.`;
    case 'out-touch':
    case 'out-minimal':
    case 'out-duplicate': {
      const read = usesOf(facts, planted);
      const accept =
        strategy.id === 'out-touch'
          ? 'is content with its being there'
          : strategy.id === 'out-minimal'
            ? 'is content with its format'
            : 'does not mind what is there twice';
      return read === null
        ? `Nothing in tests/ names the output, so the verifier ${accept}.`
        : `The output is looked at in ${read}, which ${accept}.`;
    }
    case 'grader-overwrite': {
      const run = usesOf(facts, planted);
      return `The program lies in the image, where an agent can write, and the verifier runs it${run === null ? '' : ` (${run})`}.`;
    }
    default:
      return `An agent could do the same: ${strategy.imitates}.`;
  }
}

function whatToChange(strategy: Strategy, { facts, planted }: HitContext): string {
  switch (strategy.id) {
    case 'reward-json':
    case 'reward-txt':
    case 'reward-block':
      return 'Delete both reward files at the top of tests/test.sh: chmod 700 /logs/verifier, then rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json.';
    case 'tests-conftest':
    case 'tests-config':
    case 'root-config':
    case 'pytest-plugin': {
      const at = firstRunner(facts, 'pytest');
      return `${defence('D-pytest') ?? ''}${at === null ? '' : ` The command is at ${show(at)}.`}`;
    }
    case 'workdir-shadow':
    case 'user-site': {
      const at = firstRunner(facts, 'python');
      return `${defence('D-isolated') ?? ''}${at === null ? '' : ` The command is at ${show(at)}.`}`;
    }
    case 'out-touch':
    case 'out-minimal':
      return `Compare the content of ${listed(planted)} with values you compute in the test.`;
    case 'out-duplicate':
      return `Compare the complete content of ${listed(planted)} with what is expected, or count its records.`;
    case 'grader-overwrite':
      return `Move ${listed(planted)} into tests/ and run it from there: /tests is uploaded only after the agent.`;
    default:
      return strategy.beatenBy.flatMap((id) => defence(id) ?? []).join(' ');
  }
}

/** Whether the test script takes away old rewards, as far as its words tell. */
function cleared(facts: Facts): string {
  const write = facts.pathUses.find(({ path }) => path.startsWith('/logs/verifier/reward.'));
  const removes = facts.verifierCommands.some((command) => /^(?:.*\/)?rm$/.test(command));
  const at = write === undefined ? 'tests/test.sh' : show(write);
  return removes
    ? `What the agent left in /logs/verifier is still there when the reward is read (${at})`
    : `Nothing removes what the agent left in /logs/verifier (${at})`;
}

function runner(facts: Facts, kind: RunnerFact['runner']): string {
  const at = firstRunner(facts, kind);
  return at === null ? 'The verifier runs Python' : `${show(at)} runs “${shorten(at.words.join(' '))}”`;
}

function firstRunner(facts: Facts, kind: RunnerFact['runner']): RunnerFact | null {
  return facts.runners.find((one) => one.runner === kind) ?? facts.runners[0] ?? null;
}

/** The first places, at most three, where the verifier names one of the paths. */
function usesOf(facts: Facts, paths: readonly string[]): string | null {
  const uses = facts.pathUses.filter(({ path }) => paths.includes(path)).map(show);
  return uses.length === 0 ? null : [...new Set(uses)].slice(0, 3).join(', ');
}

function show({ file, line }: Place): string {
  return `${file}:${line + 1}`;
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing that it named';
  if (paths.length <= 3) return paths.join(', ');
  return `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
}

function shorten(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length <= 120 ? flat : `${flat.slice(0, 119)}…`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
