import { tomlString } from '../../text/toml-edit';
import { artifacts } from './artifact-table';
import { environmentTable } from './environment-table';
import { notEmptyFormat, packageNameFormat } from './formats';
import { agentTable, solutionTable, stepTable, verifierTable } from './phase-tables';
import type { Migration, Table } from './key';
import { choice, freeTable, legacy, list, optional, ownTable, required, table, text, withDefault } from './key';

const authorTable = {
  title: 'Author',
  doc: 'Who wrote the task.',
  keys: {
    name: required(text(), { doc: 'Name of the author.' }),
    email: optional(text(), { doc: 'Address of the author; not checked.' }),
  },
} satisfies Table;

const packageTable = {
  title: 'Package',
  doc: 'Identity of the task as a package; publishing needs it, running does not.',
  keys: {
    name: required(text(packageNameFormat), {
      doc: 'Full name of the task.',
      constraint: '`ORG/NAME`; each part starts with a letter or digit, then letters, digits, `.`, `_`, `-`; no `..`.',
    }),
    version: optional(text(notEmptyFormat), { doc: 'Version of the task.', constraint: 'Not empty.', since: '1.4' }),
    description: withDefault(text(), '', { doc: 'One sentence about the task.' }),
    authors: withDefault(list(table(authorTable)), [], {
      doc: 'Who wrote the task, each as `{ name = "…", email = "…" }`.',
      aliases: [{ name: 'author' }],
    }),
    keywords: withDefault(list(text()), [], { doc: 'Words to find the task by.', aliases: [{ name: 'tags' }] }),
  },
} satisfies Table;

/** The root of task.toml: every table and key that Harbor knows hangs below it. */
export const taskTable = {
  title: 'task.toml',
  doc: 'Configuration of a task in the Harbor format.',
  keys: {
    schema_version: withDefault(text(), '1.4', {
      doc: 'Version of the format. A label: any text is accepted, and nothing depends on it.',
    }),
    version: legacy('schema_version', text(), {
      doc: 'Old spelling of `schema_version`.',
      migrate: (value, own): Migration =>
        own.entries.has('schema_version')
          ? { kind: 'overruled', message: 'version is ignored, because schema_version is there, too.' }
          : {
              kind: 'converted',
              value,
              text: value.kind === 'string' ? tomlString(value.value) : null,
              isSet: true,
            },
    }),
    task: optional(table(packageTable), { doc: packageTable.doc, since: '1.1', aliases: [{ name: 'package' }] }),
    metadata: withDefault(
      freeTable(),
      {},
      { doc: 'Anything an author wants to keep; Harbor does not read it.', aliases: [{ name: 'meta' }] },
    ),
    agent: ownTable(agentTable),
    verifier: ownTable(verifierTable),
    environment: ownTable(environmentTable, { aliases: [{ name: 'sandbox' }] }),
    solution: ownTable(solutionTable, { aliases: [{ name: 'oracle' }] }),
    source: optional(text(), { doc: 'Where the task comes from; not used when running.' }),
    steps: withDefault(list(table(stepTable)), [], {
      doc: 'The steps of a multi-step task, in order. Absent or empty: a single-step task.',
      since: '1.1',
    }),
    multi_step_reward_strategy: optional(
      choice({
        mean: 'The mean of the steps that ran and were verified.',
        final: 'The reward of the last step that was started.',
      }),
      { doc: 'How the rewards of the steps become one. Absent: `mean`.', since: '1.1' },
    ),
    artifacts: withDefault(artifacts, [], {
      doc: 'Files and folders that are collected after the agent: paths in the container, or tables. `/logs/artifacts` is always collected.',
      names: 'container-path',
    }),
  },
} satisfies Table;
