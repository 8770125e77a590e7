import { readShell } from '../../text/shell/read';
import type { ShellScript } from '../../text/shell/script';
import type { Grammars } from '../../text/syntax-tree';
import type { FileReader } from '../subject';

/** A script of which it is not known where it lies when it runs. */
export const shellReader: FileReader<ShellScript> = {
  name: 'shell',
  read: (text, grammars, file) => readShell(text, grammars, { file }),
};

/** A script that lies directly in `/tests` when it runs; its `$(dirname "$0")` is known. */
export const testsShellReader: FileReader<ShellScript> = {
  name: 'shell-in-tests',
  read: (text, grammars, file) => readShell(text, grammars, { file, folder: '/tests' }),
};

/** For a model made of several files, which a reader of one cannot make. */
export const grammarsReader: FileReader<Grammars> = { name: 'grammars', read: (_, grammars) => grammars };
