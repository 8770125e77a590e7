import { composeExposesTaskFiles } from './compose-exposes-task-files';
import { composeInvalid } from './compose-invalid';
import { composePrivileged } from './compose-privileged';
import { composeUnpinnedImage } from './compose-unpinned-image';
import { composeUnreadyService } from './compose-unready-service';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const composeRules: readonly Rule[] = [
  composeInvalid,
  composeExposesTaskFiles,
  composePrivileged,
  composeUnreadyService,
  composeUnpinnedImage,
];
