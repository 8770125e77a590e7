import { hygieneCanary } from './hygiene-canary';
import { hygieneCaseCollision } from './hygiene-case-collision';
import { hygieneCrlf } from './hygiene-crlf';
import { hygieneHostPath } from './hygiene-host-path';
import { hygieneJunkFile } from './hygiene-junk-file';
import { hygieneLargeFile } from './hygiene-large-file';
import { hygieneSymlink } from './hygiene-symlink';
import type { Rule } from '../rule';

/** The rules of this family, in the order of the documentation. */
export const hygieneRules: readonly Rule[] = [
  hygieneJunkFile,
  hygieneLargeFile,
  hygieneHostPath,
  hygieneCrlf,
  hygieneSymlink,
  hygieneCaseCollision,
  hygieneCanary,
];
