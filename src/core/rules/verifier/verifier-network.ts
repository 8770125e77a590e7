import { baseName } from '../../model/container-path';
import { isExternalHost } from '../../model/hosts';
import { needOf } from '../../model/shell-network';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import { networkPlan } from '../../task/network';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { verifierCommands } from './verifier-commands';
import { isInstall } from './verifier-runtime-install';

export const verifierNetwork: Rule = {
  id: 'verifier-network',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:test', 'py:tests', 'toml', 'tree'],
  needsDisk: true,
  why: 'The reward then depends on somebody else’s server, on what it answers that day and on whether it answers.',
  docs: {
    finds:
      'The test script or a test talks to a host outside of the task: by `curl`, `wget`, `git`, or an HTTP client of Python.',
    silent:
      'The own machine, services of the compose file, hosts of a declared allow-list, addresses that are only compared, and installs, which `verifier-runtime-install` names.',
    bad: 'requests.get("https://api.tides.example.com/now")',
    good: 'json.load(open("/tests/tides.json"))',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  const config = subject.toml?.config;
  if (!config) return;
  const isDeclared = (step: number | null, host: string): boolean =>
    networkPlan(config, step).verifier.hosts.some((allowed) => {
      const plain = allowed.toLowerCase().replace(/^\*?\./u, '');
      return host.toLowerCase() === plain || host.toLowerCase().endsWith(`.${plain}`);
    });
  for (const one of subject.derive(verifierCommands)) {
    const need = needOf(one.command);
    const host = need?.host ?? null;
    if (need === null || host === null || isInstall(one, need) || isDeclared(one.view.step.index, host)) continue;
    yield* claimAt(
      subject,
      { file: one.file, start: need.start, end: need.end },
      {
        message: `${baseName(one.file)} asks ${host} while it grades.`,
      },
    );
  }
  for (const { step, reach } of subject.derive(stepViews)) {
    for (const { file, python, via } of reach.files) {
      if (python === null || via === 'read') continue;
      for (const { host, targetNode, node } of python.requests) {
        if (host === null || !isExternalHost(host) || isDeclared(step.index, host)) continue;
        const place = targetNode ?? node;
        yield* claimAt(
          subject,
          { file, start: place.start, end: place.end },
          {
            message: `${baseName(file)} asks ${host} while it grades.`,
          },
        );
      }
    }
  }
}
