import type { Rule } from '../rule';
import { consistencyDuplicatedAssetDrift } from './consistency-duplicated-asset-drift';
import { consistencyNamedTechnology } from './consistency-named-technology';
import { consistencyNumberUntested } from './consistency-number-untested';
import { consistencyOracleSkipsOutput } from './consistency-oracle-skips-output';
import { consistencyOutputNotInInstruction } from './consistency-output-not-in-instruction';
import { consistencyOutputUntested } from './consistency-output-untested';
import { consistencyPathSpelling } from './consistency-path-spelling';
import { consistencyPortMismatch } from './consistency-port-mismatch';
import { consistencyProtectedFileUnchecked } from './consistency-protected-file-unchecked';
import { consistencyValueUnknownToAgent } from './consistency-value-unknown-to-agent';

/** The rules of this family, in the order of the documentation. */
export const consistencyRules: readonly Rule[] = [
  consistencyOutputNotInInstruction,
  consistencyOutputUntested,
  consistencyPathSpelling,
  consistencyValueUnknownToAgent,
  consistencyNumberUntested,
  consistencyPortMismatch,
  consistencyProtectedFileUnchecked,
  consistencyOracleSkipsOutput,
  consistencyDuplicatedAssetDrift,
  consistencyNamedTechnology,
];
