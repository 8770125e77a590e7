import { syntaxFault } from '../../text/python/syntax-fault';
import type { Rule } from '../rule';
import { claimIn, testModules } from './test-modules';

export const testsSyntaxError: Rule = {
  id: 'tests-syntax-error',
  severity: 'error',
  confidence: 'certain',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'Python refuses the whole file, so that no test in it ever runs and no answer can pass.',
  docs: {
    finds: 'A Python file of `tests/` that does not parse.',
    silent: 'Templates, and files of other languages.',
    bad: "assert headers.get('Enc', ')",
    good: "assert headers.get('Enc', '') == 'gzip'",
  },
  *check(subject) {
    for (const test of subject.derive(testModules)) {
      const fault = syntaxFault(test.module);
      if (fault === null) continue;
      yield* claimIn(subject, test, fault, {
        confidence: fault.certain ? 'certain' : 'likely',
        message: `${test.file} does not parse: ${fault.message}.`,
      });
    }
  },
};
