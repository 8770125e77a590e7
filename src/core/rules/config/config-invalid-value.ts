import { ruleFromProblems } from './from-problems';

export const configInvalidValue = ruleFromProblems({
  id: 'config-invalid-value',
  severity: 'error',
  confidence: 'certain',
  why: 'Harbor checks every value when it loads the task, and one wrong value makes it refuse the whole file.',
  docs: {
    finds:
      'Every value that Harbor refuses: a wrong type, an unknown word of an enumeration, an `env` value that is no string, an `allowed_hosts` entry with a scheme, port or path, fields that exclude each other.',
    silent: 'What Harbor converts, such as `"2"` for a whole number, is only a hint.',
    bad: 'memory = "4GB"',
    good: 'memory_mb = 4096',
  },
});
