import type { TomlTable, TomlValue } from '../../text/toml-tree';
import { guessSize, parseSize } from '../sizes';
import { topologyFormat, notEmptyFormat } from './formats';
import { allowedHosts, hostsWithMode, networkModes } from './network-keys';
import type { Migration, Table, TableTrouble } from './key';
import {
  boolean,
  choice,
  float,
  integer,
  legacy,
  list,
  map,
  optional,
  required,
  table,
  text,
  withDefault,
  withoutEffect,
} from './key';

export const healthcheckTable = {
  title: 'Healthcheck',
  doc: 'A command that must succeed before the agent starts.',
  keys: {
    command: required(text(), { doc: 'Shell command; the environment is ready once it exits with 0.' }),
    interval_sec: withDefault(float(), 5, { unit: 'seconds', doc: 'Pause between two tries.' }),
    timeout_sec: withDefault(float(), 30, {
      unit: 'seconds',
      doc: 'Limit for one try, cut to whole seconds.',
      sensible: { atLeast: 1, otherwise: 'below 1 second there is no limit at all', offer: '30.0' },
    }),
    start_period_sec: withDefault(float(), 0, {
      unit: 'seconds',
      doc: 'Time at the start in which failures do not count.',
    }),
    start_interval_sec: withDefault(float(), 5, {
      unit: 'seconds',
      doc: 'Pause between two tries in the start period.',
    }),
    retries: withDefault(integer(), 3, {
      doc: 'Failures in a row after which the environment counts as broken.',
      sensible: { atLeast: 1, otherwise: 'the check is tried once', offer: '3' },
    }),
  },
} satisfies Table;

const tpuTable = {
  title: 'TPU',
  doc: 'A TPU slice. Docker cannot give one to a container and refuses the task.',
  keys: {
    type: required(text(notEmptyFormat), { doc: 'Name of the TPU type.' }),
    topology: required(text(topologyFormat), {
      doc: 'Arrangement of the chips; their number is the product.',
      constraint: 'Numbers joined by `x`, such as `2x4`.',
    }),
  },
} satisfies Table;

const mcpServerTable = {
  title: 'MCP server',
  doc: 'A server that is handed to the agent; oracle and nop ignore it.',
  keys: {
    name: required(text(), { doc: 'Name of the server; the run configuration may replace it by this name.' }),
    transport: withDefault(
      choice(
        {
          sse: 'Server-sent events; needs `url`.',
          'streamable-http': 'Streamable HTTP; needs `url`.',
          stdio: 'A program that speaks over its standard streams; needs `command`.',
        },
        { aliases: { http: 'streamable-http' } },
      ),
      'sse',
      { doc: 'How the agent talks to the server.' },
    ),
    url: optional(text(), { doc: 'Address of the server.', constraint: 'Required for `sse` and `streamable-http`.' }),
    command: optional(text(), { doc: 'Program to start.', constraint: 'Required for `stdio`.' }),
    args: withDefault(list(text()), [], { doc: 'Arguments of `command`.' }),
  },
  check: ({ transport, url, command }): readonly TableTrouble[] => {
    if (transport === 'stdio') {
      return isGiven(command)
        ? []
        : [{ key: 'transport', message: 'A server with transport "stdio" needs a command.' }];
    }
    return isGiven(url)
      ? []
      : [{ key: 'transport', message: `A server with transport "${String(transport)}" needs a url.` }];
  },
} satisfies Table;

const isGiven = (value: unknown): boolean => typeof value === 'string' && value !== '';

const dockerIgnores = (doc: string): string => `${doc} Docker ignores it.`;

const environmentKeys = {
  build_timeout_sec: withDefault(float(), 600, {
    unit: 'seconds',
    doc: 'Limit for build, pull and start together.',
    sensible: { moreThan: 0, otherwise: 'the build is given up at once', offer: '600.0' },
    aliases: [{ name: 'timeout' }, { name: 'build_timeout' }, { name: 'start_timeout_sec' }],
  }),
  docker_image: optional(text(), {
    doc: 'A prebuilt image; the Dockerfile is then not built, unless the run forces a build.',
    constraint: 'An empty text is the same as no image.',
    aliases: [{ name: 'image' }, { name: 'base_image' }, { name: 'container_image' }],
  }),
  os: withDefault(
    choice(
      { linux: 'Linux containers; scripts end in `.sh`.', windows: 'Windows containers; scripts end in `.bat`.' },
      { lowerCased: true },
    ),
    'linux',
    { doc: 'Operating system of the container.', aliases: [{ name: 'platform' }, { name: 'operating_system' }] },
  ),
  cpus: optional(integer(), {
    unit: 'cores',
    doc: 'Cores the container may use, as a hard limit. Absent: as many as the host has.',
    sensible: { atLeast: 1, otherwise: 'that is no number of cores a container can be limited to', offer: '1' },
    aliases: [{ name: 'cpu' }, { name: 'cores' }, { name: 'cpu_count' }, { name: 'num_cpus' }, { name: 'vcpus' }],
  }),
  memory_mb: optional(integer(), {
    unit: 'MiB',
    doc: 'Memory the container may use, as a hard limit. Absent: as much as the host has.',
    sensible: { atLeast: 6, otherwise: 'that is no amount of memory a container can be limited to', offer: '2048' },
    aliases: [
      ...['memory_gb', 'memory_gib', 'mem_gb', 'ram_gb'].map((name) => ({ name, rewrite: gigabytes })),
      ...['mem', 'mem_mb', 'ram', 'ram_mb', 'memory_mib', 'memory_limit'].map((name) => ({ name, rewrite: megabytes })),
    ],
  }),
  storage_mb: optional(integer(), {
    unit: 'MiB',
    doc: dockerIgnores('Disk space.'),
    sensible: { atLeast: 1, otherwise: 'that is no amount of disk space', offer: '10240' },
    aliases: [
      ...['storage_gb', 'storage_gib', 'disk_gb'].map((name) => ({ name, rewrite: gigabytes })),
      ...['disk', 'disk_mb', 'storage_mib'].map((name) => ({ name, rewrite: megabytes })),
    ],
  }),
  gpus: optional(integer(), {
    doc: 'Number of GPUs. Docker refuses the task when it is more than 0.',
    sensible: { atLeast: 0, otherwise: 'that is no number of GPUs', offer: '0' },
    aliases: [{ name: 'gpu_count' }, { name: 'num_gpus' }],
  }),
  gpu_types: optional(list(text()), { doc: dockerIgnores('Acceptable GPU models.') }),
  tpu: optional(table(tpuTable), { doc: tpuTable.doc }),
  mcp_servers: withDefault(list(table(mcpServerTable)), [], { doc: mcpServerTable.doc }),
  env: withDefault(
    map(text()),
    {},
    {
      doc: 'Environment variables of the container and of every command in it. A value that is `${NAME}` or `${NAME:-default}` as a whole is taken from the host.',
      constraint: 'Values are texts; numbers and booleans need quotes.',
      aliases: [
        { name: 'environment' },
        { name: 'variables' },
        { name: 'env_vars' },
        { name: 'environment_variables' },
      ],
    },
  ),
  skills_dir: optional(text(), {
    doc: 'Folder in the container from which agents copy skills; oracle and nop ignore it.',
    names: 'container-folder',
  }),
  healthcheck: optional(table(healthcheckTable), { doc: healthcheckTable.doc }),
  workdir: optional(text(), {
    doc: "Working directory of every command, instead of the image's own. Harbor does not create it; if it is missing, every command ends with 126.",
    names: 'container-folder',
    aliases: [{ name: 'working_dir' }, { name: 'work_dir' }, { name: 'working_directory' }, { name: 'cwd' }],
  }),
  network_mode: withDefault(choice(networkModes), 'public', {
    doc: 'Network policy of this environment; a phase may override it.',
    since: '1.3',
    aliases: ['internet', 'internet_access', 'network', 'network_access', 'enable_internet'].map((name) => ({
      name,
      rewrite: networkModeText,
    })),
  }),
  allowed_hosts: optional(allowedHosts, {
    doc: 'Hosts that stay reachable with `network_mode = "allowlist"`; none denies everything.',
    constraint: 'Only with `network_mode = "allowlist"`, unless it is empty.',
    since: '1.3',
    aliases: [{ name: 'allowed_domains' }, { name: 'allow_hosts' }, { name: 'allowlist' }, { name: 'hosts' }],
  }),
  allow_internet: legacy('network_mode', boolean(), {
    doc: 'Old spelling of `network_mode`: `false` is `"no-network"`, `true` is `"public"`.',
    isChecked: true,
    migrate: migrateAllowInternet,
  }),
  memory: legacy('memory_mb', text(), {
    doc: 'Old spelling of `memory_mb`, with a unit: `"4G"` is 4096.',
    migrate: (value, own) => migrateSize('memory', value, own),
  }),
  storage: legacy('storage_mb', text(), {
    doc: 'Old spelling of `storage_mb`, with a unit: `"10G"` is 10240.',
    migrate: (value, own) => migrateSize('storage', value, own),
  }),
};

export const environmentTable = {
  title: 'Environment',
  doc: 'The container in which the agent works.',
  keys: environmentKeys,
  check: (values) => hostsWithMode(values, { emptyNeedsMode: false }),
} satisfies Table;

const unused = 'Harbor does not use it in the environment of a verifier.';

export const verifierEnvironmentTable = {
  title: 'Environment of a separate verifier',
  doc: 'The container of a separate verifier, built from a tests folder; without this table it is a copy of `[environment]`.',
  keys: {
    ...environmentKeys,
    build_timeout_sec: withoutEffect(
      environmentKeys.build_timeout_sec,
      'The limit of the top-level [environment] is in force.',
    ),
    healthcheck: withoutEffect(environmentKeys.healthcheck, unused),
    mcp_servers: withoutEffect(environmentKeys.mcp_servers, unused),
    skills_dir: withoutEffect(environmentKeys.skills_dir, unused),
  },
  check: environmentTable.check,
} satisfies Table;

function migrateAllowInternet(value: TomlValue, own: TomlTable): Migration {
  const truth = value.kind === 'boolean' ? value.value : isTruthy(value);
  const mode = truth ? 'public' : 'no-network';
  if (own.entries.has('network_mode')) {
    return { kind: 'overruled', message: 'allow_internet is ignored, because network_mode is in the same table.' };
  }
  if (own.entries.has('allowed_hosts')) {
    return {
      kind: 'overruled',
      message: 'allow_internet is ignored, because allowed_hosts is in the same table; network_mode stays "public".',
    };
  }
  return {
    kind: 'converted',
    value: { kind: 'string', value: mode, range: value.range },
    text: `"${mode}"`,
    isSet: true,
  };
}

/** The truth of a value that has already been accepted as a boolean. */
function isTruthy(value: TomlValue): boolean {
  if (value.kind === 'integer') return value.value !== 0n;
  if (value.kind === 'float') return value.value !== 0;
  return value.kind === 'string' && /^(?:1|t|true|y|yes|on)$/iu.test(value.value);
}

function migrateSize(key: 'memory' | 'storage', value: TomlValue, own: TomlTable): Migration {
  const newKey = `${key}_mb`;
  const written = own.entries.get(newKey)?.value;
  if (value.kind !== 'string') {
    const inForce = written ? `${newKey} is in force` : `there is no limit, as if it were absent`;
    const plain = value.kind === 'integer' && value.value > 0n && !written ? String(value.value) : null;
    return {
      kind: 'dropped',
      message: `${key} must be a text such as "4G"; Harbor drops any other value, and ${inForce}.`,
      text: plain,
    };
  }
  const size = parseSize(value.value);
  if (!size.ok) {
    const guess = written ? null : guessSize(value.value);
    return {
      kind: 'refused',
      message: `${key} = ${JSON.stringify(value.value)} ${size.reason}, such as "4G".`,
      text: guess === null ? null : String(guess),
    };
  }
  if (written && !equalsInteger(written, size.mebibytes)) {
    return {
      kind: 'refused',
      message: `${key} = ${JSON.stringify(value.value)} is ${size.mebibytes} MiB, and ${newKey} says otherwise.`,
      text: null,
    };
  }
  return {
    kind: 'converted',
    value: { kind: 'integer', value: BigInt(size.mebibytes), range: value.range },
    text: String(size.mebibytes),
    isSet: !written,
  };
}

/** Compared as Python compares, before any conversion: a text is never equal to a number, `true` is 1. */
function equalsInteger(value: TomlValue, integerValue: number): boolean {
  if (value.kind === 'integer') return value.value === BigInt(integerValue);
  if (value.kind === 'float') return value.value === integerValue;
  return value.kind === 'boolean' && Number(value.value) === integerValue;
}

function gigabytes(value: TomlValue): string | null {
  if (value.kind === 'integer') return String(value.value * 1024n);
  return value.kind === 'float' && Number.isInteger(value.value * 1024) ? String(value.value * 1024) : null;
}

function megabytes(value: TomlValue): string | null {
  if (value.kind === 'integer') return String(value.value);
  const size = value.kind === 'string' ? guessSize(value.value) : null;
  return size === null ? null : String(size);
}

function networkModeText(value: TomlValue): string | null {
  if (value.kind === 'boolean') return value.value ? '"public"' : '"no-network"';
  return value.kind === 'string' && value.value in networkModes ? JSON.stringify(value.value) : null;
}
