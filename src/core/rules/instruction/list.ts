import { instructionCutOff } from './instruction-cut-off';
import { instructionHiddenCharacters } from './instruction-hidden-characters';
import { instructionInjection } from './instruction-injection';
import { instructionMentionsVerifier } from './instruction-mentions-verifier';
import { instructionMissingInput } from './instruction-missing-input';
import { instructionPlaceholder } from './instruction-placeholder';
import { instructionPrescribesMethod } from './instruction-prescribes-method';
import { instructionRelativePath } from './instruction-relative-path';
import { instructionSchemaUndocumented } from './instruction-schema-undocumented';
import { instructionTimeoutMismatch } from './instruction-timeout-mismatch';
import { instructionTooLong } from './instruction-too-long';
import { instructionTooShort } from './instruction-too-short';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const instructionRules: readonly Rule[] = [
  instructionRelativePath,
  instructionPlaceholder,
  instructionCutOff,
  instructionMentionsVerifier,
  instructionTooShort,
  instructionTooLong,
  instructionSchemaUndocumented,
  instructionMissingInput,
  instructionTimeoutMismatch,
  instructionHiddenCharacters,
  instructionInjection,
  instructionPrescribesMethod,
];
