import { isExternalHost } from '../../model/hosts';
import type { NetworkNeed } from '../../model/shell-network';
import { networkNeeds } from '../../model/shell-network';
import { solutionViews } from '../../model/solution-view';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { NetworkPolicy } from '../../task/network';
import { networkPlan } from '../../task/network';
import type { TomlPath } from '../../text/toml-tree';
import { entryAt } from '../../text/toml-tree';
import type { Place } from '../places';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { sourceOf } from './toml-places';

export const configNetworkContradiction: Rule = {
  id: 'config-network-contradiction',
  severity: 'error',
  confidence: 'likely',
  inputs: ['toml', 'shell:test', 'shell:solve', 'instruction', 'tree'],
  needsDisk: true,
  why: 'The declared network policy denies what this command needs, so it cannot work when the task is run.',
  docs: {
    finds:
      'The test script or the solve script installs, downloads or clones something while its phase has no network, or an allow-list without that host; and an instruction that sends the agent to download from such a host. The policy itself gets a note.',
    silent:
      'Local files, the task’s own services, offline installs, and package managers under an allow-list, whose servers the script does not name. A command whose failure is provided for (`||`) is a warning.',
    bad: 'network_mode = "no-network"\n\n# tests/test.sh\npip install pytest==8.4.1',
    good: '# environment/Dockerfile\nRUN pip install --no-cache-dir pytest==8.4.1',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  const config = subject.toml?.config;
  if (!config) return;
  const denied: { readonly phase: 'agent' | 'verifier'; readonly step: number | null; readonly claim: Claim }[] = [];
  for (const { step, reach, instructions } of subject.derive(stepViews)) {
    const plan = networkPlan(config, step.index);
    for (const { file, shell, via } of reach.files) {
      if (shell === null || via === 'read') continue;
      for (const need of networkNeeds(shell)) {
        for (const claim of judge(subject, { file, need, policy: plan.verifier, whose: 'verifier' })) {
          denied.push({ phase: 'verifier', step: step.index, claim });
        }
      }
    }
    for (const { mentions } of instructions) {
      for (const { host, start, end, context } of mentions.urls) {
        if (
          !isDenied(plan.agent, host) ||
          !isExternalHost(host) ||
          context.sentence === null ||
          step.instruction === null
        )
          continue;
        const sentence = instructions.find((one) => one.mentions === mentions)?.sentences[context.sentence];
        if (!/\b(?:download|fetch|clone|curl|wget)\b/i.test(sentence?.words ?? '') || context.negated) continue;
        for (const claim of claimAt(
          subject,
          { file: step.instruction, start, end },
          {
            severity: 'warning',
            message: `The instruction sends the agent to ${host}, which its network policy (${plan.agent.mode}) denies.`,
          },
        )) {
          denied.push({ phase: 'agent', step: step.index, claim });
        }
      }
    }
  }
  for (const { view, files } of subject.derive(solutionViews)) {
    const { agent } = networkPlan(config, view.step.index);
    for (const { file, shell } of files) {
      for (const need of shell === null ? [] : networkNeeds(shell)) {
        for (const claim of judge(subject, { file, need, policy: agent, whose: 'agent' })) {
          denied.push({ phase: 'agent', step: view.step.index, claim });
        }
      }
    }
  }
  for (const { phase, step, claim } of denied) {
    const place = policyPlace(subject, phase, step);
    yield {
      ...claim,
      ...(place !== null && {
        related: [{ file: 'task.toml', range: place.range, message: 'The policy is set here.' }],
      }),
    };
    if (place !== null) {
      yield {
        path: place.path,
        range: place.range,
        severity: 'information',
        message: `Under this policy a command of the ${phase === 'agent' ? 'solution' : 'verifier'} cannot work (${claim.file ?? ''}).`,
      };
    }
  }
}

function isDenied({ mode, hosts }: NetworkPolicy, host: string | null): boolean {
  if (mode === 'public') return false;
  if (mode === 'no-network') return true;
  // Which servers a package manager asks is not said in the script.
  if (host === null) return false;
  const name = host.toLowerCase();
  return !hosts.some((allowed) => {
    const plain = allowed.toLowerCase().replace(/^\*?\./u, '');
    return name === plain || name.endsWith(`.${plain}`);
  });
}

interface Judged {
  readonly file: string;
  readonly need: NetworkNeed;
  readonly policy: NetworkPolicy;
  readonly whose: 'agent' | 'verifier';
}

function judge(subject: Subject, { file, need, policy, whose }: Judged): readonly Claim[] {
  if (!isDenied(policy, need.host)) return [];
  const { context } = need.command;
  const isProvided =
    context.leftOf === '||' || context.rightOf === '||' || context.condition !== null || context.conditional;
  const place: Place = { file, start: need.start, end: need.end };
  const what = need.host === null ? need.tool : `${need.tool} from ${need.host}`;
  return claimAt(subject, place, {
    ...(isProvided && { severity: 'warning' as const }),
    message: `${what} cannot work here: the ${whose}'s network policy is ${policy.mode}.`,
    supersedes: ['solution-network', 'verifier-network', 'verifier-runtime-install', 'verifier-unpinned-install'],
  });
}

/** Where the policy of a phase is written; null when none is. */
function policyPlace(
  { toml }: Subject,
  phase: 'agent' | 'verifier',
  step: number | null,
): { readonly path: TomlPath; readonly range: Claim['range'] } | null {
  const source = sourceOf(toml);
  if (source === null) return null;
  const paths: TomlPath[] = [
    ...(step === null ? [] : [['steps', step, phase, 'network_mode']]),
    [phase, 'network_mode'],
    ...(phase === 'verifier' ? [['verifier', 'environment', 'network_mode']] : []),
    ['environment', 'network_mode'],
    ['environment', 'allow_internet'],
  ];
  for (const path of paths) {
    const entry = entryAt(source.root, path);
    if (entry !== undefined) return { path, range: entry.value.range };
  }
  return null;
}
