import type { Rule } from '../rule';

/** Told when findings are let pass (`core/suppression/conclude.ts`), not by a check of its own. */
export const suppressionMisplaced: Rule = {
  id: 'suppression-misplaced',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['texts'],
  why: 'The agent would read there what is known to be weak; such allowances belong into taskwright.toml.',
  docs: {
    finds:
      'A `taskwright: allow` comment in an instruction, in `environment/` or in another file that gets into the image. It is not honoured there.',
    silent: 'Such comments in the tests, the solution and `task.toml`.',
    bad: 'FROM python:3\n# taskwright: allow docker-unpinned-pip — old on purpose\nRUN pip install flask',
    good: '# in taskwright.toml\n[[allow]]\nrule = "docker-unpinned-pip"\npath = "tasks/old-shop/environment"\nreason = "old on purpose"',
  },
  check: () => [],
};
