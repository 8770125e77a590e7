import { instructionReader } from '../../model/readers/instruction';
import type { Derivation } from '../../model/subject';
import type { StepConfig } from '../../task/config';
import type { InstructionText } from '../../text/markdown/instruction-text';

export interface InstructionFile {
  readonly file: string;
  readonly text: InstructionText;
  /** null for the one of a task without steps. */
  readonly step: StepConfig | null;
}

/** The instructions that agents get: the task's own, or those of its steps. */
export const instructions: Derivation<readonly InstructionFile[]> = {
  name: 'instructions',
  derive: (subject) => {
    const { layout, toml } = subject;
    if (layout === null) return [];
    const files =
      layout.steps.length === 0
        ? [{ file: layout.instruction, step: null }]
        : layout.steps.map(({ instruction, name }) => ({
            file: instruction,
            step: toml?.config?.steps.find((step) => step.name === name) ?? null,
          }));
    const seen = new Set<string>();
    return files.flatMap(({ file, step }): readonly InstructionFile[] => {
      if (file === null || seen.has(file)) return [];
      seen.add(file);
      const text = subject.read(instructionReader, file);
      return text === null ? [] : [{ file, text, step }];
    });
  },
};
