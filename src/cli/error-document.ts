/**
 * Where nothing could be run (exit 2), a reader of JSON still gets one document, which no one can take for a good result:
 * no task, and an `error`.
 */
export function errorDocument(
  message: string,
  document: object = { version: 1, tasks: [], summary: { tasks: 0 } },
): string {
  return `${JSON.stringify({ ...document, error: { message: message.replace(/^error: /, '') } }, null, 2)}\n`;
}
