import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../../../src/core/rules/fingerprint';
import { parseTaskConfig } from '../../../../src/core/task/parse';
import { applyEdits } from '../../../../src/core/text/edits';
import { linesOf } from '../../../../src/core/text/lines';
import { soundConfig } from '../../memory-files';

/** `severity line:"text" message [fixes]` of one rule's findings. */
function shown(ruleId: string, toml: string): string[] {
  const lines = linesOf(toml);
  return parseTaskConfig(toml)
    .findings.filter((finding) => finding.ruleId === ruleId)
    .map(({ severity, range, message, fixes }) => {
      const covered = toml.slice(lines.offset(range.start), lines.offset(range.end));
      const titles = fixes.map((fix) => fix.title + (fix.preferred === true ? '*' : '')).join(' | ');
      return `${severity} ${range.start.line}:${JSON.stringify(covered)} ${message}${titles === '' ? '' : ` [${titles}]`}`;
    });
}

/** The text after the named fix of the first finding that has it. */
function mended(toml: string, title: string): string {
  for (const finding of parseTaskConfig(toml).findings) {
    const fix = finding.fixes.find((one) => one.title === title);
    if (fix) return applyEdits(toml, fix.edits) ?? 'overlapping edits';
  }
  return 'no such fix';
}

test('a sound configuration is silent', () => {
  expect(parseTaskConfig(soundConfig).findings).toEqual([]);
});

test('config-syntax', () => {
  expect(mended('source = "C:\\Temp"\n', 'Take the backslashes literally')).toBe("source = 'C:\\Temp'\n");
  expect(mended('source = "x # y\n', 'Add the missing quote')).toBe('source = "x # y"\n');
  expect(mended('\uFEFFsource = "x"\n', 'Remove the byte-order mark')).toBe('source = "x"\n');
  expect(mended('source = hello world # c\n', 'Write "hello world"')).toBe('source = "hello world" # c\n');
  expect(mended('a = True\n', 'Write true')).toBe('a = true\n');
  expect(shown('config-syntax', 'cpus = \n\n')).toEqual(['error 0:"=" The value is missing.']);
});

describe('config-unknown-key', () => {
  test('suggests a key, and says what is in force instead', () => {
    expect(shown('config-unknown-key', '[agent]\ntimeout = 900\n')).toEqual([
      'warning 1:"timeout" Harbor does not know timeout in [agent] and ignores it. Did you mean timeout_sec? As it stands, timeout_sec is not set. [Rename to timeout_sec* | Move timeout to [metadata]]',
    ]);
    expect(shown('config-unknown-key', '[verifier]\ntime_out_sec = 9\n')[0]).toContain(
      'Did you mean timeout_sec? The default is in force: timeout_sec = 600.',
    );
    expect(shown('config-unknown-key', '[environment]\ncpus = 2\ncpu = 4\n')).toEqual([
      'warning 2:"cpu" Harbor does not know cpu in [environment] and ignores it. Did you mean cpus? cpus = 2 is in force. [Move cpu to [metadata]]',
    ]);
    expect(shown('config-unknown-key', '[agent]\nmodel = "x"\n')).toEqual([
      'warning 1:"model" Harbor does not know model in [agent] and ignores it. [Move model to [metadata]]',
    ]);
  });

  test('suggests no text for tables', () => {
    expect(shown('config-unknown-key', '[[sources]]\nurl = "x"\n')[0]).not.toContain('Did you mean');
    expect(shown('config-unknown-key', 'sourc = "acme/x"\n')[0]).toContain('Did you mean source?');
  });

  test('a rename keeps the meaning of the value', () => {
    expect(mended('[environment]\nmemory_gb = 4\n', 'Rename to memory_mb')).toBe('[environment]\nmemory_mb = 4096\n');
    expect(mended('[environment]\ninternet = false\n', 'Rename to network_mode')).toBe(
      '[environment]\nnetwork_mode = "no-network"\n',
    );
    expect(mended('[enviroment]\ncpus = 1\n[enviroment.env]\nA = "1"\n', 'Rename to environment')).toBe(
      '[environment]\ncpus = 1\n[environment.env]\nA = "1"\n',
    );
    expect(mended('[agent]\ntimeout = "long"\n', 'Rename to timeout_sec')).toBe('no such fix');
  });

  test('[metadata] is free', () => {
    expect(shown('config-unknown-key', '[metadata]\nanything = 1\n[metadata.deep]\ntimeout = 2\n')).toEqual([]);
  });
});

describe('config-misplaced-key', () => {
  test('a root key below a header is moved with its comment', () => {
    const toml = '[verifier]\n# keep these\nartifacts = [\n  "/a",\n] # all\ntimeout_sec = 1.0\n';
    expect(shown('config-misplaced-key', toml)).toEqual([
      'warning 2:"artifacts" artifacts belongs to the root, not to [verifier]: TOML attaches it to the table header above it, so it has no effect. [Move artifacts to the root*]',
    ]);
    expect(shown('config-unknown-key', toml)).toEqual([]);
    expect(mended(toml, 'Move artifacts to the root')).toBe(
      '# keep these\nartifacts = [\n  "/a",\n] # all\n\n[verifier]\ntimeout_sec = 1.0\n',
    );
  });

  test('a key of another table is moved there', () => {
    expect(shown('config-misplaced-key', '[environment]\nuser = "dev"\n')).toEqual([
      'warning 1:"user" user belongs to [agent] or [verifier], not to [environment]: there it has no effect. [Move user to [agent] | Move user to [verifier]]',
    ]);
    expect(mended('[environment]\nuser = "dev"\ncpus = 1', 'Move user to [agent]')).toBe(
      '[environment]\ncpus = 1\n\n[agent]\nuser = "dev"\n',
    );
    expect(shown('config-misplaced-key', '[environment]\ncollect = []\n')[0]).toContain(
      'collect belongs to [verifier]',
    );
    expect(shown('config-misplaced-key', '[agent]\nallow_internet = false\n')[0]).toContain('belongs to [environment]');
    expect(shown('config-misplaced-key', '[[steps]]\nname = "a"\n[steps.solution]\nenv = {}\n')[0]).toContain(
      'solution belongs to the root, not to [[steps]]',
    );
  });

  test('in [metadata] only what cannot be meant for it', () => {
    expect(
      shown('config-misplaced-key', '[metadata]\nnetwork_mode = "public"\nuser = "x"\nartifacts = 3\n'),
    ).toHaveLength(1);
    expect(mended('[metadata]\na = 1\nartifacts = ["/x"]\n', 'Move artifacts to the root')).toBe(
      'artifacts = ["/x"]\n\n[metadata]\na = 1\n',
    );
  });
});

describe('config-invalid-value', () => {
  test('says what is wrong, where, and offers the accepted spelling', () => {
    const toml = `[environment]
memory = "4GB"
network_mode = "No_Network"
allowed_hosts = ["ok.com", "https://a.com/x"]
[environment.env]
PORT = 8080
[verifier]
environment_mode = "shared"
[verifier.environment]
`;
    expect(shown('config-invalid-value', toml)).toEqual([
      'error 1:"\\"4GB\\"" memory = "4GB" must end in G, M or K, such as "4G". [Write memory_mb = 4096*]',
      'error 2:"\\"No_Network\\"" environment.network_mode must be one of "no-network", "public", "allowlist", not "No_Network". [Write "no-network"*]',
      'error 3:"\\"https://a.com/x\\"" "https://a.com/x" in environment.allowed_hosts is a URL; only its host name can be allowed.',
      'error 5:"8080" environment.env.PORT must be a text in quotes, not an integer. [Put it in quotes*]',
      'error 7:"\\"shared\\"" environment_mode = "shared" contradicts the [verifier.environment] of the same verifier.',
    ]);
  });

  test('what is missing is shown at its table', () => {
    expect(shown('config-invalid-value', '[task]\n[[verifier.collect]]\n')).toEqual([
      'error 0:"[task]" Package needs a name.',
      'error 1:"[[verifier.collect]]" Collect hook needs a command.',
    ]);
  });

  test('a value that Harbor converts is a hint', () => {
    expect(shown('config-invalid-value', '[environment]\ncpus = "2"\n')).toEqual([
      'hint 1:"\\"2\\"" Harbor reads this text as 2. [Write 2]',
    ]);
  });
});

test('config-suspicious-value', () => {
  const toml = `multi_step_reward_strategy = "final"
artifacts = ["/a", "/a/", { source = "/a/b" }, { source = "/a", service = "db" }]
[agent]
timeout_sec = 0
network_mode = "allowlist"
[environment]
cpus = -1
memory = 4096
gpus = 1
[environment.tpu]
type = "v4"
topology = "2x2"
[verifier]
timeout_sec = nan
[verifier.env]
MAX_TOKENS = "100"
API_KEY = "\${API_KEY}"
[verifier.environment]
build_timeout_sec = 5.0
`;
  expect(shown('config-suspicious-value', toml)).toEqual([
    'warning 0:"multi_step_reward_strategy" multi_step_reward_strategy has no effect: the task has no [[steps]].',
    'warning 1:"\\"/a/\\"" "/a/" is collected already; Harbor skips the second entry.',
    'warning 1:"{ source = \\"/a/b\\" }" "/a/b" overlaps "/a"; Harbor skips the later of the two.',
    'warning 3:"0" agent.timeout_sec = 0 is accepted, but the agent is stopped at once. [Write 900.0]',
    'warning 4:"\\"allowlist\\"" network_mode = "allowlist" without allowed_hosts lets nothing through, as "no-network" does.',
    'warning 6:"-1" environment.cpus = -1 is accepted, but that is no number of cores a container can be limited to. [Write 1]',
    'warning 7:"4096" memory must be a text such as "4G"; Harbor drops any other value, and there is no limit, as if it were absent. [Write memory_mb = 4096]',
    'information 8:"1" Docker refuses to run a task that asks for GPUs.',
    'information 9:"tpu" Docker refuses to run a task that asks for a TPU.',
    'warning 13:"nan" verifier.timeout_sec = nan is accepted, but it is no number, so the limit is undefined. [Write 600.0]',
    'warning 15:"\\"100\\"" The name MAX_TOKENS reads like a secret, so Harbor replaces "100" by [REDACTED] in every result file of a trial.',
    'warning 18:"build_timeout_sec" verifier.environment.build_timeout_sec has no effect here. The limit of the top-level [environment] is in force.',
  ]);
  expect(shown('config-suspicious-value', '[environment]\ngpus = 0\n')).toEqual([]);
});

describe('config-deprecated-key', () => {
  test('is rewritten in place', () => {
    const toml = 'version = "1.0"\n[environment]\nmemory = "1.5G" # enough\nallow_internet = false\n';
    expect(shown('config-deprecated-key', toml)).toEqual([
      'information 0:"version" version is an old spelling of schema_version; Harbor reads it as schema_version = "1.0". [Write schema_version = "1.0"*]',
      'information 2:"memory" memory is an old spelling of memory_mb; Harbor reads it as memory_mb = 1536. [Write memory_mb = 1536*]',
      'information 3:"allow_internet" allow_internet is an old spelling of network_mode; Harbor reads it as network_mode = "no-network". [Write network_mode = "no-network"*]',
    ]);
    expect(mended(toml, 'Write memory_mb = 1536')).toContain('\nmemory_mb = 1536 # enough\n');
  });

  test('beside the new key it is dead', () => {
    const toml = '[environment]\nnetwork_mode = "public"\nallow_internet = false\n';
    expect(shown('config-deprecated-key', toml)).toEqual([
      'warning 2:"allow_internet" allow_internet is ignored, because network_mode is in the same table. [Remove allow_internet]',
    ]);
    expect(mended(toml, 'Remove allow_internet')).toBe('[environment]\nnetwork_mode = "public"\n');
    expect(shown('config-deprecated-key', 'version = "1"\nschema_version = "2"\n')).toHaveLength(1);
  });
});

test('config-missing-agent-timeout', () => {
  expect(shown('config-missing-agent-timeout', '[agent]\nuser = "dev"\n')).toEqual([
    'warning 0:"[agent]" The agent has no time limit: agent.timeout_sec is not set. [Set a limit of 900 seconds]',
  ]);
  expect(mended('[agent]\nuser = "dev"\n', 'Set a limit of 900 seconds')).toBe(
    '[agent]\ntimeout_sec = 900.0 # adjust to the task\nuser = "dev"\n',
  );
  expect(mended('source = "x"', 'Set a limit of 900 seconds')).toBe(
    'source = "x"\n\n[agent]\ntimeout_sec = 900.0 # adjust to the task\n',
  );
  const steps = '[[steps]]\nname = "a"\nagent.timeout_sec = 1.0\n[[steps]]\nname = "b"\n';
  expect(shown('config-missing-agent-timeout', steps)[0]).toContain('The agent in step "b" has no time limit');
  expect(shown('config-missing-agent-timeout', steps.replace('[[steps]]\nname = "b"\n', ''))).toEqual([]);
});

test('config-missing-verifier-timeout', () => {
  expect(shown('config-missing-verifier-timeout', '')).toEqual([
    'information 0:"" verifier.timeout_sec is not set, so the verifier has 600 seconds. [Set a limit of 300 seconds]',
  ]);
  const steps =
    '[verifier]\ntimeout_sec = 900.0\n[[steps]]\nname = "a"\n\n# second\n[[steps]]\nname = "b"\nverifier = { timeout_sec = 1.0 }\n';
  expect(shown('config-missing-verifier-timeout', steps)).toEqual([
    'warning 2:"[[steps]]" The verifier of step "a" has 600 seconds, not the 900 of [verifier]: a step does not take that value. [Set a limit of 300 seconds]',
  ]);
  expect(mended(steps, 'Set a limit of 300 seconds')).toContain(
    '[[steps]]\nname = "a"\n\n[steps.verifier]\ntimeout_sec = 300.0 # adjust to the task\n\n# second\n[[steps]]\nname = "b"\n',
  );
});

test('config-missing-resources', () => {
  expect(shown('config-missing-resources', '[environment]\nworkdir = "/app"\n')).toHaveLength(1);
  expect(mended('[environment]\n', 'Set 2 cores and 2048 MiB')).toBe('[environment]\ncpus = 2\nmemory_mb = 2048\n');
  expect(shown('config-missing-resources', '[environment]\nmemory = "1G"\n')).toEqual([]);
});

test('config-phase-network-switch', () => {
  const toml = '[environment]\nnetwork_mode = "no-network"\n[verifier]\nnetwork_mode = "public"\n';
  expect(shown('config-phase-network-switch', toml)).toEqual([
    'information 3:"\\"public\\"" The verifier\'s network policy (public) differs from that of its environment (no-network), so it must be switched while the container runs. [Give the verifier an environment of its own]',
  ]);
  expect(mended(toml, 'Give the verifier an environment of its own')).toBe(
    '[environment]\nnetwork_mode = "no-network"\n[verifier]\n\n[verifier.environment]\nnetwork_mode = "public"\n',
  );
  expect(shown('config-phase-network-switch', '[agent]\nnetwork_mode = "public"\n')).toEqual([]);
});

test('config-secret-literal', () => {
  const toml = `[verifier.env]
JUDGE_KEY = "sk-live-9fQ2xT7bLm4RzW8v"
DB_PASSWORD = "kP9$vT2!qLx7Zr4Wm"
OTHER_KEY = "\${OTHER_KEY}"
TEST_TOKEN = "test-token-for-the-mock-0001"
TOKEN_FILE = "/run/secrets/token_file_2024"
SECRET_NAME = "alpha-beta-gamma-delta"
PLAIN = "kP9$vT2!qLx7Zr4Wm"
`;
  expect(shown('config-secret-literal', toml)).toEqual([
    'warning 1:"\\"sk-live-9fQ2xT7bLm4RzW8v\\"" JUDGE_KEY holds what looks like a token as plain text. [Take it from the host as ${JUDGE_KEY}]',
    'warning 2:"\\"kP9$vT2!qLx7Zr4Wm\\"" DB_PASSWORD holds what looks like a secret as plain text. [Take it from the host as ${DB_PASSWORD}]',
  ]);
});

test('config-metadata-placeholder', () => {
  const toml = `[metadata]
author_email = "you@example.com"
author_name = "Your Name"
category = ""
difficulty = "TODO: decide"
tags = ["general", "logs"]
expert_time_estimate_min = 600
junior_time_estimate_min = 60
estimated_time_sec = 0
note = "todo lists are the subject"
`;
  expect(shown('config-metadata-placeholder', toml)).toEqual([
    'information 1:"\\"you@example.com\\"" author_email is the sample address "you@example.com".',
    'information 2:"\\"Your Name\\"" author_name is the placeholder "Your Name".',
    'information 3:"\\"\\"" category is empty.',
    'information 4:"\\"TODO: decide\\"" difficulty is the placeholder "TODO: decide".',
    'information 5:"\\"general\\"" An entry of tags is "general", which says nothing.',
    'information 6:"600" expert_time_estimate_min is 600, more than junior_time_estimate_min with 60.',
    'information 8:"0" estimated_time_sec is 0, which is no estimate.',
  ]);
  expect(shown('config-metadata-placeholder', 'source = ""\n')).toEqual([]);
});

describe('fingerprints', () => {
  test('survive a move, and tell places apart', () => {
    const of = (toml: string): string[] =>
      parseTaskConfig(toml)
        .findings.filter((finding) => finding.ruleId === 'config-suspicious-value')
        .map((finding) => finding.fingerprint);
    const [first] = of('[environment]\ncpus = 0\n');
    expect(of('# new\n\n[task]\nname = "a/b"\n[environment]\n\ncpus  =  0\n')).toEqual([first]);
    expect(of('[verifier.environment]\ncpus = 0\n')).not.toEqual([first]);
  });

  test('are FNV-1a of 64 bits', () => {
    expect([fingerprint('a'), fingerprint('foobar'), fingerprint('config-syntax', 'task.toml')]).toEqual([
      'af63dc4c8601ec8c',
      '85944171f73967e8',
      '1266c01739acac0c',
    ]);
  });
});
