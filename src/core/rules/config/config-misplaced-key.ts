import { ruleFromProblems } from './from-problems';

export const configMisplacedKey = ruleFromProblems({
  id: 'config-misplaced-key',
  severity: 'warning',
  confidence: 'likely',
  why: 'A key belongs to the last table header above it. In the wrong table it is an unknown key, and those are ignored.',
  docs: {
    finds:
      'A key that Harbor knows, in a table where it does not look for it: a root key below a table header, or a key of another table.',
    silent: 'The same name where it is legal.',
    bad: '[verifier]\nartifacts = ["/srv/plan.json"]',
    good: 'artifacts = ["/srv/plan.json"]\n\n[verifier]',
  },
});
