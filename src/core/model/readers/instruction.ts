import type { InstructionText } from '../../text/markdown/instruction-text';
import { readInstruction } from '../../text/markdown/read-instruction';
import type { FileReader } from '../subject';

export const instructionReader: FileReader<InstructionText> = {
  name: 'instruction',
  read: (text) => readInstruction(text),
};
