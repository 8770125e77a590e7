import type { Dockerfile, Instruction } from '../text/dockerfile/dockerfile';
import { readDockerfile } from '../text/dockerfile/read-dockerfile';
import { readShell } from '../text/shell/read';
import type { ShellScript } from '../text/shell/script';
import type { Grammars } from '../text/syntax-tree';
import type { FileReader } from './subject';

/** A Dockerfile with the shell of its instructions, which is read when it is asked for. */
export interface DockerfileModel {
  readonly dockerfile: Dockerfile;
  /**
   * What RUN, CMD, ENTRYPOINT or HEALTHCHECK runs, with the offsets of the Dockerfile; null where that is no POSIX shell
   * or the instruction has none.
   */
  readonly script: (instruction: Instruction) => ShellScript | null;
}

export const dockerfileReader: FileReader<DockerfileModel> = {
  name: 'dockerfile',
  read: (text, grammars) => dockerfileModel(readDockerfile(text), grammars),
};

export function dockerfileModel(dockerfile: Dockerfile, grammars: Grammars): DockerfileModel {
  const scripts = new Map<Instruction, ShellScript | null>();
  return {
    dockerfile,
    script: (instruction) => {
      const known = scripts.get(instruction);
      if (known !== undefined) return known;
      const script = scriptOf(instruction, grammars);
      scripts.set(instruction, script);
      return script;
    },
  };
}

const shells = /(?:^|\/)(?:ba|da|a|z|k)?sh$/u;

function scriptOf({ shell, variables }: Instruction, grammars: Grammars): ShellScript | null {
  if (shell === null || !shells.test(shell.interpreter)) return null;
  const known = new Map<string, string>();
  for (const [name, value] of variables) if (value !== null) known.set(name, value);
  return readShell(shell.text, grammars, { base: shell.start, variables: known });
}
