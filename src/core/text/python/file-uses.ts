import type { SyntaxNode } from '../syntax-tree';
import type { Block, Call } from './module';
import type { FilePath } from './value';

export type FileAction =
  | 'read'
  | 'write'
  /** Looks whether it is there, or what it is: `exists()`, `is_file()`, `stat()`. */
  | 'probe'
  /** Lists a folder: `glob`, `listdir`, `iterdir`. */
  | 'list'
  | 'delete'
  /** Makes a folder. */
  | 'make';

export interface FileUse {
  readonly call: Call;
  readonly node: SyntaxNode;
  readonly action: FileAction;
  /** The name of what is called: `open`, `read_text`, `exists`, `read_csv`, `connect`. */
  readonly how: string;
  /** The expression of the path. In a helper, that of the call which passes it. */
  readonly pathNode: SyntaxNode;
  /** The literal that spells the path, where it is one: also that of a constant defined elsewhere. */
  readonly literal: SyntaxNode | null;
  /** Null when it cannot be folded. */
  readonly path: FilePath | null;
  /** A pattern of `glob`, below `path`. */
  readonly pattern: string | null;
  /** True when the absence of the file is provided for: inside `if exists()` or a `try` that catches it. */
  readonly guarded: boolean;
  /** The statement's own block; in a helper, that of the outermost call which passes the path. */
  readonly block: Block;
}
