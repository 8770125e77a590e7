import type { Rule } from '../rule';
import { solutionBackgroundProcess } from './solution-background-process';
import { solutionEditWithoutEffect } from './solution-edit-without-effect';
import { solutionHardcodedAnswer } from './solution-hardcoded-answer';
import { solutionInteractive } from './solution-interactive';
import { solutionMissingFile } from './solution-missing-file';
import { solutionNetwork } from './solution-network';
import { solutionNoErrexit } from './solution-no-errexit';
import { solutionReadsBakedTruth } from './solution-reads-baked-truth';
import { solutionReadsTests } from './solution-reads-tests';
import { solutionWritesReward } from './solution-writes-reward';

/** The rules of this family, in the order of the documentation. */
export const solutionRules: readonly Rule[] = [
  solutionHardcodedAnswer,
  solutionReadsTests,
  solutionReadsBakedTruth,
  solutionWritesReward,
  solutionMissingFile,
  solutionEditWithoutEffect,
  solutionNetwork,
  solutionNoErrexit,
  solutionBackgroundProcess,
  solutionInteractive,
];
