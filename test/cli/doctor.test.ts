import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerDoctor } from '../../src/cli/doctor';
import { checkEngine, checkJobsDir, checkLeftovers, checkNode, checkSpace } from '../../src/cli/doctor-checks';
import type { EngineInfo } from '../../src/engine/sandbox';
import { call, temporaryFolder } from './call';

const engine: EngineInfo = {
  endpoint: 'unix:///x.sock',
  source: 'default socket',
  version: '26.1.5',
  apiVersion: '1.45',
  os: 'linux',
  architecture: 'x86_64',
  cpus: 2,
  memoryBytes: 8e9,
  buildKit: true,
  storageDriver: 'overlay2',
};

interface DoctorDocument {
  readonly version: number;
  readonly checks: readonly { readonly id: string; readonly status: string; readonly remedy: string | null }[];
  readonly summary: Readonly<Record<string, number>>;
}

describe('doctor', () => {
  it('finds nothing wrong with a machine that runs tasks', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await call(registerDoctor, ['doctor', '--format', 'json'], { cwd });
    expect(stderr).toBe('');
    const { version, checks, summary } = JSON.parse(stdout) as DoctorDocument;
    expect(version).toBe(1);
    expect(checks.map(({ id }) => id)).toEqual([
      'node',
      'engine',
      'engine-os',
      'engine-builder',
      'engine-storage',
      'engine-size',
      'leftovers',
      'engine-space',
      'jobs-dir',
      'jobs-space',
    ]);
    expect(summary.problem).toBe(0);
    expect(code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('says where it looked and what to do when no engine answers', async () => {
    const cwd = temporaryFolder();
    const env = { DOCKER_HOST: `unix://${join(cwd, 'none.sock')}` };
    const { code, stdout } = await call(registerDoctor, ['doctor'], { cwd, env });
    expect(stdout).toMatch(/^problem {2}.*none\.sock/m);
    expect(stdout).not.toContain('engine-os');
    expect(code).toBe(1);
  });

  it('refuses a format it does not have', async () => {
    const { code, stdout, stderr } = await call(registerDoctor, ['doctor', '--format', 'xml'], {
      cwd: temporaryFolder(),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("argument 'xml' is invalid");
  });
});

describe('what doctor looks at', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.18.3', 'problem'],
    ['18.20.0', 'problem'],
    ['24.0.0', 'ok'],
  ])('Node.js %s is %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  it.each<[string, Partial<EngineInfo>, string, string]>([
    ['Windows containers', { os: 'windows' }, 'engine-os', 'problem'],
    ['no BuildKit', { buildKit: false }, 'engine-builder', 'warning'],
    ['little memory', { memoryBytes: 1e9 }, 'engine-size', 'warning'],
  ])('%s', (_what, change, id, status) => {
    const bad = checkEngine({ ...engine, ...change }).filter((check) => check.status !== 'ok');
    expect(bad.map((check) => [check.id, check.status])).toEqual([[id, status]]);
    expect(bad[0]?.remedy).not.toBeNull();
    expect(checkEngine(engine).every((check) => check.status === 'ok')).toBe(true);
  });

  it('leftovers are named', () => {
    expect(checkLeftovers({ containers: 2, images: 1, volumes: 0 }).message).toContain('2 containers, 1 image.');
  });

  it('a jobs folder below a file cannot be written', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'jobs'), '');
    expect((await checkJobsDir(join(dir, 'jobs', 'x'))).status).toBe('problem');
  });

  it('a jobs folder is tried without leaving a trace', async () => {
    const jobs = join(temporaryFolder(), 'jobs');
    mkdirSync(jobs);
    expect((await checkJobsDir(jobs)).status).toBe('ok');
    expect(readdirSync(jobs)).toEqual([]);
  });

  it('free space is measured where a folder will be', async () => {
    expect((await checkSpace('s', 'jobs', join(temporaryFolder(), 'a', 'b'))).message).toMatch(
      /^\d+\.\d GB free for jobs\.$/,
    );
  });
});
