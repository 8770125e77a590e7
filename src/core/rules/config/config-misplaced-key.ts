import { ruleFromProblems } from './from-problems';

export const configMisplacedKey = ruleFromProblems({
  id: 'config-misplaced-key',
  severity: 'warning',
  confidence: 'likely',
  why: 'A key belongs to the last table header above it. In the wrong table it is an unknown key, and those are ignored.',
});
