// One line that the loader takes for a canary marker: an HTML comment or a line starting with `#`.
const canary = /^(<!--.*canary.*-->|#.*canary.*)$/iu;

/**
 * The instruction as the agent gets it: without leading canary lines and blank lines (harbor-task.md, section 16).
 * A Markdown title such as `# Canary deployment` in the first line is removed as well, as Harbor does.
 */
export function agentInstruction(text: string): string {
  const lines = text.replace(/\r\n?/gu, '\n').split('\n');
  let first = 0;
  while (first < lines.length && canary.test((lines[first] ?? '').trim())) first++;
  while (first < lines.length && (lines[first] ?? '').trim() === '') first++;
  return lines.slice(first).join('\n');
}
