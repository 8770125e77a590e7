import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/core/finding';
import { checkTask } from '../../../../src/core/rules/check';
import { applyEdits } from '../../../../src/core/text/edits';
import type { Tree } from '../../memory-files';
import { memoryFiles, soundConfig, taskTree } from '../../memory-files';

const found = (changes: Changes, dir = '/sound'): Promise<readonly Finding[]> =>
  checkTask(memoryFiles(taskTree(dir, changes)), dir, { grammars: null });

type Changes = Readonly<Record<string, Tree[string] | undefined>>;

/** `severity file:line message [fixes]` of one rule's findings in a sound task with changes. */
async function shown(ruleId: string, changes: Changes, dir = '/sound'): Promise<string[]> {
  const findings = await found(changes, dir);
  return findings
    .filter((finding) => finding.ruleId === ruleId)
    .map(({ severity, file, range, message, fixes }) => {
      const titles = fixes.map((fix) => fix.title + (fix.preferred === true ? '*' : '')).join(' | ');
      return `${severity} ${file}:${range.start.line} ${message}${titles === '' ? '' : ` [${titles}]`}`;
    });
}

/** The sound task with a fix applied, as changes. */
async function mended(changes: Changes, title: string): Promise<Changes> {
  const fix = (await found(changes)).flatMap((finding) => finding.fixes).find((one) => one.title === title);
  if (!fix) throw new Error(`no fix "${title}"`);
  const tree = taskTree('', changes);
  const result: Record<string, Tree[string] | undefined> = { ...changes };
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    const before = tree[`/${file}`];
    result[file] =
      applyEdits(
        typeof before === 'string' ? before : '',
        fix.edits.filter((edit) => edit.file === file),
      ) ?? '?';
  }
  return result;
}

const withSteps = (...names: string[]): string =>
  soundConfig +
  names.map((name) => `\n[[steps]]\nname = ${JSON.stringify(name)}\nverifier.timeout_sec = 1.0\n`).join('');

const step = (name: string, changes: Changes = {}): Changes => ({
  [`steps/${name}/instruction.md`]: 'Do it.\n',
  [`steps/${name}/tests/test.sh`]: '#!/bin/bash\necho 0 > /logs/verifier/reward.txt\n',
  [`steps/${name}/solution/solve.sh`]: '#!/bin/bash\ntouch x\n',
  ...changes,
});

test('a sound task is silent', async () => {
  expect(await found({})).toEqual([]);
  const steps = { 'task.toml': withSteps('one'), 'instruction.md': undefined, ...step('one') };
  expect(await found(steps)).toEqual([]);
});

describe('structure-missing-file', () => {
  test('names each file', async () => {
    expect(await shown('structure-missing-file', { 'task.toml': undefined })).toEqual([
      'error task.toml:0 task.toml is missing, so Harbor does not take this folder for a task.',
    ]);
    expect(await shown('structure-missing-file', { 'instruction.md': undefined, 'tests/test.sh': undefined })).toEqual([
      'error task.toml:0 instruction.md is missing.',
      'error task.toml:0 tests/test.sh is missing. [Create tests/test.sh, with a reward of 0]',
    ]);
    expect(await shown('structure-missing-file', { 'environment/Dockerfile': undefined })).toEqual([
      'error task.toml:0 The folder environment/ is missing.',
    ]);
    expect(
      await shown('structure-missing-file', {
        'environment/Dockerfile': undefined,
        'environment/docker-compose.yml': 'services: {}\n',
      }),
    ).toEqual([
      'error task.toml:0 There is neither environment/Dockerfile nor environment/docker-compose.yaml nor a docker_image, so no container can be made. Harbor does not see environment/docker-compose.yml: the file must be named docker-compose.yaml.',
    ]);
  });

  test('the fix makes the file', async () => {
    const after = await mended({ 'tests/test.sh': undefined }, 'Create tests/test.sh, with a reward of 0');
    expect(await shown('structure-missing-file', after)).toEqual([]);
    expect(after['tests/test.sh']).toContain('echo 0 > /logs/verifier/reward.txt');
  });

  test('is silent where nothing is needed', async () => {
    const image = `${soundConfig}docker_image = "python:3.13"\n`;
    expect(
      await shown('structure-missing-file', {
        'task.toml': image,
        'environment/Dockerfile': undefined,
        'environment/.gitkeep': '',
      }),
    ).toEqual([]);
    expect(
      await shown('structure-missing-file', {
        'task.toml': image,
        'environment/Dockerfile': undefined,
        environment: null,
      }),
    ).toEqual([
      'information task.toml:0 environment/ is empty; Git does not keep empty folders, and Harbor needs it to exist.',
    ]);
    const separate = soundConfig.replace('[verifier]', '[verifier]\nenvironment_mode = "separate"');
    expect(await shown('structure-missing-file', { 'task.toml': separate, 'tests/test.sh': undefined })).toEqual([]);
    const steps = { 'task.toml': withSteps('one'), 'instruction.md': undefined, ...step('one') };
    expect(await shown('structure-missing-file', { ...steps, 'steps/one/tests/test.sh': undefined })).toEqual([]);
    expect(
      await shown('structure-missing-file', {
        ...steps,
        'steps/one/tests/test.sh': undefined,
        'tests/test.sh': undefined,
      }),
    ).toEqual([
      'error task.toml:0 steps/one/tests/test.sh is missing. [Create steps/one/tests/test.sh, with a reward of 0]',
    ]);
  });
});

test('structure-empty-file', async () => {
  expect(
    await shown('structure-empty-file', {
      'instruction.md': '<!-- canary 1 -->\n\n',
      'tests/test.sh': '#!/bin/bash\nset -euo pipefail\n\n# TODO later\n',
      'solution/solve.sh': '',
      'environment/Dockerfile': '# nothing\n',
    }),
  ).toEqual([
    'error environment/Dockerfile:0 environment/Dockerfile has no instruction.',
    'error instruction.md:0 instruction.md has nothing but canary lines, which Harbor removes, so the agent gets no instruction.',
    'error solution/solve.sh:0 solution/solve.sh has no command.',
    'error tests/test.sh:0 tests/test.sh has no command.',
  ]);
  expect(await shown('structure-empty-file', { 'tests/__init__.py': '', 'tests/data.csv': '' })).toEqual([]);
});

test('structure-missing-solution', async () => {
  const missing = { 'solution/solve.sh': undefined };
  expect(await shown('structure-missing-solution', missing)).toEqual([
    'warning task.toml:0 There is no reference solution (solution/solve.sh), so the oracle has nothing to run. [Create solution/solve.sh]',
  ]);
  expect(await shown('structure-missing-solution', await mended(missing, 'Create solution/solve.sh'))).toEqual([]);
  const steps = { 'task.toml': withSteps('one', 'two'), 'instruction.md': undefined, ...step('one'), ...step('two') };
  expect(await shown('structure-missing-solution', { ...steps, 'steps/two/solution/solve.sh': undefined })).toEqual([]);
  expect(
    await shown('structure-missing-solution', { ...steps, ...missing, 'steps/two/solution/solve.sh': undefined }),
  ).toEqual(['warning task.toml:0 The step "two" has no reference solution (steps/two/solution/solve.sh).']);
});

describe('structure-unrunnable-script', () => {
  const one = (text: string, changes: Changes = {}): Promise<string[]> =>
    shown('structure-unrunnable-script', { 'tests/test.sh': text, ...changes });

  test('CR LF in the first line', async () => {
    const changes = { 'tests/test.sh': '#!/bin/bash\r\necho 0\r\n' };
    expect(await one(changes['tests/test.sh'])).toEqual([
      'error tests/test.sh:0 The first line of tests/test.sh ends in CR LF, so the kernel looks for "/bin/bash\\r", which does not exist. [Convert the line ends to LF* | Let Git keep LF in scripts (.gitattributes)]',
    ]);
    expect((await mended(changes, 'Convert the line ends to LF'))['tests/test.sh']).toBe('#!/bin/bash\necho 0\n');
    expect(await one('#!/bin/bash\necho 0\r\n')).toEqual([]);
  });

  test('something before the shebang', async () => {
    expect(await one('\uFEFF#!/bin/bash\necho 0\n')).toEqual([
      'error tests/test.sh:0 tests/test.sh starts with a byte-order mark, so the kernel does not see its "#!" line. [Remove what stands before "#!"*]',
    ]);
    expect((await one('\n#!/usr/bin/env python3\nprint()\n'))[0]).toContain(
      'error tests/test.sh:0 Something stands before',
    );
    expect((await one('\n#!/bin/bash\necho 0\n'))[0]).toContain('warning tests/test.sh:0 Something stands before');
    expect(await one('echo 0\n')).toEqual([
      'hint tests/test.sh:0 tests/test.sh has no "#!" line; bash runs it all the same. [Add #!/bin/bash]',
    ]);
  });

  test('an interpreter that is certainly not there', async () => {
    const script = '#!/usr/bin/env -S python3 -u\nprint()\n';
    expect(await one(script, { 'environment/Dockerfile': 'FROM ubuntu:24.04\nWORKDIR /app\n' })).toEqual([
      'error tests/test.sh:0 tests/test.sh starts with /usr/bin/env -S python3 -u, which the image (ubuntu) does not have. [Write #!/bin/bash]',
    ]);
    expect(
      await one(script, { 'environment/Dockerfile': 'FROM ubuntu:24.04\nRUN apt-get install -y python3\n' }),
    ).toEqual([]);
    expect(await one(script, { 'environment/Dockerfile': 'FROM acme/base:1\n' })).toEqual([]);
    expect(await one(script)).toEqual([]);
  });

  test('a set-up script is given to bash', async () => {
    const setup = 'steps/one/workdir/setup.sh';
    const steps = { 'task.toml': withSteps('one'), 'instruction.md': undefined, ...step('one') };
    expect(await shown('structure-unrunnable-script', { ...steps, [setup]: 'echo 1\n' })).toEqual([]);
    expect((await shown('structure-unrunnable-script', { ...steps, [setup]: '#!/bin/sh\r\ncd /x\r\n' }))[0]).toContain(
      'bash takes the CR for a part of every command',
    );
  });

  test('Windows scripts have line ends of their own', async () => {
    const windows = { 'task.toml': `${soundConfig}os = "windows"\n`, 'tests/test.bat': '@echo off\r\necho 0\r\n' };
    expect(await shown('structure-unrunnable-script', { ...windows, 'tests/test.sh': '#!/bin/sh\r\n' })).toEqual([]);
  });
});

describe('structure-steps-mismatch', () => {
  test('a step without a folder', async () => {
    const changes = { 'task.toml': withSteps('survey'), 'instruction.md': undefined, ...step('surveys') };
    expect(await shown('structure-steps-mismatch', changes)).toEqual([
      'error task.toml:14 The step "survey" has no folder steps/survey/; there is steps/surveys/. [Rename the step to surveys*]',
    ]);
    expect(await shown('structure-missing-file', changes)).toEqual([]);
    expect(await shown('structure-steps-mismatch', await mended(changes, 'Rename the step to surveys'))).toEqual([]);
  });

  test('folders and files that are not used', async () => {
    const changes = { 'task.toml': withSteps('one'), ...step('one'), ...step('extra'), 'steps/shared.txt': '' };
    expect(await shown('structure-steps-mismatch', changes)).toEqual([
      'warning instruction.md:0 A task with [[steps]] does not use the instruction.md at its root.',
      'warning steps/extra:0 No [[steps]] names the folder steps/extra, so it is never run. [Add [[steps]] for extra]',
    ]);
    const after = await mended({ ...changes, 'instruction.md': undefined }, 'Add [[steps]] for extra');
    expect(await shown('structure-steps-mismatch', after)).toEqual([]);
    expect(await shown('structure-steps-mismatch', step('one'))).toEqual([
      'warning steps:0 task.toml has no [[steps]], so nothing in steps/ is used (one). [Add [[steps]] for each folder]',
    ]);
  });

  test('names that are doubled or paths', async () => {
    const changes = { 'task.toml': withSteps('one', 'one', 'one/../one'), 'instruction.md': undefined, ...step('one') };
    expect(await shown('structure-steps-mismatch', changes)).toEqual([
      'warning task.toml:18 Two steps are named "one", so both use the same folder.',
      'warning task.toml:22 "one/../one" is a path and no name of a folder below steps/.',
    ]);
  });
});

test('structure-task-name', async () => {
  expect(await shown('structure-task-name', {}, '/other')).toEqual([
    'information task.toml:1 The task is named sound, and its folder other; trials are named after the folder. [Name it acme/other]',
  ]);
  const of = (dir: string): Promise<string[]> =>
    shown('structure-task-name', { 'task.toml': '[task]\nname = "a/b"\n' }, dir);
  expect((await of('/Task_1'))[0]).toContain('not named in lower case with hyphens');
  expect((await of('/9f2c31'))[0]).toContain('says nothing about the task');
  expect(await of('/b')).toEqual([]);
  expect(await shown('structure-task-name', { 'task.toml': '' }, '/Task_1')).toEqual([]);
});

describe('config-separate-verifier-incomplete', () => {
  const separate = soundConfig.replace('[verifier]', '[verifier]\nenvironment_mode = "separate"');
  const one = (changes: Changes): Promise<string[]> =>
    shown('config-separate-verifier-incomplete', { 'task.toml': separate, ...changes });

  test('nothing to build', async () => {
    expect(await one({})).toEqual([
      'warning task.toml:7 The verifier is separate, but there is neither tests/Dockerfile nor tests/docker-compose.yaml nor a docker_image for it. [Create tests/Dockerfile]',
    ]);
    const after = await mended({ 'task.toml': separate }, 'Create tests/Dockerfile');
    expect(after['tests/Dockerfile']).toBe('FROM python:3.13-slim\nCOPY . /tests/\n');
    expect(await one(after)).toEqual([]);
  });

  test('a Dockerfile without tests, or without effect', async () => {
    const bare = 'FROM python:3.13-slim\nWORKDIR /tests';
    expect(await one({ 'tests/Dockerfile': bare })).toEqual([
      'error tests/Dockerfile:0 Nothing puts test.sh at /tests/test.sh in this image, and Harbor uploads nothing to a separate verifier. [Copy the tests into the image]',
    ]);
    const after = await mended({ 'task.toml': separate, 'tests/Dockerfile': bare }, 'Copy the tests into the image');
    expect(after['tests/Dockerfile']).toBe('FROM python:3.13-slim\nCOPY . /tests/\nWORKDIR /tests');
    expect(await one({ 'tests/Dockerfile': 'FROM acme/verifier:1\n' })).toEqual([]);
    expect(
      await one({ 'task.toml': `${separate}docker_image = "acme/x"\n`, 'tests/Dockerfile': 'FROM acme/verifier\n' }),
    ).toEqual([
      `warning task.toml:7 tests/Dockerfile is not built: the verifier's environment is a copy of [environment], with its docker_image "acme/x".`,
    ]);
  });
});

test('config-shared-verifier-root-agent', async () => {
  const of = (changes: Changes): Promise<string[]> => shown('config-shared-verifier-root-agent', changes);
  const root = { 'environment/Dockerfile': 'FROM python:3.13-slim AS base\nFROM base\nWORKDIR /app\n' };
  expect(await of(root)).toEqual([
    'information task.toml:6 The agent is root in the container in which its work is verified. [Verify in a separate container]',
  ]);
  expect(await of({ ...root, 'task.toml': soundConfig.replace('[agent]', '[agent]\nuser = "dev"') })).toEqual([]);
  expect(await of({ 'task.toml': soundConfig.replace('[agent]', '[agent]\nuser = 0') })).toHaveLength(1);
  expect(await of({ 'environment/Dockerfile': 'FROM acme/base\n' })).toEqual([]);
  expect(await of({ 'environment/Dockerfile': 'FROM acme/base\nUSER root\n' })).toHaveLength(1);
  expect(await of({ 'environment/Dockerfile': 'FROM python\nARG U\nUSER $U\n' })).toEqual([]);
  expect(await of({ ...root, 'environment/docker-compose.yaml': '' })).toEqual([]);
});

test('a value that the instruction gives to the agent is no secret', async () => {
  const toml = `${soundConfig}[environment.env]\nAPI_KEY = "sk-live-9fQ2xT7bLm4RzW8v"\n`;
  expect(await shown('config-secret-literal', { 'task.toml': toml })).toHaveLength(1);
  const given = { 'task.toml': toml, 'instruction.md': 'Use the key sk-live-9fQ2xT7bLm4RzW8v.\n' };
  expect(await shown('config-secret-literal', given)).toEqual([]);
});
