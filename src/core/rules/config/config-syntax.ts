import { ruleFromProblems } from './from-problems';

export const configSyntax = ruleFromProblems({
  id: 'config-syntax',
  severity: 'error',
  confidence: 'certain',
  why: 'Harbor cannot read this file, and a task that cannot be read disappears from a dataset run without a message.',
});
