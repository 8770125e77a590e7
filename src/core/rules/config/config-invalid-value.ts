import { ruleFromProblems } from './from-problems';

export const configInvalidValue = ruleFromProblems({
  id: 'config-invalid-value',
  severity: 'error',
  confidence: 'certain',
  why: 'Harbor checks every value when it loads the task, and one wrong value makes it refuse the whole file.',
});
