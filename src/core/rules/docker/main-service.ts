import type { Subject } from '../../model/subject';

export interface MainOverrides {
  /** Does a compose file set the command of the agent's container? */
  readonly command: boolean;
  readonly entrypoint: boolean;
}

/** What a compose file says of the agent's own service; with a file that cannot be read, anything may be set. */
export function mainOverrides(subject: Subject): MainOverrides {
  const file = subject.layout?.composeFile ?? null;
  const text = file === null ? null : subject.text(file);
  if (file === null) return { command: false, entrypoint: false };
  return {
    command: text === null || /\bcommand\s*:/u.test(text),
    entrypoint: text === null || /\bentrypoint\s*:/u.test(text),
  };
}
