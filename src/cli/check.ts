import { InvalidArgumentError, Option, type Command } from 'commander';
import { rules } from '../core/rules/catalogue';
import { levels } from '../core/settings/keys';
import type { RuleLevel } from '../core/settings/settings';
import type { CliContext, ExitCode } from './context';
import { errorDocument } from './error-document';
import { newFindings, readBaseline, writeBaseline } from './findings/baseline-file';
import { findingsDocument } from './findings/json';
import { formatFindings, type FindingFormat } from './findings/formatted';
import { mendTasks } from './findings/mend-tasks';
import { filesOf, isShown, type CheckReport } from './findings/report';
import { selectChecked } from './findings/select';
import { plainLine } from './plain-text';

interface CheckOptions {
  readonly format: FindingFormat;
  readonly rule?: ReadonlyMap<string, RuleLevel>;
  readonly failOn: 'error' | 'warning';
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly cache: boolean;
  readonly possible?: boolean;
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
    .option('--possible', 'show findings, too, of which reading cannot be sure')
    .option('--no-cache', 'judge every task again, also those that have not changed since the last time')
    .option('--fix', 'make the fixes that cannot change what task.toml means, then check again')
    .action(async (paths: readonly string[], options: CheckOptions) => {
      context.finish(await check(paths, options, context));
    });
}

async function check(paths: readonly string[], options: CheckOptions, context: CliContext): Promise<ExitCode> {
  const refuse = (message: string): ExitCode => {
    context.complain(message);
    const nothing: CheckReport = { tasks: [], settings: [] };
    if (options.format === 'json') context.stdout.write(errorDocument(message, findingsDocument(nothing)));
    return 2;
  };
  const known = options.baseline === undefined ? null : await readBaseline(options.baseline, context);
  if (known?.ok === false) return refuse(known.message);
  const choice = { isCached: options.cache, person: { rules: Object.fromEntries(options.rule ?? []) } };
  let selection = await selectChecked(paths, context, choice);
  if (!selection.ok) return refuse(selection.message);
  if (options.fix === true) {
    const mending = await mendTasks(selection.tasks, context);
    if (!mending.ok) return refuse(mending.message);
    selection = await selectChecked(paths, context, choice);
    if (!selection.ok) return refuse(selection.message);
  }
  if (context.signal.aborted) return 130;
  for (const note of selection.notes) context.stderr.write(`note: ${plainLine(note)}\n`);
  let { tasks } = selection as CheckReport;
  const baseline =
    options.writeBaseline === undefined ? known : await writeBaseline(options.writeBaseline, tasks, context);
  if (baseline?.ok === false) return refuse(baseline.message);
  if (baseline !== null) tasks = newFindings(tasks, baseline, context);
  const report: CheckReport = { tasks, settings: selection.settings };
  context.stdout.write(await formatFindings(report, options, context));
  return isAllWell(report, options.failOn) ? 0 : 1;
}

/** What reading is not sure of never fails a run. */
function isAllWell(report: CheckReport, failOn: 'error' | 'warning'): boolean {
  const isUnexplained = report.tasks.some(({ isReadable }) => !isReadable);
  const failing = failOn === 'error' ? ['error'] : ['error', 'warning'];
  const isFailing = filesOf(report).some(({ findings }) =>
    findings.some((finding) => isShown(finding) && failing.includes(finding.severity)),
  );
  return !isUnexplained && !isFailing;
}

function ruleSetting(text: string, before: ReadonlyMap<string, RuleLevel> | undefined): ReadonlyMap<string, RuleLevel> {
  const [id = '', severity = ''] = text.split('=');
  if (!isLevel(severity)) {
    throw new InvalidArgumentError('Write ID=SEVERITY; a severity is error, warning, information, hint or off.');
  }
  if (!rules.some((rule) => rule.id === id)) {
    throw new InvalidArgumentError(`There is no rule "${id}". Rules: ${rules.map((rule) => rule.id).join(', ')}.`);
  }
  return new Map([...(before ?? []), [id, severity]]);
}

function isLevel(text: string): text is RuleLevel {
  return levels.some((level) => level === text);
}
