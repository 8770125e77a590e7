import { composeReader } from '../../model/readers/compose';
import type { Subject } from '../../model/subject';

export interface MainOverrides {
  /** Does a compose file set the command of the agent's container? */
  readonly command: boolean;
  readonly entrypoint: boolean;
}

/** What a compose file says of the agent's own service; in one that cannot be read, or not in whole, anything may be set. */
export function mainOverrides(subject: Subject): MainOverrides {
  const file = subject.layout?.composeFile ?? null;
  if (file === null) return { command: false, entrypoint: false };
  const read = subject.read(composeReader, file);
  if (read?.ok !== true || read.compose.incomplete) return { command: true, entrypoint: true };
  const main = read.compose.services.get('main');
  return { command: (main?.command ?? null) !== null, entrypoint: (main?.entrypoint ?? null) !== null };
}
