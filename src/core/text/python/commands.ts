import type { SyntaxNode } from '../syntax-tree';
import type { Block, Call } from './module';
import type { FilePath } from './value';

/** A program that a Python file starts. */
export interface CommandUse {
  readonly call: Call;
  readonly node: SyntaxNode;
  /** `run`, `Popen`, `check_output`, `system`, … */
  readonly how: string;
  /** The words of a list; a word is null when it is not constant. Null for text given to a shell. */
  readonly argv: readonly (string | null)[] | null;
  /** Text that a shell reads, also that of `["bash", "-c", text]`; null when there is none or it is not constant. */
  readonly shell: string | null;
  /** The list or text of the command. */
  readonly commandNode: SyntaxNode;
  /** True when a failure of the program raises. */
  readonly check: boolean;
  /** Seconds; null when none is given or it is not constant; `hasTimeout` tells these apart. */
  readonly timeout: number | null;
  readonly hasTimeout: boolean;
  readonly cwd: FilePath | null;
  /** Started and not waited for by the call itself: `Popen`, `create_subprocess_exec`, `Process().start()`. */
  readonly background: boolean;
  readonly block: Block;
}
