import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chooseReward, type Decision } from '../../core/gates/reward';
import type { HarborAgent } from '../../core/results/harbor/agent';
import type { TrialSettings } from '../../core/results/harbor/trial-config';
import {
  trialResultFile,
  type Timing,
  type TrialException,
  type TrialResult,
} from '../../core/results/harbor/trial-result';
import type { RewardReading, TrialRecord } from '../../core/results/record';
import {
  trialFactsFile,
  type NotCopied,
  type PhaseFacts,
  type RewardFacts,
  type TrialFacts,
} from '../../core/results/taskwright-file';
import type { TaskConfig } from '../../core/task/config';
import type { Image } from '../sandbox';
import type { AgentEnd, AgentReport, TaskHashes, TrialContext, Trouble } from './context';
import { diskError, writeWhole } from './disk';
import { scrubFolder, scrubText, type Secrets } from './secrets';
import type { TrialSpec } from './spec';
import type { VerifierEnd } from './verify';

/** All that happened in a trial, ready to be written. */
export interface TrialStory {
  readonly id: string;
  readonly spec: TrialSpec;
  readonly settings: TrialSettings;
  readonly hashes: TaskHashes;
  readonly config: TaskConfig | null;
  readonly image: Image | null;
  readonly agent: AgentEnd;
  /** null until the agent's phase began. */
  readonly report: AgentReport | null;
  readonly planted: readonly string[];
  readonly verifier: VerifierEnd | null;
  /** The first trouble; later ones are only logged. */
  readonly trouble: (Trouble & { readonly at: Date }) | null;
  readonly times: TrialTimes;
  readonly phases: readonly PhaseFacts[];
  readonly notCopied: readonly NotCopied[];
  readonly remarks: readonly string[];
  readonly secrets: Secrets;
  readonly durationSec: number;
}

export interface TrialTimes {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly environmentSetup: Timing | null;
  readonly agentSetup: Timing | null;
  readonly agentExecution: Timing | null;
  readonly verification: Timing | null;
}

export function trialRecord(story: TrialStory, dir: string): TrialRecord {
  const { spec, trouble, agent } = story;
  const cheat = spec.agent.kind === 'cheat' ? spec.agent.cheat : null;
  const record: TrialRecord = {
    name: story.settings.trialName,
    dir,
    taskDir: spec.task.dir,
    agent: spec.agent.kind,
    attempt: spec.attempt,
    reading: story.verifier?.reading ?? null,
    exception: trouble === null ? null : { type: trouble.type, message: trouble.message },
    undecided: trouble?.undecided ? { reason: trouble.undecided, message: trouble.message } : null,
    cheat:
      cheat === null
        ? null
        : {
            strategy: cheat.label,
            kind: cheat.source,
            ran: agent.cheatRan ?? 'broken',
            planted: story.planted,
            late: story.verifier?.late ?? null,
          },
    agentExitCode: agent.exitCode,
    durationSec: story.durationSec,
    imageDigest: story.image?.digest ?? null,
    architecture: story.image?.architecture ?? null,
    remarks: story.remarks,
  };
  return mapTexts(record, (text) => scrubText(text, story.secrets));
}

/** Applies a function to every text of a plain value; names of members stay. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part);
    if (Array.isArray(part)) return part.map(map);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, map(member)]));
  };
  return map(value) as T;
}

/** Writes what comes last: exception, then the secrets are taken out of everything, then the two result files. */
export async function writeResults(context: TrialContext, story: TrialStory, dir: string): Promise<void> {
  const { secrets, trouble } = story;
  const exception = trouble === null ? null : exceptionOf(context, trouble);
  if (exception !== null) await writeWhole(join(dir, 'exception.txt'), exception.traceback);
  await scrubFolder(dir, secrets).catch((error: unknown) => {
    throw diskError(dir, error);
  });
  const clean = (text: string): string => scrubText(text, secrets);
  await writeWhole(join(dir, 'taskwright.json'), trialFactsFile(factsOf(context, story, dir), clean));
  const { times } = story;
  const result: TrialResult = {
    id: story.id,
    taskName: story.spec.task.name,
    trialUri: pathToFileURL(dir).href,
    taskChecksum: story.hashes.checksum,
    settings: story.settings,
    usage: story.report?.usage ?? null,
    verifier: rewardsOf(story),
    exception,
    ...times,
  };
  await writeWhole(join(dir, 'result.json'), trialResultFile(result, clean));
}

function rewardsOf(story: TrialStory): TrialResult['verifier'] {
  const reading = story.verifier?.reading;
  return reading?.ok ? { rewards: reading.rewards } : null;
}

/** Harbor has a Python traceback here; there is none, so it says what stands for it. */
function exceptionOf(context: TrialContext, trouble: Trouble & { readonly at: Date }): TrialException {
  const { type, message, at } = trouble;
  const traceback = `Recorded by Taskwright ${context.version}; there is no Python traceback.\n${type}: ${message}\n`;
  return { type, message, traceback, occurredAt: at };
}

function factsOf(context: TrialContext, story: TrialStory, dir: string): TrialFacts {
  const { spec, agent, verifier, config, image } = story;
  const { info } = context.engine;
  const cheat = spec.agent.kind === 'cheat' ? spec.agent.cheat : null;
  return {
    version: 1,
    program: context.version,
    job: { id: context.jobId, name: context.jobName },
    record: trialRecord(story, dir),
    reward: verifier?.reading ? rewardFacts(verifier.reading, verifier.duplicateKeys, context.rewardKey) : null,
    agent: {
      exitCode: agent.exitCode,
      ended: agent.ended,
      outOfMemory: agent.outOfMemory,
      usageFrom: story.report?.usageFrom ?? null,
      remarks: story.report?.remarks ?? [],
    },
    cheat:
      cheat === null
        ? null
        : {
            version: cheat.version,
            level: cheat.level,
            knowledge: cheat.knowledge,
            source: cheat.source,
            user: cheat.user,
            expect: cheat.expect,
            title: cheat.title,
            targets: cheat.targets,
          },
    verifier: verifier?.facts ?? null,
    image:
      image === null ? null : { id: image.id, digest: image.digest, architecture: image.architecture, os: image.os },
    limits: {
      buildSec: config?.environment.build_timeout_sec ?? null,
      agentSec: config?.agent.timeout_sec ?? null,
      verifierSec: config?.verifier.timeout_sec ?? null,
      cpus: config?.environment.cpus ?? null,
      memoryMb: config?.environment.memory_mb ?? null,
      network: config?.environment.network_mode ?? null,
    },
    engine: {
      version: info.version,
      apiVersion: info.apiVersion,
      os: info.os,
      architecture: info.architecture,
      storageDriver: info.storageDriver,
    },
    phases: story.phases,
    notCopied: story.notCopied,
    redacted: story.secrets.names,
    notRedacted: story.secrets.tooShort,
  };
}

function rewardFacts(reading: RewardReading, duplicates: readonly string[], rewardKey: string | null): RewardFacts {
  const decision: Decision = chooseReward(reading, rewardKey);
  return {
    key: decision.account?.key ?? null,
    value: decision.account?.value ?? null,
    file: reading.file?.name ?? null,
    raw: reading.file?.raw ?? null,
    bothFiles: reading.file !== null && reading.others.length > 0,
    duplicateKeys: duplicates,
  };
}

export function harborSettings(
  context: TrialContext,
  spec: TrialSpec,
  trialName: string,
  agent: HarborAgent,
): TrialSettings {
  return {
    taskPath: context.shown(spec.task.dir),
    source: spec.source ?? null,
    trialName,
    trialsDir: context.shown(context.jobDir),
    jobId: context.jobId,
    agent,
  };
}
