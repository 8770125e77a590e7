import { describe, expect, it } from 'vitest';
import { noUsage, type HarborAgent } from '../../../src/core/results/harbor/agent';
import { jobConfigFile } from '../../../src/core/results/harbor/job-config';
import { jobResultFile, type EndedTrial, type JobState } from '../../../src/core/results/harbor/job-result';
import { Float, writeJson } from '../../../src/core/results/harbor/json';
import { jobLockFile, trialLock, trialLockFile } from '../../../src/core/results/harbor/lock';
import { manifestFile } from '../../../src/core/results/harbor/manifest';
import { jobName, localTime, parseLocalTime, trialName, utcTime } from '../../../src/core/results/harbor/names';
import { passAtK } from '../../../src/core/results/harbor/pass-at-k';
import { trialConfigFile, type TrialSettings } from '../../../src/core/results/harbor/trial-config';
import { trialResultFile, type Rewards, type TrialResult } from '../../../src/core/results/harbor/trial-result';
import type { RewardNumber } from '../../../src/core/results/record';

const oracle: HarborAgent = { name: 'oracle', version: '1.0.0', kwargs: {}, model: null };
const settings: TrialSettings = {
  taskPath: 'tasks/log-triage',
  source: null,
  trialName: 'log-triage__k3ZpQ9w',
  trialsDir: 'jobs/2026-08-03__09-12-44',
  jobId: 'b6d2f6c8-7d8d-4f52-8f26-0f6a1d7f0a10',
  agent: oracle,
};
const at = (time: string): Date => new Date(time);
const float = (value: number): RewardNumber => ({ value, kind: 'float' });
const reward = (value: number): Rewards => ({ reward: float(value) });

const result: TrialResult = {
  id: '3f0b9c52-6c0e-4a57-9d0f-5f1f0f6f2b11',
  taskName: 'acme/log-triage',
  trialUri: 'file:///home/dev/bench/jobs/2026-08-03__09-12-44/log-triage__k3ZpQ9w',
  taskChecksum: '9a6f',
  settings,
  usage: noUsage,
  verifier: { rewards: reward(1) },
  exception: null,
  startedAt: at('2026-08-03T07:12:44.918Z'),
  finishedAt: at('2026-08-03T07:13:31Z'),
  environmentSetup: { startedAt: at('2026-08-03T07:12:44.930Z'), finishedAt: at('2026-08-03T07:13:02.100Z') },
  agentSetup: { startedAt: at('2026-08-03T07:13:02.100Z'), finishedAt: at('2026-08-03T07:13:02.100Z') },
  agentExecution: { startedAt: at('2026-08-03T07:13:02.101Z'), finishedAt: at('2026-08-03T07:13:09.700Z') },
  verification: { startedAt: at('2026-08-03T07:13:10Z'), finishedAt: at('2026-08-03T07:13:20.500Z') },
};

/** Every path of a value with the type found there, for comparing with the specification field by field. */
function shape(value: unknown, path = ''): Record<string, string> {
  if (value === null || typeof value !== 'object') return { [path]: value === null ? 'null' : typeof value };
  if (Array.isArray(value)) {
    const parts = value.flatMap((item) => Object.entries(shape(item, `${path}[]`)));
    return { [path]: 'array', ...Object.fromEntries(parts) };
  }
  const parts = Object.entries(value).flatMap(([key, member]) =>
    Object.entries(shape(member, path === '' ? key : `${path}.${key}`)),
  );
  return { ...(path === '' ? {} : { [path]: 'object' }), ...Object.fromEntries(parts) };
}

describe('result.json of a trial (harbor-results.md, section 2)', () => {
  it('has every field of the sample, in its order', () => {
    // The specification's sample, folded there, with the times that this program can know.
    const sample = {
      id: '3f0b9c52-6c0e-4a57-9d0f-5f1f0f6f2b11',
      task_name: 'acme/log-triage',
      trial_name: 'log-triage__k3ZpQ9w',
      trial_uri: 'file:///home/dev/bench/jobs/2026-08-03__09-12-44/log-triage__k3ZpQ9w',
      task_id: { path: 'tasks/log-triage' },
      source: null,
      task_checksum: '9a6f',
      config: {
        task: {
          path: 'tasks/log-triage',
          git_url: null,
          git_commit_id: null,
          name: null,
          ref: null,
          overwrite: false,
          download_dir: null,
          source: null,
        },
        trial_name: 'log-triage__k3ZpQ9w',
        trials_dir: 'jobs/2026-08-03__09-12-44',
        install_only: false,
        timeout_multiplier: 1.0,
        agent_timeout_multiplier: null,
        verifier_timeout_multiplier: null,
        agent_setup_timeout_multiplier: null,
        environment_build_timeout_multiplier: null,
        agent: {
          name: 'oracle',
          import_path: null,
          model_name: null,
          n_concurrent: null,
          concurrency_group: null,
          skills: [],
          override_timeout_sec: null,
          override_setup_timeout_sec: null,
          max_timeout_sec: null,
          resume_trajectory: false,
          load_trajectory: null,
          extra_allowed_hosts: [],
          kwargs: {},
          mcp_servers: [],
        },
        user_agent: null,
        environment: {
          type: 'docker',
          import_path: null,
          force_build: false,
          delete: true,
          cpu_enforcement_policy: 'auto',
          memory_enforcement_policy: 'auto',
          override_cpus: null,
          override_memory_mb: null,
          override_storage_mb: null,
          override_gpus: null,
          override_tpu: null,
          mounts: null,
          extra_docker_compose: [],
          kwargs: {},
          extra_allowed_hosts: [],
        },
        verifier: { override_timeout_sec: null, max_timeout_sec: null, disable: false },
        artifacts: [],
        extra_instruction_paths: [],
        extra_instructions: [],
        job_id: 'b6d2f6c8-7d8d-4f52-8f26-0f6a1d7f0a10',
        source_trial: null,
      },
      agent_info: { name: 'oracle', version: '1.0.0', model_info: null },
      agent_result: {
        n_input_tokens: null,
        n_cache_tokens: null,
        n_output_tokens: null,
        cost_usd: null,
        rollout_details: null,
        metadata: null,
      },
      verifier_result: { rewards: { reward: 1.0 } },
      verifier_environment_mode: 'shared',
      exception_info: null,
      started_at: '2026-08-03T07:12:44.918000Z',
      finished_at: '2026-08-03T07:13:31Z',
      environment_setup: { started_at: '2026-08-03T07:12:44.930000Z', finished_at: '2026-08-03T07:13:02.100000Z' },
      agent_setup: { started_at: '2026-08-03T07:13:02.100000Z', finished_at: '2026-08-03T07:13:02.100000Z' },
      agent_execution: { started_at: '2026-08-03T07:13:02.101000Z', finished_at: '2026-08-03T07:13:09.700000Z' },
      verifier: { started_at: '2026-08-03T07:13:10Z', finished_at: '2026-08-03T07:13:20.500000Z' },
      step_results: null,
    };
    const text = trialResultFile(result);
    expect(JSON.parse(text)).toEqual(sample);
    expect(text.replaceAll('1.0,', '1,').replace('"reward": 1.0', '"reward": 1')).toBe(JSON.stringify(sample, null, 4));
    expect(text).toContain('"timeout_multiplier": 1.0,');
    expect(text).toContain('"reward": 1.0\n');
    expect(text.endsWith('}')).toBe(true);
  });

  it('holds an exception completely, and what did not happen as null', () => {
    const failed = trialResultFile({
      ...result,
      usage: null,
      verifier: null,
      finishedAt: null,
      agentSetup: null,
      verification: { startedAt: at('2026-08-03T07:13:10Z'), finishedAt: null },
      exception: {
        type: 'RuntimeError',
        message: 'a "b" é',
        traceback: 'x\ny',
        occurredAt: at('2026-08-03T07:13:10Z'),
      },
    });
    const value = JSON.parse(failed) as Record<string, unknown>;
    expect(value).toMatchObject({
      agent_result: null,
      verifier_result: null,
      finished_at: null,
      agent_setup: null,
      verifier: { started_at: '2026-08-03T07:13:10Z', finished_at: null },
    });
    expect(shape(value.exception_info)).toEqual({
      exception_type: 'string',
      exception_message: 'string',
      exception_traceback: 'string',
      occurred_at: 'string',
    });
    expect(failed).toContain('é');
  });

  it('keeps integers and floats apart, and leaves out rewards that Harbor could not read back', () => {
    const rewards = (value: Rewards | null): unknown => {
      const text = trialResultFile({ ...result, verifier: { rewards: value } });
      return text.slice(text.indexOf('"verifier_result"')).split('\n    },')[0]?.replaceAll(/\s+/g, '');
    };
    expect(rewards({ a: { value: 1, kind: 'int' }, b: float(1), c: float(1e-7) })).toBe(
      '"verifier_result":{"rewards":{"a":1,"b":1.0,"c":1e-07}',
    );
    expect(rewards({})).toBe('"verifier_result":{"rewards":{}');
    expect(rewards(null)).toBe('"verifier_result":{"rewards":null');
    expect(rewards({ reward: float(Number.NaN), other: float(1) })).toBe('"verifier_result":{"rewards":null');
    expect(rewards(reward(Infinity))).toBe('"verifier_result":{"rewards":null');
  });
});

describe('configuration and locks (sections 3 and 4)', () => {
  it('writes only what differs into config.json', () => {
    expect(trialConfigFile(settings)).toBe(`{
    "task": {
        "path": "tasks/log-triage"
    },
    "trial_name": "log-triage__k3ZpQ9w",
    "trials_dir": "jobs/2026-08-03__09-12-44",
    "job_id": "b6d2f6c8-7d8d-4f52-8f26-0f6a1d7f0a10"
}`);
    const cheat: HarborAgent = { name: 'cheat', version: '1', kwargs: { strategy: 'reward-json' }, model: null };
    expect(JSON.parse(trialConfigFile({ ...settings, agent: cheat, source: 'set' }))).toMatchObject({
      task: { path: 'tasks/log-triage', source: 'set' },
      agent: { name: 'cheat', kwargs: { strategy: 'reward-json' } },
    });
  });

  it('writes the sample job config', () => {
    const text = jobConfigFile({
      jobName: '2026-08-03__09-12-44',
      jobsDir: 'jobs',
      attempts: 4,
      concurrent: 4,
      agents: [oracle, { ...oracle, name: 'nop' }],
      tasks: [{ path: 'tasks/log-triage', source: null }],
    });
    expect(JSON.parse(text)).toEqual({
      job_name: '2026-08-03__09-12-44',
      n_attempts: 4,
      agents: [{ name: 'oracle' }, { name: 'nop' }],
      tasks: [{ path: 'tasks/log-triage' }],
    });
  });

  it('locks a trial as in the sample', () => {
    const task = { name: 'log-triage', version: '0.3.0', digest: `sha256:${'1f'.repeat(32)}` };
    expect(JSON.parse(trialLockFile(trialLock(task, settings)))).toEqual({
      schema_version: 2,
      task: {
        name: 'log-triage',
        version: '0.3.0',
        type: 'local',
        digest: `sha256:${'1f'.repeat(32)}`,
        path: 'tasks/log-triage',
      },
      install_only: false,
      timeout_multiplier: 1,
      extra_instructions: [],
      agent: {
        name: 'oracle',
        skills: [],
        resume_trajectory: false,
        extra_allowed_hosts: [],
        kwargs: {},
        mcp_servers: [],
      },
      bridge_inputs: {},
      skills: [],
      environment: {
        type: 'docker',
        force_build: false,
        delete: true,
        cpu_enforcement_policy: 'auto',
        memory_enforcement_policy: 'auto',
        extra_docker_compose: [],
        kwargs: {},
        extra_allowed_hosts: [],
      },
      verifier: { disable: false, environment_mode: 'shared' },
    });
    const lock = jobLockFile({
      createdAt: at('2026-08-03T07:12:44.700Z'),
      concurrent: 2,
      trials: [trialLock({ ...task, version: null }, settings)],
      program: '0.1.0',
    });
    const types = shape(JSON.parse(lock));
    expect(types).toMatchObject({
      schema_version: 'number',
      created_at: 'string',
      harbor: 'object',
      n_concurrent_trials: 'number',
      'retry.max_retries': 'number',
      'retry.exclude_exceptions': 'array',
      'retry.wait_multiplier': 'number',
      'retry.min_wait_sec': 'number',
      'retry.max_wait_sec': 'number',
      trials: 'array',
      'trials[].task.digest': 'string',
    });
    expect(Object.keys(types)).not.toContain('trials[].task.version');
    expect(lock).toContain('"max_wait_sec": 60.0');
  });

  it('escapes the manifest and indents it by two', () => {
    const entry = { source: '/a/ü', destination: 'artifacts/a/ü', type: 'file', status: 'ok', service: null } as const;
    expect(manifestFile([entry])).toBe(`[
  {
    "source": "/a/\\u00fc",
    "destination": "artifacts/a/\\u00fc",
    "type": "file",
    "status": "ok",
    "service": null
  }
]`);
    expect(manifestFile([])).toBe('[]');
  });
});

describe('result.json of a job (section 5)', () => {
  const trial = (name: string, rewards: Rewards | null, exceptionType: string | null = null): EndedTrial => ({
    name: `log-triage__${name}`,
    taskName: 'acme/log-triage',
    agent: 'oracle',
    model: null,
    source: null,
    rewards,
    exceptionType,
    usage: noUsage,
  });
  const ended = [
    trial('aB3dE5f', reward(1)),
    trial('nP2qR4s', reward(0)),
    trial('gH7jK9m', reward(1)),
    trial('tU6vW8x', null, 'VerifierTimeoutError'),
  ];
  const state: JobState = {
    id: 'b6d2f6c8-7d8d-4f52-8f26-0f6a1d7f0a10',
    startedAt: at('2026-08-03T07:12:44.700Z'),
    now: at('2026-08-03T07:20:02.003Z'),
    offsetMinutes: 120,
    moment: 'end',
    total: 4,
    running: 0,
    ended,
  };

  it('has the values of the sample', () => {
    expect(JSON.parse(jobResultFile(state))).toEqual({
      id: 'b6d2f6c8-7d8d-4f52-8f26-0f6a1d7f0a10',
      started_at: '2026-08-03T09:12:44.700000',
      updated_at: '2026-08-03T09:20:02.003000',
      finished_at: '2026-08-03T09:20:02.003000',
      n_total_trials: 4,
      stats: {
        n_completed_trials: 4,
        n_errored_trials: 1,
        n_running_trials: 0,
        n_pending_trials: 0,
        n_cancelled_trials: 0,
        n_retries: 0,
        evals: {
          oracle__adhoc: {
            n_trials: 3,
            n_errors: 1,
            metrics: [{ mean: 0.5 }],
            pass_at_k: { '2': expect.closeTo(5 / 6, 12) as number, '4': 1 },
            reward_stats: {
              reward: { '1.0': ['log-triage__aB3dE5f', 'log-triage__gH7jK9m'], '0.0': ['log-triage__nP2qR4s'] },
            },
            exception_stats: { VerifierTimeoutError: ['log-triage__tU6vW8x'] },
          },
        },
        n_input_tokens: null,
        n_cache_tokens: null,
        n_output_tokens: null,
        cost_usd: null,
      },
    });
  });

  it('is in UTC and without pass@k while it runs', () => {
    const running = jobResultFile({ ...state, moment: 'running', total: 9, running: 2 });
    expect(JSON.parse(running)).toMatchObject({
      updated_at: '2026-08-03T07:20:02.003000Z',
      finished_at: null,
      stats: { n_running_trials: 2, n_pending_trials: 3, evals: { oracle__adhoc: { pass_at_k: {} } } },
    });
    expect(JSON.parse(jobResultFile({ ...state, moment: 'start', ended: [] }))).toMatchObject({
      updated_at: '2026-08-03T09:20:02.003000',
      finished_at: null,
      stats: { n_completed_trials: 0, n_pending_trials: 4, evals: {} },
    });
  });

  it('groups by agent, model and dataset, and adds up tokens and cost', () => {
    const usage = { inputTokens: 10, cacheTokens: null, outputTokens: 5, costUsd: 0.5 };
    const text = jobResultFile({
      ...state,
      ended: [
        { ...trial('a', { b: { value: 1, kind: 'int' }, a: float(0.5) }), model: 'small', source: 'set', usage },
        { ...trial('b', { b: { value: 0, kind: 'int' } }), model: 'small', source: 'set', usage },
        { ...trial('c', null, 'CancelledError'), agent: 'nop', usage: null },
      ],
    });
    const stats = (JSON.parse(text) as { stats: Record<string, unknown> }).stats;
    expect(stats).toMatchObject({
      n_cancelled_trials: 1,
      n_input_tokens: 20,
      n_cache_tokens: null,
      n_output_tokens: 10,
      cost_usd: 1,
      evals: {
        oracle__small__set: {
          metrics: [{ a: 0.25, b: 0.5 }],
          pass_at_k: {},
          reward_stats: { a: { '0.5': ['log-triage__a'] }, b: { '0': ['log-triage__b'], '1': ['log-triage__a'] } },
        },
        nop__adhoc: { n_trials: 0, n_errors: 1, metrics: [{ mean: 0 }] },
      },
    });
    expect(text).toContain('"cost_usd": 1.0');
    expect(text).toContain('"mean": 0.0');
  });
});

describe('pass@k (section 6)', () => {
  const trials = (n: number, c: number, task = 't'): { taskName: string; rewards: Rewards | null }[] =>
    Array.from({ length: n }, (_, i) => ({ taskName: task, rewards: i < c ? reward(1) : i % 2 ? reward(0) : null }));
  const rounded = (values: ReadonlyMap<number, number>): Record<string, number> =>
    Object.fromEntries([...values].map(([k, value]) => [k, Number(value.toFixed(4))]));

  it.each<[number, number, Record<string, number>]>([
    [1, 1, {}],
    [4, 1, { 2: 0.5, 4: 1 }],
    [4, 4, { 2: 1, 4: 1 }],
    [4, 0, { 2: 0, 4: 0 }],
    [5, 2, { 2: 0.7, 4: 1, 5: 1 }],
    [10, 3, { 2: 0.5333, 4: 0.8333, 5: 0.9167, 8: 1, 10: 1 }],
    [16, 0, { 2: 0, 4: 0, 5: 0, 8: 0, 10: 0, 15: 0, 16: 0 }],
  ])('%i trials, %i passed', (n, c, expected) => {
    expect(rounded(passAtK(trials(n, c)))).toEqual(expected);
  });

  it('goes by the task with the fewest trials and weighs tasks alike', () => {
    expect(rounded(passAtK([...trials(4, 4, 'a'), ...trials(2, 0, 'b')]))).toEqual({ 2: 0.5 });
  });

  it.each<[string, Rewards]>([
    ['a reward between', reward(0.5)],
    ['two keys', { a: float(1), b: float(1) }],
    ['no key', {}],
  ])('reports nothing for %s', (_name, rewards) => {
    expect(passAtK([...trials(4, 4), { taskName: 't', rewards }]).size).toBe(0);
  });
});

describe('names and times (harbor-run.md, section 1)', () => {
  const draw = (): number => 0;
  it.each([
    ['log-triage', 'log-triage__2222222'],
    ['a'.repeat(40), `${'a'.repeat(32)}__2222222`],
    [`${'a'.repeat(31)}-b`, `${'a'.repeat(31)}__2222222`],
    ['x_-_', 'x__2222222'],
    ['my "task" 🎯', 'my "task" 🎯__2222222'],
  ])('names trials of %s', (dir, name) => {
    expect(trialName(dir, draw)).toBe(name);
  });

  it('draws from 57 characters without look-alikes', () => {
    let limit = 0;
    const drawn = new Set(
      Array.from({ length: 57 }, (_, i) => {
        const name = trialName('t', (below) => {
          limit = below;
          return i;
        });
        return name.at(-1);
      }),
    );
    expect([limit, drawn.size]).toEqual([57, 57]);
    expect([...drawn].some((character) => '01IOl'.includes(character ?? ''))).toBe(false);
  });

  it('writes times', () => {
    const time = at('2026-08-03T22:30:05.120Z');
    expect(utcTime(time)).toBe('2026-08-03T22:30:05.120000Z');
    expect(localTime(time, 120)).toBe('2026-08-04T00:30:05.120000');
    expect(jobName(time, -90)).toBe('2026-08-03__21-00-05');
    expect(parseLocalTime(localTime(time, 120), () => 120)).toEqual(time);
    expect(parseLocalTime('yesterday', () => 0)).toBeNull();
  });
});

describe('JSON as Python writes it', () => {
  it('indents, keeps UTF-8, and writes what is not finite as null', () => {
    expect(
      writeJson({ a: [], b: {}, c: [1, new Float(2)], d: 'é\n', e: undefined, f: new Float(NaN) }, { indent: 4 }),
    ).toBe(
      '{\n    "a": [],\n    "b": {},\n    "c": [\n        1,\n        2.0\n    ],\n    "d": "é\\n",\n    "f": null\n}',
    );
  });
});
