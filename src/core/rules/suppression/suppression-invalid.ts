import type { Rule } from '../rule';

/** Told when findings are let pass (`core/suppression/conclude.ts`), not by a check of its own. */
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
  check: () => [],
};
