import type { Severity } from '../../core/finding';
import { workflowCommand } from '../workflow-command';
import type { CheckedTask } from './checked-task';

const commands: Readonly<Record<Severity, 'error' | 'warning' | 'notice'>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/**
 * Workflow commands, one a line, which GitHub shows at the lines of a pull request. `pathOf` gives the path from the
 * root of the repository.
 */
export function githubCommands(
  tasks: readonly CheckedTask[],
  pathOf: (task: CheckedTask, file: string) => string,
): string {
  const lines = tasks.flatMap((task) =>
    task.findings.map(({ severity, file, range, ruleId, message }) => {
      const { start, end } = range;
      // GitHub takes columns only where both are on one line.
      const columns: readonly [string, number][] =
        start.line === end.line
          ? [
              ['col', start.character + 1],
              ['endColumn', Math.max(end.character, start.character + 1)],
            ]
          : [];
      const properties: readonly [string, string | number][] = [
        ['file', pathOf(task, file)],
        ['line', start.line + 1],
        ['endLine', end.line + 1],
        ...columns,
        ['title', ruleId],
      ];
      return workflowCommand(commands[severity], properties, message);
    }),
  );
  return lines.join('');
}
