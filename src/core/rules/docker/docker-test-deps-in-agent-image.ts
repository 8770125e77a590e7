import { steps } from '../../model/steps';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds, instructionTexts } from './builds';
import { imageText } from './copied-secrets';

export const dockerTestDepsInAgentImage: Rule = {
  id: 'docker-test-deps-in-agent-image',
  severity: 'hint',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction', 'texts'],
  needsDisk: true,
  why: 'What the verifier alone needs tells the agent how it will be judged, and makes its image larger.',
  docs: {
    finds: "pytest or one of its plugins in the agent's image, where a separate verifier has an image of its own.",
    silent:
      'A verifier that shares the environment, where this may be the right place; a project in the image, or an instruction, that speaks of pytest.',
    bad: 'RUN pip install pytest==8.4.1   # in environment/Dockerfile',
    good: 'RUN pip install pytest==8.4.1   # in tests/Dockerfile',
  },
  *check(subject) {
    const all = subject.derive(steps);
    if (all.length === 0 || all.some(({ verifier }) => verifier !== 'separate')) return;
    if (/pytest/iu.test(instructionTexts(subject))) return;
    for (const { image, role } of subject.derive(builds)) {
      const [first] = image.packages.filter(({ manager, name }) => manager === 'pip' && /^pytest(?:-|$)/u.test(name));
      if (role !== 'agent' || first === undefined) continue;
      if ([...image.files.values()].some((file) => imageText(subject, file)?.includes('pytest') === true)) continue;
      yield* claimAt(
        subject,
        { file: image.file, start: first.start, end: first.end },
        { message: `Only the verifier uses ${first.name}, and it has an image of its own.` },
      );
    }
  },
};
