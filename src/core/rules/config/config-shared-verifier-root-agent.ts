import { verifierMode } from '../../task/verifier-mode';
import { tableAt } from '../../text/toml-tree';
import { officialName } from '../../model/base-image';
import { isRootUser, knownImage } from '../image';
import type { Subject } from '../../model/subject';
import type { Rule } from '../rule';
import { firstLine, insertFix, sourceOf, tableRange } from './toml-places';

export const configSharedVerifierRootAgent: Rule = {
  id: 'config-shared-verifier-root-agent',
  severity: 'information',
  confidence: 'likely',
  inputs: ['toml', 'docker'],
  needsDisk: true,
  why: 'In the same container a root agent can replace the interpreter, the tests or the reward; only a separate verifier or an agent without root rights rules that out.',
  docs: {
    finds: "The verifier runs in the agent's container, and the agent is root there. Said once a task.",
    silent:
      "A separate verifier; an agent whose configured user, or whose image's user, is not root; an image whose user is not known.",
    bad: '# neither [agent] user nor a separate verifier',
    good: '[verifier]\nenvironment_mode = "separate"',
  },
  *check(subject) {
    const { toml } = subject;
    const source = sourceOf(toml);
    const config = toml?.config;
    if (source === null || config?.environment.os !== 'linux') return;
    const steps = config.steps.length === 0 ? [null] : config.steps.map((_, index) => index);
    const isExposed = steps.some((step) => {
      if (verifierMode(config, step).mode !== 'shared') return false;
      const user = (step === null ? null : config.steps[step]?.agent.user) ?? config.agent.user;
      return user === null || user === '' ? imageUserIsRoot(subject) : isRootUser(user);
    });
    if (!isExposed) return;
    yield {
      path: ['verifier'],
      range: tableAt(source.root, ['verifier']) ? tableRange(source, ['verifier']) : firstLine(toml),
      message: 'The agent is root in the container in which its work is verified.',
      fixes: insertFix('Verify in a separate container', source, ['verifier'], 'environment_mode = "separate"'),
    };
  },
};

/** Only when it is certain: a compose file or an image of unknown origin may set another user. */
function imageUserIsRoot({ toml, disk, layout }: Subject): boolean {
  if (disk === null || layout?.composeFile !== null) return false;
  const image = toml?.config?.environment.docker_image ?? null;
  if (image !== null) return officialName(image) !== null;
  const text = disk.texts.get('environment/Dockerfile')?.text ?? null;
  const user = text === null ? null : knownImage(text).user;
  return user !== null && isRootUser(user);
}
