import { dockerAptHygiene } from './docker-apt-hygiene';
import { dockerAptInteractive } from './docker-apt-interactive';
import { dockerAptNoUpdate } from './docker-apt-no-update';
import { dockerAptPinnedVersion } from './docker-apt-pinned-version';
import { dockerBakesAnswer } from './docker-bakes-answer';
import { dockerBytecodeLeft } from './docker-bytecode-left';
import { dockerCopiesTestsOrSolution } from './docker-copies-tests-or-solution';
import { dockerCopyWholeContext } from './docker-copy-whole-context';
import { dockerEntrypointDropsArgs } from './docker-entrypoint-drops-args';
import { dockerGitHistory } from './docker-git-history';
import { dockerLeftoverGenerator } from './docker-leftover-generator';
import { dockerMissingSource } from './docker-missing-source';
import { dockerNoWorkdir } from './docker-no-workdir';
import { dockerNproc } from './docker-nproc';
import { dockerOccupiesHarnessPath } from './docker-occupies-harness-path';
import { dockerPermissionIsNoGuard } from './docker-permission-is-no-guard';
import { dockerPlatformPinned } from './docker-platform-pinned';
import { dockerRemoteScript } from './docker-remote-script';
import { dockerRewardPrecreated } from './docker-reward-precreated';
import { dockerScriptNotExecutable } from './docker-script-not-executable';
import { dockerSecret } from './docker-secret';
import { dockerServiceInCmd } from './docker-service-in-cmd';
import { dockerSyntax } from './docker-syntax';
import { dockerTestDepsInAgentImage } from './docker-test-deps-in-agent-image';
import { dockerUnpinnedBase } from './docker-unpinned-base';
import { dockerUnpinnedOther } from './docker-unpinned-other';
import { dockerUnpinnedPip } from './docker-unpinned-pip';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const dockerRules: readonly Rule[] = [
  dockerSyntax,
  dockerCopiesTestsOrSolution,
  dockerBakesAnswer,
  dockerMissingSource,
  dockerCopyWholeContext,
  dockerUnpinnedBase,
  dockerUnpinnedPip,
  dockerUnpinnedOther,
  dockerAptNoUpdate,
  dockerAptInteractive,
  dockerAptPinnedVersion,
  dockerAptHygiene,
  dockerPlatformPinned,
  dockerRemoteScript,
  dockerSecret,
  dockerGitHistory,
  dockerLeftoverGenerator,
  dockerBytecodeLeft,
  dockerPermissionIsNoGuard,
  dockerRewardPrecreated,
  dockerOccupiesHarnessPath,
  dockerServiceInCmd,
  dockerEntrypointDropsArgs,
  dockerScriptNotExecutable,
  dockerNoWorkdir,
  dockerNproc,
  dockerTestDepsInAgentImage,
];
