import type { ShellCommand } from '../../text/shell/script';
import type { TestScript } from './test-scripts';

/** How messages call a command that judges: `pytest`, or the script in backticks. */
export function graderName(test: TestScript, command: ShellCommand): string {
  const grader = test.graders.get(command);
  if (grader === undefined) return 'the tests';
  return grader.kind === 'pytest' ? 'pytest' : `\`${grader.word.value ?? grader.word.text}\``;
}
