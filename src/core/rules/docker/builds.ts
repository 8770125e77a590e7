import type { Fix } from '../../finding';
import type { Image } from '../../model/image';
import { walkShell } from '../../model/shell-walk';
import type { Derivation, Subject } from '../../model/subject';
import type { TaskImage } from '../../model/task-images';
import { taskImages } from '../../model/task-images';
import type { Instruction } from '../../text/dockerfile/dockerfile';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import { fixIn } from '../file-fix';

/** A command that a RUN starts while an image is built. */
export interface BuildCommand {
  readonly made: TaskImage;
  readonly image: Image;
  readonly instruction: Instruction;
  readonly script: ShellScript;
  readonly command: ShellCommand;
  /** null when unknown. */
  readonly folder: string | null;
}

/** The images of a task, each Dockerfile once. */
export const builds: Derivation<readonly TaskImage[]> = {
  name: 'docker-builds',
  derive: (subject) => {
    const files = new Set<string>();
    return subject.derive(taskImages).filter(({ image }) => {
      const isNew = !files.has(image.file);
      files.add(image.file);
      return isNew;
    });
  },
};

/** The commands of every RUN of the stages that an image needs, in the order of the file. */
export const buildCommands: Derivation<readonly BuildCommand[]> = {
  name: 'docker-build-commands',
  // On Windows a RUN is no POSIX shell.
  derive: (subject) =>
    subject.layout?.os === 'windows' ? [] : subject.derive(builds).flatMap((made) => commandsOf(made)),
};

function commandsOf(made: TaskImage): BuildCommand[] {
  const { image } = made;
  const found: BuildCommand[] = [];
  // The command of a `$(…)` in a text that a shell gets is met twice.
  const seen = new Set<string>();
  for (const instruction of neededInstructions(image)) {
    const script = instruction.keyword === 'RUN' ? image.script(instruction) : null;
    if (script === null) continue;
    walkShell(script, image.workdirs.get(instruction) ?? null, ({ command, folder }) => {
      const place = `${command.start}-${command.end}`;
      if (!seen.has(place)) found.push({ made, image, instruction, script, command, folder });
      seen.add(place);
    });
  }
  return found;
}

/** The instructions of the stages that the image needs: others are not built. */
export function neededInstructions(image: Image): readonly Instruction[] {
  return image.dockerfile.instructions.filter(({ stage }) => image.needed.has(stage));
}

/** The instructions whose files end up in the image as they are. */
export function ownInstructions(image: Image): readonly Instruction[] {
  return image.dockerfile.instructions.filter(({ stage }) => image.lineage.has(stage));
}

/** All instructions to the agent, joined. */
export function instructionTexts(subject: Subject): string {
  const { layout } = subject;
  if (layout === null) return '';
  const files = [layout.instruction, ...layout.steps.map((step) => step.instruction)];
  return files.map((file) => (file === null ? '' : (subject.text(file) ?? ''))).join('\n');
}

/** Takes an instruction away with its lines and here-documents. */
export function deleteInstruction(subject: Subject, image: Image, instruction: Instruction): readonly Fix[] {
  const { lines, text } = image.dockerfile;
  const start = lines.start(lines.position(instruction.start).line);
  const last = instruction.heredocs.at(-1)?.bodyEnd ?? instruction.end;
  const end = lines.start(lines.position(last).line + 1);
  return fixIn(subject, image.file, `Delete this ${instruction.keyword}`, [
    { start, end: end === 0 ? text.length : end, newText: '' },
  ]);
}
