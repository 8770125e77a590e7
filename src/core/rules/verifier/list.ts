import { verifierRunsAgentGrader } from './verifier-runs-agent-grader';
import { verifierMissingFile } from './verifier-missing-file';
import { verifierTestNotRun } from './verifier-test-not-run';
import { verifierMakesOwnEvidence } from './verifier-makes-own-evidence';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const verifierRules: readonly Rule[] = [
  verifierRunsAgentGrader,
  verifierMissingFile,
  verifierTestNotRun,
  verifierMakesOwnEvidence,
];
