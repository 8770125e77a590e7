import type { Rule } from '../rule';

/** What is said of `taskwright: allow` comments. Found when findings are let pass, not by a rule's own check. */
const nothing: Rule['check'] = () => [];

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
  check: nothing,
};

export const suppressionInvalid: Rule = {
  id: 'suppression-invalid',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['texts'],
  why: 'A comment that lets nothing pass misleads whoever trusts it, and a reason is what a reviewer needs.',
  docs: {
    finds: 'A `taskwright: allow` comment without a rule, with a rule that does not exist, or without a reason.',
    silent: 'A comment that is complete.',
    bad: '# taskwright: allow tests-fixed-sleep',
    good: '# taskwright: allow tests-fixed-sleep — the device needs two seconds',
  },
  check: nothing,
};

export const suppressionUnused: Rule = {
  id: 'suppression-unused',
  severity: 'hint',
  confidence: 'certain',
  inputs: ['texts'],
  why: 'It would hide the next finding that comes to its line.',
  docs: {
    finds: 'A `taskwright: allow` comment whose rule finds nothing on its line or the one below.',
    silent: 'A comment for a rule that is switched off.',
    bad: '# taskwright: allow tests-fixed-sleep — the device needs two seconds\nwait_for(device)',
    good: '# taskwright: allow tests-fixed-sleep — the device needs two seconds\ntime.sleep(2)',
  },
  check: nothing,
};

/** The rules of this family, in the order of the documentation. */
export const suppressionRules: readonly Rule[] = [suppressionMisplaced, suppressionInvalid, suppressionUnused];
