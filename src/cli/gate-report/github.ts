import type { GateDocument, GateTaskResult } from '../../core/gates/document';
import type { GateResult } from '../../core/gates/verdict';
import { workflowCommand } from '../workflow-command';

/**
 * Workflow commands, one a gate that did not pass. `fileOf` gives the file a message belongs to, from the root of the
 * repository.
 */
export function githubReport(document: GateDocument, fileOf: (task: GateTaskResult, file: string) => string): string {
  const lines = document.tasks.flatMap((task) =>
    task.gates
      .filter(({ verdict }) => verdict !== 'passed')
      .map((gate) => {
        const title = `${gate.gate} ${gate.verdict}${gate.reason === null ? '' : ` (${gate.reason})`}`;
        const file = fileOf(task, fileAtFault(gate));
        return workflowCommand(
          'error',
          [
            ['file', file],
            ['title', title],
          ],
          gate.message ?? title,
        );
      }),
  );
  const { tasks, passed, failed, notProven } = document.summary;
  return `${lines.join('')}${tasks} task(s): ${passed} gate(s) passed, ${failed} failed, ${notProven} not proven\n`;
}

/** Where a person most likely has to look. */
function fileAtFault(gate: GateResult): string {
  switch (gate.reason) {
    case 'build-failed':
    case 'start-failed':
      return 'environment/Dockerfile';
    case 'reward-too-low':
      return 'solution/solve.sh';
    case 'not-loadable':
    case 'unsupported':
    case 'timeout':
    case 'engine-failed':
    case 'cancelled':
    case 'blocked':
      return 'task.toml';
    case 'nop-rewarded':
    case 'cheat-rewarded':
    case 'variant-rejected':
    case 'no-reward':
    case 'bad-reward':
    case 'denied':
    case null:
      return 'tests/test.sh';
  }
}
