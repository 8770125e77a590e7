import type { Rule } from '../rule';

/** Told when findings are let pass (`core/suppression/conclude.ts`), not by a check of its own. */
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
  check: () => [],
};
