import { configDeprecatedKey } from './config-deprecated-key';
import { configInvalidValue } from './config-invalid-value';
import { configMetadataPlaceholder } from './config-metadata-placeholder';
import { configMetadataSchema } from './config-metadata-schema';
import { configMisplacedKey } from './config-misplaced-key';
import { configMissingAgentTimeout } from './config-missing-agent-timeout';
import { configMissingResources } from './config-missing-resources';
import { configMissingVerifierTimeout } from './config-missing-verifier-timeout';
import { configNetworkContradiction } from './config-network-contradiction';
import { configNetworkPublic } from './config-network-public';
import { configTimeoutTooSmall } from './config-timeout-too-small';
import { configPhaseNetworkSwitch } from './config-phase-network-switch';
import { configSecretLiteral } from './config-secret-literal';
import { configSeparateVerifierIncomplete } from './config-separate-verifier-incomplete';
import { configSharedVerifierRootAgent } from './config-shared-verifier-root-agent';
import { configSuspiciousValue } from './config-suspicious-value';
import { configSyntax } from './config-syntax';
import { configUnknownKey } from './config-unknown-key';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const configRules: readonly Rule[] = [
  configSyntax,
  configUnknownKey,
  configMisplacedKey,
  configInvalidValue,
  configSuspiciousValue,
  configMissingAgentTimeout,
  configMissingVerifierTimeout,
  configDeprecatedKey,
  configMissingResources,
  configNetworkContradiction,
  configNetworkPublic,
  configPhaseNetworkSwitch,
  configSecretLiteral,
  configSeparateVerifierIncomplete,
  configSharedVerifierRootAgent,
  configTimeoutTooSmall,
  configMetadataPlaceholder,
  configMetadataSchema,
];
