import { testsSyntaxError } from './tests-syntax-error';
import { testsAssertNothing } from './tests-assert-nothing';
import { testsAlwaysTrue } from './tests-always-true';
import { testsSwallowedFailure } from './tests-swallowed-failure';
import { testsSkipped } from './tests-skipped';
import { testsDuplicateName } from './tests-duplicate-name';
import { testsVacuousLoop } from './tests-vacuous-loop';
import { testsAsyncNotAwaited } from './tests-async-not-awaited';
import { testsSourceGrep } from './tests-source-grep';
import { testsSubstringOnly } from './tests-substring-only';
import { testsFixedSleep } from './tests-fixed-sleep';
import { testsWallClock } from './tests-wall-clock';
import { testsUnseededRandom } from './tests-unseeded-random';
import { testsCurrentDate } from './tests-current-date';
import { testsFloatEquality } from './tests-float-equality';
import { testsOrderDependence } from './tests-order-dependence';
import { testsExactText } from './tests-exact-text';
import { testsGradesPath } from './tests-grades-path';
import { testsLeavesProcess } from './tests-leaves-process';
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
  testsSyntaxError,
  testsAssertNothing,
  testsAlwaysTrue,
  testsSwallowedFailure,
  testsSkipped,
  testsDuplicateName,
  testsVacuousLoop,
  testsAsyncNotAwaited,
  testsSourceGrep,
  testsSubstringOnly,
  testsFixedSleep,
  testsWallClock,
  testsUnseededRandom,
  testsCurrentDate,
  testsFloatEquality,
  testsOrderDependence,
  testsExactText,
  testsGradesPath,
  testsLeavesProcess,
  testsExpectedFromAgentSpace,
  testsExistenceOnly,
  testsUndeclaredArtifact,
  testsMissingInput,
  testsImportsSolution,
  testsDegenerateIntegrityCheck,
  testsOutputMayBeLink,
  testsReadsInstructionFile,
];
