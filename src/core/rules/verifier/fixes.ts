import type { Fix } from '../../finding';
import type { Subject } from '../../model/subject';
import { fixIn } from '../file-fix';
import type { TestScript } from './test-scripts';

/** Puts a line before the first statement, below `#!`, comments and `set`. */
export function insertBeforeFirst(
  subject: Subject,
  test: TestScript,
  title: string,
  line: string,
  preferred = false,
): readonly Fix[] {
  const lines = subject.lines(test.file);
  const first = test.script.body.find((node) => node.kind !== 'command' || node.command.program !== 'set');
  if (lines === null || first === undefined) return [];
  const at = lines.start(lines.position(first.start).line);
  if (test.script.text.slice(at, first.start).trim() !== '') return [];
  const ending = test.script.text.includes('\r\n') ? '\r\n' : '\n';
  return fixIn(subject, test.file, title, [{ start: at, end: at, newText: line + ending }], preferred);
}
