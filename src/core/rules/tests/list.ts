import { testsExpectedFromAgentSpace } from './tests-expected-from-agent-space';
import { testsExistenceOnly } from './tests-existence-only';
import { testsUndeclaredArtifact } from './tests-undeclared-artifact';
import { testsMissingInput } from './tests-missing-input';
import { testsImportsSolution } from './tests-imports-solution';
import { testsDegenerateIntegrityCheck } from './tests-degenerate-integrity-check';
import { testsOutputMayBeLink } from './tests-output-may-be-link';
import { testsReadsInstructionFile } from './tests-reads-instruction-file';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const testsRules: readonly Rule[] = [
  testsExpectedFromAgentSpace,
  testsExistenceOnly,
  testsUndeclaredArtifact,
  testsMissingInput,
  testsImportsSolution,
  testsDegenerateIntegrityCheck,
  testsOutputMayBeLink,
  testsReadsInstructionFile,
];
