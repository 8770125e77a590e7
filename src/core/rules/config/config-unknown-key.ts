import { ruleFromProblems } from './from-problems';

export const configUnknownKey = ruleFromProblems({
  id: 'config-unknown-key',
  severity: 'warning',
  confidence: 'certain',
  why: 'Harbor ignores a key that it does not know, so the setting has no effect and nothing says so.',
  docs: {
    finds: 'A key that Harbor does not define at its place, with the key that was probably meant.',
    silent: 'Everything below `[metadata]`, which is free.',
    bad: '[agent]\ntimeout = 900',
    good: '[agent]\ntimeout_sec = 900',
  },
});
