import { plainText } from './plain-text';

/**
 * A workflow command of GitHub Actions, as one line with its end. What would break out of it is escaped, and what would
 * steer the terminal of the log is removed.
 */
export function workflowCommand(
  command: 'error' | 'warning' | 'notice',
  properties: readonly (readonly [name: string, value: string | number])[],
  message: string,
): string {
  const written = properties.map(([name, value]) => `${name}=${property(String(value))}`).join(',');
  return `::${command} ${written}::${data(message)}\n`;
}

function data(text: string): string {
  return plainText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
