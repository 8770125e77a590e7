import { configDeprecatedKey } from './config-deprecated-key';
import { configInvalidValue } from './config-invalid-value';
import { configMisplacedKey } from './config-misplaced-key';
import { configSuspiciousValue } from './config-suspicious-value';
import { configSyntax } from './config-syntax';
import { configUnknownKey } from './config-unknown-key';
import type { Rule } from './rule';

/** Every static rule there is, in the order of the documentation. */
export const rules: readonly Rule[] = [
  configSyntax,
  configInvalidValue,
  configUnknownKey,
  configMisplacedKey,
  configSuspiciousValue,
  configDeprecatedKey,
];
