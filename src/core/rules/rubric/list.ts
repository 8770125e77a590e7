import { rubricCompound } from './rubric-compound';
import { rubricDominantWeight } from './rubric-dominant-weight';
import { rubricDuplicateId } from './rubric-duplicate-id';
import { rubricNoPositive } from './rubric-no-positive';
import { rubricNotBinary } from './rubric-not-binary';
import { rubricNotSelfContained } from './rubric-not-self-contained';
import { rubricOverlap } from './rubric-overlap';
import { rubricPolarity } from './rubric-polarity';
import { rubricSize } from './rubric-size';
import { rubricSyntax } from './rubric-syntax';
import { rubricTestable } from './rubric-testable';
import { rubricWeight } from './rubric-weight';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const rubricRules: readonly Rule[] = [
  rubricSyntax,
  rubricWeight,
  rubricNoPositive,
  rubricSize,
  rubricDuplicateId,
  rubricCompound,
  rubricNotBinary,
  rubricNotSelfContained,
  rubricPolarity,
  rubricDominantWeight,
  rubricTestable,
  rubricOverlap,
];
