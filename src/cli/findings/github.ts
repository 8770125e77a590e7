import type { Severity } from '../../core/finding';
import { workflowCommand } from '../workflow-command';
import type { CheckedFile } from './checked-task';
import type { CheckReport } from './report';
import { filesOf, withoutPossible } from './report';

const commands: Readonly<Record<Severity, 'error' | 'warning' | 'notice'>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/**
 * Workflow commands, one a line, which GitHub shows at the lines of a pull request; without what reading is not sure of. `pathOf` gives the path from the
 * root of the repository.
 */
export function githubCommands(report: CheckReport, pathOf: (checked: CheckedFile, file: string) => string): string {
  const lines = filesOf(withoutPossible(report)).flatMap((checked) =>
    checked.findings.map(({ severity, file, range, ruleId, message }) => {
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
        ['file', pathOf(checked, file)],
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
