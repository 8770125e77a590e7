import { ruleFromProblems } from './from-problems';

const fromTable = ruleFromProblems({
  id: 'config-suspicious-value',
  severity: 'warning',
  confidence: 'certain',
  why: 'Harbor checks no range and no sense: the value is accepted, and will not do what it says.',
});

export const configSuspiciousValue = fromTable;
