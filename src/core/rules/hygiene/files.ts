import type { Subject } from '../../model/subject';
import type { Range } from '../../text/position';

/** Where a finding about a whole file stands. */
export const fileItself: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether one of these texts of the task speaks of a name. */
export function isNamed(subject: Subject, name: string, inPaths: RegExp): boolean {
  for (const [path, { text }] of subject.disk?.texts ?? []) {
    if (text !== null && inPaths.test(path) && text.includes(name)) return true;
  }
  return false;
}

/** Texts in which a task says on purpose what it does: instructions and Dockerfiles. */
export const deliberate =
  /^(?:(?:steps\/[^/]+\/)?instruction\.md|environment\/Dockerfile|(?:steps\/[^/]+\/)?tests\/Dockerfile)$/u;
