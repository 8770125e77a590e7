import { isExternalHost } from '../../model/hosts';
import { networkNeeds } from '../../model/shell-network';
import { solutionViews } from '../../model/solution-view';
import { stepViews } from '../../model/step-views';
import { networkPlan } from '../../task/network';
import { entryAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { insertFix, sourceOf, tableRange, tomlFix } from './toml-places';

export const configNetworkPublic: Rule = {
  id: 'config-network-public',
  severity: 'information',
  confidence: 'likely',
  inputs: ['toml', 'instruction', 'shell:solve', 'tree'],
  needsDisk: true,
  why: 'With an open network an agent may look the answer up, and may find another one next month.',
  docs: {
    finds: 'The agent’s network is open, and neither the instruction nor the reference solution needs one.',
    silent:
      'An instruction that names a host elsewhere or speaks of downloading or installing, a solution that does so, a task without a solution to judge by, and profiles in which tasks may not set a policy.',
    bad: '[environment]      # no network_mode: public',
    good: '[environment]\nnetwork_mode = "no-network"',
  },
  *check(subject) {
    const source = sourceOf(subject.toml);
    const config = subject.toml?.config;
    const views = subject.derive(stepViews);
    const solutions = subject.derive(solutionViews);
    if (source === null || !config || views.length === 0 || !subject.profile.networkModeAllowed) return;
    if (solutions.length === 0 || solutions.some(({ script }) => script === null || script.errors.length > 0)) return;
    if (!views.some(({ step }) => networkPlan(config, step.index).agent.mode === 'public')) return;
    // A verifier that installs its tools in the same container needs the network as well.
    const isShared = views.some(({ step }) => step.verifier === 'shared');
    const scripts = [
      ...solutions.flatMap(({ files }) => files),
      ...(isShared ? views.flatMap(({ reach }) => reach.files) : []),
    ];
    if (scripts.some(({ shell }) => shell !== null && networkNeeds(shell).length > 0)) return;
    const asks = views.some(
      ({ instruction, instructions }) =>
        /\b(?:download|install|internet|online|fetch|clone|crawl|scrape)/i.test(instruction) ||
        instructions.some(({ mentions }) => mentions.urls.some(({ host }) => isExternalHost(host))),
    );
    if (asks) return;
    const entry = entryAt(source.root, ['environment', 'network_mode']);
    yield {
      path: entry === undefined ? ['environment'] : ['environment', 'network_mode'],
      range: entry?.value.range ?? tableRange(source, ['environment']),
      message: 'The agent’s network is open, though neither the instruction nor the solution needs one.',
      fixes:
        entry === undefined
          ? insertFix('Close the network', source, ['environment'], 'network_mode = "no-network"')
          : tomlFix('Close the network', [{ range: entry.value.range, newText: '"no-network"' }]),
    };
  },
};
