import { baseName } from '../../model/container-path';
import type { Image } from '../../model/image';
import type { Instruction } from '../../text/dockerfile/dockerfile';

/** The program that ENTRYPOINT or CMD starts. */
export interface Started {
  /** Without its folder. */
  readonly program: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly isShellForm: boolean;
}

/** null for an empty list, and where a word is not known. */
export function startedBy(image: Image, instruction: Instruction): Started | null {
  if (instruction.form === 'json') {
    const words = instruction.words.map(({ value }) => value);
    const [path, ...args] = words;
    if (path === undefined || path === null || args.includes(null)) return null;
    return { program: baseName(path), path, args: args as string[], isShellForm: false };
  }
  const script = image.script(instruction);
  const command = script?.commands.findLast(({ program, context }) => program !== null && !context.substitution);
  const program = command?.program ?? null;
  if (command === undefined || program === null) return null;
  return {
    program,
    path: command.programWord?.value ?? program,
    args: command.args.map(({ value, prefix }) => value ?? prefix),
    isShellForm: true,
  };
}
