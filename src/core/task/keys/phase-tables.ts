import { verifierEnvironmentTable, healthcheckTable } from './environment-table';
import { artifacts } from './artifact-table';
import { serviceFormat } from './formats';
import { hostsWithMode, phaseNetworkKeys } from './network-keys';
import type { Alias, Table, TableTrouble } from './key';
import {
  choice,
  float,
  list,
  map,
  optional,
  ownTable,
  required,
  table,
  text,
  threshold,
  user,
  withDefault,
} from './key';

const timeoutAliases: readonly Alias[] = [
  'timeout',
  'timeout_seconds',
  'timeout_s',
  'max_timeout_sec',
  'time_limit',
].map((name) => ({ name }));

const environmentVariables = 'Values are texts; numbers and booleans need quotes.';

const noSuchUser =
  'A user that the image does not have is noticed by nothing until a command runs: each then ends with 126, and what is seen is a missing reward.';

export const agentTable = {
  title: 'Agent',
  doc: 'How the agent is run.',
  keys: {
    timeout_sec: optional(float(), {
      unit: 'seconds',
      doc: 'Limit for one run of the agent. Absent: no limit; in a step, the value of the task.',
      sensible: { moreThan: 0, otherwise: 'the agent is stopped at once', offer: '900.0' },
      aliases: timeoutAliases,
    }),
    user: optional(user(), {
      doc: "User name or UID the agent is set up and run as. Absent: the container's own default user.",
      since: '1.1',
      sensible: { atLeast: 0, otherwise: 'no user has such a number', offer: '1000' },
      wrong: noSuchUser,
      names: 'container-user',
    }),
    ...phaseNetworkKeys,
  },
  check: (values) => hostsWithMode(values, { emptyNeedsMode: true }),
} satisfies Table;

const collectTable = {
  title: 'Collect hook',
  doc: 'A command that is run after the agent and before artifacts are collected.',
  keys: {
    command: required(text(), { doc: 'Shell command: bash in `main`, POSIX sh in any other service.' }),
    service: withDefault(text(serviceFormat), 'main', { doc: 'Compose service to run it in.', names: 'service' }),
    timeout_sec: withDefault(float(), 60, {
      unit: 'seconds',
      doc: 'Limit for the command, cut to whole seconds.',
      sensible: { atLeast: 1, otherwise: 'below 1 second there is no limit at all', offer: '60.0' },
      aliases: timeoutAliases,
    }),
    user: optional(user(), {
      doc: "User name or UID to run it as. Absent: the service's own default user.",
      sensible: { atLeast: 0, otherwise: 'no user has such a number', offer: '1000' },
      wrong: noSuchUser,
      names: 'container-user',
    }),
  },
} satisfies Table;

export const verifierTable = {
  title: 'Verifier',
  doc: "How the agent's work is verified.",
  keys: {
    timeout_sec: withDefault(float(), 600, {
      unit: 'seconds',
      doc: 'Limit for the whole verification. A step does not inherit it: without a value of its own it has 600 seconds.',
      sensible: { moreThan: 0, otherwise: 'the verification is stopped at once', offer: '600.0' },
      aliases: timeoutAliases,
    }),
    env: withDefault(
      map(text()),
      {},
      {
        doc: 'Further environment variables of the test script. A value that is `${NAME}` or `${NAME:-default}` as a whole is taken from the host.',
        constraint: environmentVariables,
        wrong:
          'The value of a name with KEY, SECRET, TOKEN, PASSWORD, CREDENTIAL or AUTH in it is blotted out of every text file of the trial, results included: a short one spoils them.',
        aliases: [{ name: 'env_vars' }, { name: 'variables' }],
      },
    ),
    user: optional(user(), {
      doc: "User name or UID of the test script. Absent: the container's own default user.",
      since: '1.1',
      sensible: { atLeast: 0, otherwise: 'no user has such a number', offer: '1000' },
      wrong: noSuchUser,
      names: 'container-user',
    }),
    environment_mode: optional(
      choice({
        shared: "Verify in the agent's container.",
        separate: 'Verify in a container of its own, which sees only the artifacts.',
      }),
      {
        doc: 'Where the verifier runs. Absent: `separate` if there is a `[verifier.environment]`, else `shared`; in a step, as the task.',
        aliases: [{ name: 'mode' }, { name: 'env_mode' }],
      },
    ),
    environment: optional(table(verifierEnvironmentTable), { doc: verifierEnvironmentTable.doc }),
    collect: withDefault(list(table(collectTable)), [], {
      doc: 'Commands that are run after the agent and before artifacts are collected; those of a step come after those of the task.',
    }),
    ...phaseNetworkKeys,
  },
  check: (values): readonly TableTrouble[] => {
    const troubles = [...hostsWithMode(values, { emptyNeedsMode: true })];
    if (values.environment_mode === 'shared' && values.environment !== null) {
      troubles.push({
        key: 'environment_mode',
        message: 'environment_mode = "shared" contradicts the [verifier.environment] of the same verifier.',
      });
    }
    return troubles;
  },
} satisfies Table;

export const solutionTable = {
  title: 'Solution',
  doc: 'How the oracle runs the reference solution.',
  keys: {
    env: withDefault(
      map(text()),
      {},
      {
        doc: 'Environment variables of the reference solution; they win over all others. A value that is `${NAME}` or `${NAME:-default}` as a whole is taken from the host.',
        constraint: environmentVariables,
      },
    ),
  },
} satisfies Table;

export const stepTable = {
  title: 'Step',
  doc: 'One step of a multi-step task; its files are in `steps/<name>/`.',
  keys: {
    name: required(text(), {
      doc: 'Name of the folder below `steps/`.',
      wrong: 'Without such a folder Harbor refuses the task; two steps of one name use the same folder.',
      names: 'step-folder',
    }),
    agent: ownTable(agentTable, { doc: 'How the agent is run in this step; what is absent is taken from the task.' }),
    verifier: ownTable(verifierTable, {
      doc: 'How this step is verified; `timeout_sec` is the only value that is not taken from the task when absent.',
    }),
    min_reward: optional(threshold(), {
      doc: 'What the step must reach for the next to run: a number for the reward key `reward`, or a table of numbers by reward key.',
    }),
    healthcheck: optional(table(healthcheckTable), {
      doc: "A command that must succeed after the step's set-up and before the agent.",
    }),
    artifacts: withDefault(artifacts, [], { doc: 'Further artifacts of this step.' }),
  },
} satisfies Table;
