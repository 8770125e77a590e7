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

/** Offset at which `agentInstruction` begins in the text of the file; the text's end when nothing is left. */
export function agentInstructionStart(text: string): number {
  let start = 0;
  let inCanary = true;
  for (const line of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/gu)) {
    const words = (line[1] ?? '').trim();
    if (!(inCanary && canary.test(words))) {
      inCanary = false;
      if (words !== '') return line.index;
    }
    start = line.index + line[0].length;
    if (start >= text.length) break;
  }
  return start;
}
