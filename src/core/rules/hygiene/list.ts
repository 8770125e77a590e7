import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const hygieneRules: readonly Rule[] = [];
