import { ruleFromProblems } from './from-problems';

export const configUnknownKey = ruleFromProblems({
  id: 'config-unknown-key',
  severity: 'warning',
  confidence: 'certain',
  why: 'Harbor ignores a key that it does not know, so the setting has no effect and nothing says so.',
});
