import { structureEmptyFile } from './structure-empty-file';
import { structureMissingFile } from './structure-missing-file';
import { structureMissingSolution } from './structure-missing-solution';
import { structureStepsMismatch } from './structure-steps-mismatch';
import { structureTaskName } from './structure-task-name';
import { structureTemplateLeftover } from './structure-template-leftover';
import { structureUnreadableFile } from './structure-unreadable-file';
import { structureUnrunnableScript } from './structure-unrunnable-script';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const structureRules: readonly Rule[] = [
  structureMissingFile,
  structureEmptyFile,
  structureMissingSolution,
  structureUnreadableFile,
  structureUnrunnableScript,
  structureStepsMismatch,
  structureTemplateLeftover,
  structureTaskName,
];
