import { describe, expect, test } from 'vitest';
import type { TaskConfig } from '../../../src/core/task/config';
import { networkPlan } from '../../../src/core/task/network';
import { parseTaskConfig } from '../../../src/core/task/parse';
import { readTask } from '../../../src/core/task/read';
import { unsupportedReasons } from '../../../src/core/task/support';
import { verifierMode } from '../../../src/core/task/verifier-mode';
import { memoryFiles, soundConfig, taskTree } from '../memory-files';

function config(toml: string): TaskConfig {
  const parsed = parseTaskConfig(toml);
  if (parsed.config === null) throw new Error(parsed.findings.map((finding) => finding.message).join('\n'));
  return parsed.config;
}

describe('verifier mode', () => {
  test('of the task', () => {
    expect(verifierMode(config(''))).toEqual({ mode: 'shared' });
    expect(verifierMode(config('[verifier.environment]\ncpus = 3'))).toMatchObject({
      mode: 'separate',
      isCopy: false,
      environment: { cpus: 3 },
    });
    expect(
      verifierMode(config('[environment]\ndocker_image = "x"\n[verifier]\nenvironment_mode = "separate"')),
    ).toMatchObject({ mode: 'separate', isCopy: true, environment: { docker_image: 'x' } });
  });

  test('of a step', () => {
    const both = config(
      '[verifier.environment]\ncpus = 1\n[[steps]]\nname = "a"\n[[steps]]\nname = "b"\n[steps.verifier]\nenvironment_mode = "shared"\n',
    );
    expect([verifierMode(both, 0).mode, verifierMode(both, 1).mode]).toEqual(['separate', 'shared']);
  });
});

describe('network', () => {
  const shown = (toml: string, step: number | null = null, extra = {}): string[] => {
    const plan = networkPlan(config(toml), step, extra);
    return [plan.baseline, plan.agent, plan.verifierBaseline, plan.verifier].map(({ mode, hosts }) =>
      [mode, ...hosts].join(' '),
    );
  };

  test('a phase overrides its baseline, and a step overrides the task', () => {
    expect(shown('')).toEqual(['public', 'public', 'public', 'public']);
    expect(shown('[environment]\nnetwork_mode = "no-network"\n[verifier]\nnetwork_mode = "public"')).toEqual([
      'no-network',
      'no-network',
      'no-network',
      'public',
    ]);
    const steps =
      '[agent]\nnetwork_mode = "no-network"\n[[steps]]\nname = "a"\n[steps.agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["A.com"]\n';
    expect(shown(steps, 0)).toEqual(['public', 'allowlist a.com', 'public', 'public']);
  });

  test('a separate verifier has a baseline of its own', () => {
    const toml = '[environment]\nnetwork_mode = "no-network"\n[verifier.environment]\ncpus = 1\n';
    expect(shown(toml)).toEqual(['no-network', 'no-network', 'public', 'public']);
  });

  test('extra hosts open a closed network and leave an open one', () => {
    const extra = { environment: ['a.com'], agent: ['b.com', 'a.com'] };
    expect(shown('', null, extra)).toEqual(['public', 'public', 'public', 'public']);
    expect(shown('[environment]\nallow_internet = false\n', null, extra)).toEqual([
      'allowlist a.com',
      'allowlist a.com b.com',
      'allowlist a.com',
      'allowlist a.com',
    ]);
  });
});

describe('what is not supported yet', () => {
  const features = async (toml: string, changes = {}): Promise<string[]> => {
    const task = await readTask(memoryFiles(taskTree('/t', { 'task.toml': soundConfig + toml, ...changes })), '/t');
    return unsupportedReasons(task).map((reason) => reason.feature);
  };

  test('each feature is named', async () => {
    expect(await features('')).toEqual([]);
    expect(await features('network_mode = "no-network"\n')).toEqual([]);
    expect(await features('os = "Windows"\n')).toEqual(['windows']);
    expect(await features('[[steps]]\nname = "a"\n')).toEqual(['multi-step']);
    expect(await features('[verifier.environment]\ncpus = 1\n')).toEqual(['separate-verifier']);
    expect(await features('', { 'environment/docker-compose.yaml': 'services: {}\n' })).toEqual(['compose']);
    expect(await features('network_mode = "allowlist"\n')).toEqual(['allow-list']);
    expect(await features('[[verifier.collect]]\ncommand = "x"\n')).toEqual(['collect-hooks']);
    expect(await features('[environment.healthcheck]\ncommand = "x"\n')).toEqual(['healthcheck']);
    expect(await features('gpus = 1\n')).toEqual(['gpus']);
    expect(await features('gpus = 0\n')).toEqual([]);
    expect(await features('[environment.tpu]\ntype = "v4"\ntopology = "2x2"\n')).toEqual(['tpu']);
    expect(await features('[[artifacts]]\nsource = "/x"\nservice = "db"\n')).toEqual(['sidecar-artifacts']);
  });

  test('a phase policy that differs from its baseline', async () => {
    const agent = soundConfig.replace('[agent]', '[agent]\nnetwork_mode = "no-network"');
    expect(await features('', { 'task.toml': agent })).toEqual(['phase-network']);
    const same = soundConfig.replace('[agent]', '[agent]\nnetwork_mode = "public"');
    expect(await features('', { 'task.toml': same })).toEqual([]);
  });
});
