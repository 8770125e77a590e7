/** A line of a file below the task's tests folder. */
export interface FailingLine {
  /** Relative to the tests folder, with `/`. */
  readonly file: string;
  /** From 0. */
  readonly line: number;
}

/**
 * The line of a test that a verifier's output blames: pytest's `test_x.py:12: AssertionError`, the innermost frame of a
 * Python traceback that lies in the tests, or a shell's `test.sh: line 5:`. null when it names none.
 */
export function failingLine(output: string): FailingLine | null {
  const pytest = /^(?:\S*\/)?tests\/([\w./-]+\.py):(\d+): \w*(?:Error|Exception|Failed)/m.exec(output);
  if (pytest !== null) return lineOf(pytest);
  const trace = output.indexOf('Traceback (most recent call last)');
  if (trace >= 0) {
    // The frames of the first traceback end where a line is neither a frame nor its indented code.
    const frames = output.slice(trace).split('\n').slice(1);
    const end = frames.findIndex((line) => !/^\s/.test(line));
    const own = frames
      .slice(0, end < 0 ? frames.length : end)
      .map((line) => /^\s*File "\/tests\/([\w./-]+)", line (\d+)/.exec(line))
      .filter((match) => match !== null);
    const innermost = own.at(-1);
    if (innermost !== undefined) return lineOf(innermost);
  }
  const shell = /^\/tests\/([\w./-]+): line (\d+): /m.exec(output);
  return shell === null ? null : lineOf(shell);
}

function lineOf(match: RegExpExecArray): FailingLine | null {
  const [, file = '', line = ''] = match;
  if (file.split('/').includes('..')) return null;
  return { file, line: Math.max(Number(line) - 1, 0) };
}
