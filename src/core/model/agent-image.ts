import type { Image } from './image';
import type { Derivation } from './subject';
import { taskImages } from './task-images';

/** The image that the agent works in; null where it is not built from a Dockerfile of the task. */
export const agentImage: Derivation<Image | null> = {
  name: 'agent-image',
  derive: (subject) => subject.derive(taskImages).find(({ role }) => role === 'agent')?.image ?? null,
};
