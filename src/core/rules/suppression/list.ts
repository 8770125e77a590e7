import { suppressionInvalid } from './suppression-invalid';
import { suppressionMisplaced } from './suppression-misplaced';
import { suppressionUnused } from './suppression-unused';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const suppressionRules: readonly Rule[] = [suppressionMisplaced, suppressionInvalid, suppressionUnused];
