import { taskImages } from '../model/task-images';
import type { Subject } from '../model/subject';

/**
 * Does a file of the task come before the agent's eyes, as instruction, in the build context or in an image? A comment
 * there would tell the agent what is known to be weak.
 */
export function agentSees(subject: Subject, file: string): boolean {
  if (/^(?:steps\/[^/]+\/)?instruction\.md$/u.test(file)) return true;
  if (file.startsWith('environment/') || /^steps\/[^/]+\/workdir\//u.test(file)) return true;
  const images = subject.derive(taskImages).filter(({ role }) => role !== 'verifier');
  return images.some(({ image }) =>
    [...image.files.values()].some(({ origin }) => origin.kind === 'context' && origin.file === file),
  );
}
