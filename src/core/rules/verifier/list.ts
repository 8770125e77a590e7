import { verifierRunsAgentGrader } from './verifier-runs-agent-grader';
import { verifierMissingFile } from './verifier-missing-file';
import { verifierTestNotRun } from './verifier-test-not-run';
import { verifierMakesOwnEvidence } from './verifier-makes-own-evidence';
import { verifierRewardNotAlwaysWritten } from './verifier-reward-not-always-written';
import { verifierErrexitSkipsReward } from './verifier-errexit-skips-reward';
import { verifierWrongStatus } from './verifier-wrong-status';
import { verifierFailureSwallowed } from './verifier-failure-swallowed';
import { verifierRewardUnconditional } from './verifier-reward-unconditional';
import { verifierRewardPath } from './verifier-reward-path';
import { verifierRewardValue } from './verifier-reward-value';
import { verifierStaleReward } from './verifier-stale-reward';
import { verifierRuntimeInstall } from './verifier-runtime-install';
import { verifierUnpinnedInstall } from './verifier-unpinned-install';
import { verifierNetwork } from './verifier-network';
import { verifierSystemPythonInstall } from './verifier-system-python-install';
import { verifierMissingTool } from './verifier-missing-tool';
import { verifierUnboundedWait } from './verifier-unbounded-wait';
import { verifierTrustsAgentBuildFile } from './verifier-trusts-agent-build-file';
import { verifierAgentControlledTestConfig } from './verifier-agent-controlled-test-config';
import { verifierInstallFailureIgnored } from './verifier-install-failure-ignored';
import { verifierRelativePath } from './verifier-relative-path';
import { verifierSourcesAgentFile } from './verifier-sources-agent-file';
import { verifierExitCodeOnly } from './verifier-exit-code-only';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const verifierRules: readonly Rule[] = [
  verifierRewardNotAlwaysWritten,
  verifierErrexitSkipsReward,
  verifierWrongStatus,
  verifierFailureSwallowed,
  verifierRewardUnconditional,
  verifierRewardPath,
  verifierRewardValue,
  verifierStaleReward,
  verifierAgentControlledTestConfig,
  verifierInstallFailureIgnored,
  verifierRelativePath,
  verifierSourcesAgentFile,
  verifierExitCodeOnly,
  verifierRunsAgentGrader,
  verifierMissingFile,
  verifierTestNotRun,
  verifierMakesOwnEvidence,
  verifierRuntimeInstall,
  verifierUnpinnedInstall,
  verifierNetwork,
  verifierSystemPythonInstall,
  verifierMissingTool,
  verifierUnboundedWait,
  verifierTrustsAgentBuildFile,
];
