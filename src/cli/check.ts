import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Finding, Severity } from '../core/finding';
import { rules } from '../core/rules/catalogue';
import type { CliContext, ExitCode } from './context';
import { errorDocument } from './error-document';
import { newFindings, readBaseline, writeBaseline } from './findings/baseline-file';
import { summarizeFindings, type CheckedTask } from './findings/checked-task';
import { findingsDocument } from './findings/json';
import { formatFindings, type FindingFormat } from './findings/formatted';
import { mendTasks } from './findings/mend-tasks';
import { selectChecked } from './findings/select';
import { plainLine } from './plain-text';

type SeverityOrOff = Severity | 'off';

interface CheckOptions {
  readonly format: FindingFormat;
  readonly rule?: ReadonlyMap<string, SeverityOrOff>;
  readonly failOn: 'error' | 'warning';
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly cache: boolean;
  readonly fix?: boolean;
}

export function registerCheck(program: Command, context: CliContext): void {
  program
    .command('check')
    .description('load and lint tasks, without running anything')
    .argument('[path...]', 'tasks, folders of tasks, or single task.toml files (default: the working directory)')
    .addOption(
      new Option('--format <format>', 'form of the output')
        .choices(['pretty', 'json', 'sarif', 'github'])
        .default('pretty'),
    )
    .addOption(
      new Option(
        '--rule <id=severity>',
        'severity of a rule: error, warning, information, hint or off; repeatable',
      ).argParser(ruleSetting),
    )
    .addOption(
      new Option('--fail-on <severity>', 'least severity of a finding that makes the exit code 1')
        .choices(['error', 'warning'])
        .default('error'),
    )
    .option('--baseline <file>', 'let pass the findings that this file knows')
    .addOption(
      new Option('--write-baseline <file>', 'write the findings to a file that --baseline takes').conflicts('baseline'),
    )
    .option('--no-cache', 'judge every task again, also those that have not changed since the last time')
    .option('--fix', 'make the preferred fixes, then check again')
    .action(async (paths: readonly string[], options: CheckOptions) => {
      context.finish(await check(paths, options, context));
    });
}

async function check(paths: readonly string[], options: CheckOptions, context: CliContext): Promise<ExitCode> {
  const refuse = (message: string): ExitCode => {
    context.complain(message);
    if (options.format === 'json') context.stdout.write(errorDocument(message, findingsDocument([])));
    return 2;
  };
  const known = options.baseline === undefined ? null : await readBaseline(options.baseline, context);
  if (known?.ok === false) return refuse(known.message);
  let selection = await selectChecked(paths, context, { isCached: options.cache });
  if (!selection.ok) return refuse(selection.message);
  const adjust = (findings: readonly Finding[]): readonly Finding[] => withSeverities(findings, options.rule);
  if (options.fix === true) {
    const mending = await mendTasks(selection.tasks, adjust, context);
    if (!mending.ok) return refuse(mending.message);
    selection = await selectChecked(paths, context, { isCached: options.cache });
    if (!selection.ok) return refuse(selection.message);
  }
  if (context.signal.aborted) return 130;
  for (const note of selection.notes) context.stderr.write(`note: ${plainLine(note)}\n`);
  let tasks: readonly CheckedTask[] = selection.tasks.map((task) => ({ ...task, findings: adjust(task.findings) }));
  const baseline =
    options.writeBaseline === undefined ? known : await writeBaseline(options.writeBaseline, tasks, context);
  if (baseline?.ok === false) return refuse(baseline.message);
  if (baseline !== null) tasks = newFindings(tasks, baseline, context);
  context.stdout.write(await formatFindings(tasks, options.format, context));
  const { error, warning } = summarizeFindings(tasks);
  // A task.toml that cannot even be read as text has no range that a finding could point at.
  const isUnexplained = selection.tasks.some(
    ({ harbor, findings }) => harbor.outcome !== 'loads' && !findings.some(({ severity }) => severity === 'error'),
  );
  return isUnexplained || error > 0 || (options.failOn === 'warning' && warning > 0) ? 1 : 0;
}

function ruleSetting(
  text: string,
  before: ReadonlyMap<string, SeverityOrOff> | undefined,
): ReadonlyMap<string, SeverityOrOff> {
  const [id = '', severity = ''] = text.split('=');
  if (!isSeverityOrOff(severity)) {
    throw new InvalidArgumentError('Write ID=SEVERITY; a severity is error, warning, information, hint or off.');
  }
  if (!rules.some((rule) => rule.id === id)) {
    throw new InvalidArgumentError(`There is no rule "${id}". Rules: ${rules.map((rule) => rule.id).join(', ')}.`);
  }
  return new Map([...(before ?? []), [id, severity]]);
}

function isSeverityOrOff(text: string): text is SeverityOrOff {
  return ['error', 'warning', 'information', 'hint', 'off'].includes(text);
}

function withSeverities(
  findings: readonly Finding[],
  settings: ReadonlyMap<string, SeverityOrOff> | undefined,
): readonly Finding[] {
  return findings.flatMap((finding) => {
    const severity = settings?.get(finding.ruleId) ?? finding.severity;
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
}
