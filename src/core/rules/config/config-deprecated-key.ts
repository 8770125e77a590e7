import { ruleFromProblems } from './from-problems';

export const configDeprecatedKey = ruleFromProblems({
  id: 'config-deprecated-key',
  severity: 'information',
  confidence: 'certain',
  why: 'Old spellings are converted when the task is loaded, or ignored when the new key is there as well.',
});
