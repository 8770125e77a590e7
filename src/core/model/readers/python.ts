import type { PythonModule } from '../../text/python/module';
import { readPython } from '../../text/python/read';
import type { FileReader } from '../subject';

export const pythonReader: FileReader<PythonModule> = {
  name: 'python',
  read: (text, grammars) => readPython(text, grammars),
};
