import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxEngine } from '../../../src/engine/sandbox';
import { cheatOf, connect, json, outcome, runOne, Scratch } from './support';

let engine: SandboxEngine;
let scratch: Scratch;
beforeAll(async () => {
  engine = await connect();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
});
beforeEach(async () => {
  scratch = await Scratch.make();
});
afterEach(async () => {
  await scratch[Symbol.asyncDispose]();
});

const sh = (body: string): string => `#!/bin/bash\n${body}\n`;
const dockerfile = 'FROM python:3.13-slim\nRUN useradd --create-home dev\nWORKDIR /app\nRUN chown dev /app\n';

describe('oracle and nop', () => {
  it('nop does nothing, and is recorded so', async () => {
    const task = await scratch.task({});
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(outcome(record)).toBe('reward=0');
    expect(await json(record.dir!, 'config.json')).toMatchObject({ agent: { name: 'nop' } });
    expect(await json(record.dir!, 'result.json')).toMatchObject({
      agent_info: { name: 'nop', version: '1.0.0' },
      agent_result: { n_input_tokens: null },
    });
  });

  it('says that there is no solution before anything is built', async () => {
    const task = await scratch.task({ 'solution/solve.sh': null, 'environment/Dockerfile': 'FROM scratch\nRUN false\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record).toMatchObject({
      exception: { type: 'FileNotFoundError' },
      undecided: { reason: 'no-reward', message: expect.stringContaining('solution/solve.sh') as string },
    });
    expect(await json(record.dir!, 'result.json')).toMatchObject({
      verifier_result: null,
      agent_result: null,
      exception_info: { exception_type: 'FileNotFoundError' },
    });
  });

  it('records the exit code of a solution that fails, and verifies all the same', async () => {
    const task = await scratch.task({ 'solution/solve.sh': sh('echo done > answer.txt; exit 3') });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record).toMatchObject({ agentExitCode: 3, exception: null, remarks: ['solve.sh ended with code 3; see agent/oracle.txt.'] });
    expect(outcome(record)).toBe('reward=1');
    expect(await readFile(join(record.dir!, 'agent/exit-code.txt'), 'utf8')).toBe('3');
  });

  it('names Windows line ends as what keeps a solution from starting', async () => {
    const task = await scratch.task({ 'solution/solve.sh': '#!/bin/bash\r\necho done > /app/answer.txt\r\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record.agentExitCode).toBe(127);
    expect(record.remarks).toEqual([expect.stringContaining('Windows line ends (CRLF)')]);
  });

  it('names Windows line ends below the first line, whatever the exit code is', async () => {
    const task = await scratch.task({ 'solution/solve.sh': '#!/bin/bash\necho done > /app/answer.txt\r\n:\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record.agentExitCode).toBe(0);
    expect(record.remarks).toEqual([expect.stringContaining('takes the carriage return for a part of each command')]);
  });

  it('uses users, variables and the working directory of the task, in Harbor’s order', async () => {
    const task = await scratch.task({
      'environment/Dockerfile': dockerfile,
      'task.toml': `[agent]
user = "dev"
[verifier]
user = "root"
env = { V = "\${HOST_V}", BOTH = "verifier" }
[environment]
workdir = "/home/dev"
env = { E = "env", BOTH = "environment" }
[solution]
env = { S = "\${MISSING:-fallback}", BOTH = "solution" }
`,
      'solution/solve.sh': sh('echo "$(id -un) $PWD $E $S $BOTH $DEBIAN_FRONTEND [$V]"'),
      'tests/test.sh': sh('echo "$(id -un) $PWD $E [$S] $BOTH $V"; echo 1 > /logs/verifier/reward.txt'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' }, { hostEnv: { HOST_V: 'of the host' } });
    expect(outcome(record)).toBe('reward=1');
    expect(await readFile(join(record.dir!, 'agent/oracle.txt'), 'utf8')).toBe(
      'dev /home/dev env fallback solution noninteractive []\n',
    );
    expect(await readFile(join(record.dir!, 'verifier/test-stdout.txt'), 'utf8')).toBe(
      'root /home/dev env [] verifier of the host\n',
    );
  });

  it.each([
    ['environment', 'blocked'],
    ['verifier', 'blocked'],
    ['solution', 'blocked'],
  ])('a variable that [%s.env] needs and the host lacks is named', async (table, reason) => {
    const task = await scratch.task({ 'task.toml': `[${table}]\nenv = { A = "\${TASKWRIGHT_NOT_SET}" }\n` });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record.exception?.type).toBe('ValueError');
    expect(record.undecided).toMatchObject({ reason, message: expect.stringContaining('"TASKWRIGHT_NOT_SET"') as string });
  });
});

describe('a command', () => {
  it('gets the instruction twice, and its tokens and trajectory are kept', async () => {
    const task = await scratch.task({ 'instruction.md': '<!-- canary 1 -->\n\nSay “done” twice\n' });
    const trajectory = {
      schema_version: 'ATIF-v1.7',
      agent: { name: 'mine', version: '2.1', model_name: 'acme/small' },
      steps: [{ step_id: 1, source: 'user', message: 'x' }],
      final_metrics: { total_prompt_tokens: 12, total_cached_tokens: 2, total_completion_tokens: 3, total_cost_usd: 0.5 },
    };
    const command = `cat > /app/stdin.txt; printf '%s' "$TASKWRIGHT_INSTRUCTION" > /app/var.txt
cmp /app/stdin.txt /app/var.txt && cat /app/stdin.txt && pwd && echo done > answer.txt
echo '${JSON.stringify(trajectory)}' > /logs/agent/trajectory.json`;
    const { record, job } = await runOne(engine, scratch, task, { kind: 'command', command });
    expect(outcome(record)).toBe('reward=1');
    expect(record.exception).toBeNull();
    expect(await readFile(join(record.dir!, 'agent/command.txt'), 'utf8')).toBe('Say “done” twice\n/app\n');
    expect(await json(record.dir!, 'agent', 'trajectory.json')).toEqual(trajectory);
    expect(await json(record.dir!, 'result.json')).toMatchObject({
      agent_info: { name: 'command', version: '2.1', model_info: { name: 'small', provider: 'acme' } },
      agent_result: { n_input_tokens: 12, n_cache_tokens: 2, n_output_tokens: 3, cost_usd: 0.5 },
      config: { agent: { name: 'command', kwargs: { command } } },
    });
    expect(await json(job.dir, 'result.json')).toMatchObject({
      stats: { n_input_tokens: 12, cost_usd: 0.5, evals: { command__small__adhoc: { n_trials: 1 } } },
    });
  });

  it('is verified after a failure too, and a long instruction is only on its standard input', async () => {
    const task = await scratch.task({ 'instruction.md': 'x'.repeat(150_000) });
    const command = 'wc -c; echo "[$TASKWRIGHT_INSTRUCTION]"; echo \'{"n_output_tokens": 4, "cost_usd": "no"}\' > /logs/agent/usage.json; exit 9';
    const { record } = await runOne(engine, scratch, task, { kind: 'command', command });
    expect(record).toMatchObject({
      exception: { type: 'NonZeroAgentExitCodeError' },
      undecided: null,
      agentExitCode: 9,
      remarks: [expect.stringContaining('too long for a variable'), expect.stringContaining('cost_usd')],
    });
    expect(outcome(record)).toBe('reward=0');
    expect(await readFile(join(record.dir!, 'agent/command.txt'), 'utf8')).toBe('150000\n[]\n');
    expect(await json(record.dir!, 'taskwright.json')).toMatchObject({
      agent: { usageFrom: 'usage.json', remarks: [expect.stringContaining('cost_usd')] },
    });
    expect(await json(record.dir!, 'result.json')).toMatchObject({ agent_result: { n_output_tokens: 4, cost_usd: null } });
  });
});

describe('a cheat', () => {
  it('runs as the agent, says what it planted, and leaves no script behind', async () => {
    const task = await scratch.task({
      'environment/Dockerfile': dockerfile,
      'task.toml': '[agent]\nuser = "dev"\n',
      'tests/test.sh': sh('ls /tmp; echo 0 > /logs/verifier/reward.txt'),
    });
    const script = sh(`here=$(dirname "$0"); cat "$here/facts.txt"; touch "$here/x"; echo "$(id -un) $PWD $1"
echo '{"reward": 1}' > /logs/verifier/reward.json; echo 'planted: /logs/verifier/reward.json'`);
    const files = [
      { name: 'cheat.sh', content: Buffer.from(script), mode: 0o600 },
      { name: 'facts.txt', content: Buffer.from('a fact\n'), mode: 0o600 },
    ];
    const { record } = await runOne(engine, scratch, task, cheatOf('', { files, args: ['first'], label: 'reward-json' }));
    expect(record.cheat).toEqual({
      strategy: 'reward-json',
      kind: 'catalogue',
      ran: 'ran',
      planted: ['/logs/verifier/reward.json'],
      late: null,
    });
    expect(outcome(record)).toBe('reward=1');
    expect(await readFile(join(record.dir!, 'agent/cheat.txt'), 'utf8')).toBe(
      'a fact\ndev /app first\nplanted: /logs/verifier/reward.json\n',
    );
    expect(await readFile(join(record.dir!, 'verifier/test-stdout.txt'), 'utf8')).toBe('');
    expect(await json(record.dir!, 'config.json')).toMatchObject({ agent: { name: 'cheat', kwargs: { strategy: 'reward-json' } } });
  });

  it('that does not apply is not verified, and one that breaks is', async () => {
    const task = await scratch.task({});
    const skipped = await runOne(engine, scratch, task, cheatOf(sh('exit 77')));
    expect(skipped.record).toMatchObject({ reading: null, exception: null, cheat: { ran: 'skipped' } });
    const broken = await runOne(engine, scratch, task, cheatOf(sh(`echo '{"reward": 1}' > /logs/verifier/reward.json; exit 1`)));
    expect(broken.record).toMatchObject({ agentExitCode: 1, cheat: { ran: 'broken' } });
    expect(outcome(broken.record)).toBe('reward=1');
    const slow = await runOne(engine, scratch, task, cheatOf(sh('sleep 60'), { timeoutSec: 1 }));
    expect(slow.record).toMatchObject({ exception: null, cheat: { ran: 'broken' } });
    expect(outcome(slow.record)).toBe('reward=0');
    const authors = await runOne(engine, scratch, task, cheatOf(sh('exit 5'), { source: 'wrong', label: 'author:x' }));
    expect(authors.record).toMatchObject({ agentExitCode: 5, cheat: { ran: 'broken', kind: 'wrong' } });
  });

  it('is read again while a process of it lives', async () => {
    const task = await scratch.task({});
    const script = sh(`setsid sh -c 'while [ ! -s /logs/verifier/reward.txt ]; do sleep 0.05; done; sleep 1
echo 1 > /logs/verifier/reward.txt; sleep 60' > /dev/null 2>&1 < /dev/null &`);
    const { record } = await runOne(engine, scratch, task, cheatOf(script, { level: 3 }));
    expect(outcome(record)).toBe('reward=0');
    expect(record.cheat?.late).toMatchObject({ ok: true, rewards: { reward: { value: 1 } } });
  });

  it('sees no tests, and what it puts in their place stays unless it is overwritten', async () => {
    const task = await scratch.task({
      'tests/test.sh': sh('ls /tests; cat /tests/helper.txt; echo 0 > /logs/verifier/reward.txt'),
      'tests/helper.txt': 'of the task\n',
    });
    const script = sh('ls /tests /solution; mkdir /tests; echo planted > /tests/extra; echo fake > /tests/helper.txt');
    const { record } = await runOne(engine, scratch, task, cheatOf(script, { source: 'cheat' }));
    const said = await readFile(join(record.dir!, 'agent/cheat.txt'), 'utf8');
    expect(said).toContain("cannot access '/tests'");
    expect(said).toContain("cannot access '/solution'");
    expect(await readFile(join(record.dir!, 'verifier/test-stdout.txt'), 'utf8')).toBe(
      'extra\nhelper.txt\ntest.sh\nof the task\n',
    );
  });

  it.each([
    ['an interpreter lost to CRLF', '#!/bin/bash\r\necho 1 > /logs/verifier/reward.txt\r\n', 'Windows line ends'],
    ['CRLF below a shebang', '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\r\n', 'Windows line ends'],
    ['an interpreter that is not there', '#!/usr/bin/nothing\n', '"/usr/bin/nothing"'],
    ['a command that is not there', sh('pyhton3 -c "print(1)"'), 'code 127'],
    ['a slip of syntax', sh('if then oops'), 'code 2'],
    ['an end with a code', sh('exit 3'), 'code 3'],
  ])('of an author that did not end well is broken: %s', async (_what, script, told) => {
    const task = await scratch.task({});
    const { record } = await runOne(engine, scratch, task, cheatOf(script, { source: 'cheat', label: 'author:x' }));
    expect(record.cheat?.ran).toBe('broken');
    expect(record.remarks).toEqual([expect.stringContaining(told)]);
  });

  it('of another right solution gets the solution’s variables', async () => {
    const task = await scratch.task({ 'task.toml': '[solution]\nenv = { WORD = "done" }\n' });
    const script = sh('echo "$WORD" > answer.txt');
    const right = await runOne(engine, scratch, task, cheatOf(script, { source: 'alternative', label: 'variant:x' }));
    expect(outcome(right.record)).toBe('reward=1');
    const wrong = await runOne(engine, scratch, task, cheatOf(script, { source: 'cheat', label: 'author:x' }));
    expect(outcome(wrong.record)).toBe('reward=0');
  });
});

describe('images', () => {
  it('says that an image has no bash', async () => {
    const task = await scratch.task({ 'environment/Dockerfile': 'FROM python:3.13-slim\nRUN rm -f /bin/bash /usr/bin/bash\nWORKDIR /app\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    expect(record.exception).toMatchObject({
      type: 'RewardFileNotFoundError',
      message: expect.stringContaining('The image has no bash; Harbor runs every command with it.') as string,
    });
    expect(record.remarks).toEqual([expect.stringContaining('no bash')]);
  });

  it.each([
    ['a working directory', '[environment]\nworkdir = "/nowhere"\n', 'The working directory "/nowhere"'],
    ['a user', '[verifier]\nuser = "nobody-here"\n', 'The user "nobody-here" does not exist'],
  ])('says that the image lacks %s', async (_name, toml, told) => {
    const task = await scratch.task({ 'task.toml': toml });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record.exception?.message ?? record.undecided?.message).toContain(told);
  });

  it('fills the working directory of a prebuilt image', async () => {
    const task = await scratch.task({
      'environment/Dockerfile': null,
      'environment/data.txt': 'from the host\n',
      'task.toml': '[environment]\ndocker_image = "python:3.13-slim"\nworkdir = "/srv"\n',
      'tests/test.sh': sh('cat /srv/data.txt && echo 1 > /logs/verifier/reward.txt'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(outcome(record)).toBe('reward=1');
  });

  it('tells a failed build with its last output, once for all trials', async () => {
    const task = await scratch.task({ 'environment/Dockerfile': 'FROM python:3.13-slim\nRUN echo before; exit 4\n' });
    const { record } = await runOne(engine, scratch, task, { kind: 'nop' });
    expect(record).toMatchObject({ exception: { type: 'RuntimeError' }, undecided: { reason: 'build-failed' } });
    expect(record.exception?.message).toContain('before');
    expect(record.exception?.message).toContain('line 2');
  });

  it('names what is not supported, and what is not there', async () => {
    const multi = await scratch.task({ 'task.toml': '[environment]\nnetwork_mode = "allowlist"\n' }, 'a');
    const one = await runOne(engine, scratch, multi, { kind: 'nop' });
    expect(one.record).toMatchObject({ exception: { type: 'NotSupportedError' }, undecided: { reason: 'unsupported' } });
    const none = await scratch.task({ 'environment/Dockerfile': null, 'environment/x': '' }, 'b');
    const two = await runOne(engine, scratch, none, { kind: 'nop' });
    expect(two.record.undecided).toMatchObject({ reason: 'build-failed' });
    const broken = await scratch.task({ 'task.toml': 'a = [' }, 'c');
    const three = await runOne(engine, scratch, broken, { kind: 'nop' });
    expect(three.record.undecided).toMatchObject({ reason: 'not-loadable' });
    expect(await json(three.record.dir!, 'result.json')).toMatchObject({ exception_info: { exception_type: 'ValidationError' } });
  });
});

describe('what is collected', () => {
  it('takes artifacts with their exclusions, and lists them', async () => {
    const task = await scratch.task({
      'task.toml': `artifacts = ["/app/report.json", "/app/missing", { source = "/app/tree", destination = "kept", exclude = ["*.tmp"] }, "/app/tree/sub"]\n`,
      'solution/solve.sh': sh(`echo '{}' > report.json; mkdir -p tree/sub; echo 1 > tree/a; echo 2 > tree/sub/b.tmp; echo 3 > tree/sub/c
ln -s /etc/passwd tree/link; echo early > /logs/artifacts/early.txt`),
      'tests/test.sh': sh('echo late > /logs/artifacts/late.txt; echo 1 > /logs/verifier/reward.txt'),
    });
    const { record } = await runOne(engine, scratch, task, { kind: 'oracle' });
    const manifest = JSON.parse(await readFile(join(record.dir!, 'artifacts/manifest.json'), 'utf8')) as unknown;
    expect(manifest).toEqual([
      { source: '/logs/artifacts', destination: 'artifacts/logs/artifacts', type: 'directory', status: 'ok', service: null },
      { source: '/app/report.json', destination: 'artifacts/app/report.json', type: 'file', status: 'ok', service: null },
      { source: '/app/missing', destination: 'artifacts/app/missing', type: 'directory', status: 'failed', service: null },
      { source: '/app/tree', destination: 'artifacts/kept', type: 'directory', status: 'ok', service: null },
      { source: '/app/tree/sub', destination: 'artifacts/app/tree/sub', type: 'directory', status: 'ok', service: null },
    ]);
        expect((await readdir(join(record.dir!, 'artifacts'), { recursive: true })).sort()).toEqual([
      'app',
      'app/report.json',
      'app/tree',
      'app/tree/sub',
      'app/tree/sub/b.tmp',
      'app/tree/sub/c',
      'kept',
      'kept/a',
      'kept/sub',
      'kept/sub/c',
      'logs',
      'logs/artifacts',
      'logs/artifacts/early.txt',
      'logs/artifacts/late.txt',
      'manifest.json',
    ]);
  });

  it('takes secrets out of every text, and says which are too short for that', async () => {
    const task = await scratch.task({
      'task.toml': '[verifier]\nenv = { API_KEY = "${THE_KEY}", MAX_TOKENS = "100", PLAIN = "visible-value" }\n',
      'tests/test.sh': sh('echo "key $API_KEY $PLAIN"; echo "{\\"reward\\": 1, \\"$API_KEY\\": 100}" > /logs/verifier/reward.json'),
    });
    const { record, events } = await runOne(engine, scratch, task, { kind: 'nop' }, {
      hostEnv: { THE_KEY: 'hush-hush-1' },
      streamOutput: true,
    });
    expect(await readFile(join(record.dir!, 'verifier/test-stdout.txt'), 'utf8')).toBe('key [REDACTED] visible-value\n');
    expect(await json(record.dir!, 'taskwright.json')).toMatchObject({ redacted: ['API_KEY'], notRedacted: ['MAX_TOKENS'] });
    // grep ends with 1 when it finds nothing.
    expect(() => execFileSync('grep', ['-rl', 'hush-hush-1', record.dir!])).toThrow();
    expect(JSON.stringify([record, events])).not.toContain('hush-hush-1');
  });
});
