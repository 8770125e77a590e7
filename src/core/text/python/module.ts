import type { SyntaxNode } from '../syntax-tree';
import type { CommandUse } from './commands';
import type { FileUse } from './file-uses';
import type { Value } from './value';

/**
 * What rules know of one Python file (task-rules.md, 4.5): its tree and, as plain arrays in the order of the text, what
 * stands in it. Every node and offset is in UTF-16 units of `text`. What cannot be read with certainty is null or
 * absent, never guessed. The arrays after `comparisons` are computed when first asked for.
 */
export interface PythonModule {
  readonly text: string;
  /** Base name of the file, such as `test_state.py`. */
  readonly file: string;
  readonly root: SyntaxNode;
  /** The first place that does not parse; null for a sound file. */
  readonly syntaxError: SyntaxProblem | null;

  /** In the order of their beginnings; the first is the module itself. */
  readonly blocks: readonly Block[];
  readonly imports: readonly Import[];
  /** All of them: nested ones and methods too. */
  readonly functions: readonly PythonFunction[];
  readonly classes: readonly PythonClass[];
  readonly calls: readonly Call[];
  readonly asserts: readonly AssertStatement[];
  readonly raises: readonly RaiseStatement[];
  /** Every string literal once; the parts of an implicit concatenation make one. */
  readonly strings: readonly StringLiteral[];
  /** `a[k]` and `a.get(k)`. */
  readonly keys: readonly KeyUse[];
  /** Each `a == b`, `a in b`, …, also the arms of a chain, and `assertEqual(a, b)` and its kin. */
  readonly comparisons: readonly Comparison[];

  /** What pytest collects, in the order of the text. */
  readonly tests: readonly TestFunction[];
  readonly fixtures: readonly Fixture[];
  /** Whatever can make a test fail by itself; of asserting helpers, see `checks.ts`. */
  readonly checks: readonly Check[];
  /** Reads, writes and probes of files. One in a helper whose path is a parameter appears once for each caller. */
  readonly files: readonly FileUse[];
  readonly commands: readonly CommandUse[];
  readonly requests: readonly NetworkUse[];
  readonly sleeps: readonly Sleep[];
  readonly clocks: readonly ClockRead[];
  readonly randoms: readonly RandomUse[];
  /** Folders put on `sys.path`; null for one that cannot be folded. */
  readonly searchPaths: readonly { readonly node: SyntaxNode; readonly value: Value | null }[];

  /** The source text of a node. */
  source(node: SyntaxNode): string;
  /** The innermost block around a node. */
  blockOf(node: SyntaxNode): Block;
  /** The constant that an expression has on every way through the file; null when that is not certain. */
  fold(expression: SyntaxNode): Value | null;
  /**
   * Every value that an expression can have, where all of them are known: of a loop over constants, a parametrised
   * argument or a parameter whose calls are all seen. At most 64; empty when not certain.
   */
  foldAll(expression: SyntaxNode): readonly Value[];
  /** The bindings of a name as seen from a node, innermost scope that has it; empty for an unknown or built-in name. */
  bindings(name: string, from: SyntaxNode): readonly Binding[];
  /** The call that a node is, if it is one. */
  callAt(node: SyntaxNode): Call | null;
  /** The function or method of this file that a call calls; null for any other. */
  functionOf(call: Call): PythonFunction | null;
  /** The function of this file that a plain name stands for. */
  functionNamed(name: SyntaxNode): PythonFunction | null;
  /**
   * `subprocess.run` for what an expression names, with aliases of imports resolved; null when it is no chain of names
   * or begins with a variable. A function or class of the file, and a name bound by nothing in it, is itself: `open`.
   */
  qualifiedName(expression: SyntaxNode): string | null;
}

export interface SyntaxProblem {
  readonly start: number;
  readonly end: number;
  /** The token that the parser missed, such as `)`; null when it met one that fits nowhere. */
  readonly missing: string | null;
}

export type BlockKind =
  | 'module'
  | 'class'
  | 'function'
  | 'lambda'
  | 'comprehension'
  | 'if'
  | 'elif'
  /** Of `if`, `for`, `while` or `try`: see the parent of `node`. */
  | 'else'
  | 'for'
  | 'while'
  | 'try'
  | 'except'
  | 'finally'
  | 'with'
  | 'case';

/** A stretch of code that runs, or does not, as one. */
export interface Block {
  readonly kind: BlockKind;
  /** Range of the body alone, without the condition; of the whole expression for a lambda or comprehension. */
  readonly start: number;
  readonly end: number;
  /** The statement or clause that it belongs to: an `if_statement`, `except_clause`, `for_statement`, … */
  readonly node: SyntaxNode;
  /** For `else`, `except` and `finally`, the statement that `node` is a clause of; otherwise `node`. */
  readonly statement: SyntaxNode;
  /**
   * The condition of `if`, `elif`, `while`; the iterable of `for` and the first of a comprehension; what `except`
   * catches; the clause of `with`; the subject of `case`.
   */
  readonly head: SyntaxNode | null;
  readonly parent: Block | null;
  /** The innermost function around it, or of it; null at module level. */
  readonly function: PythonFunction | null;
  readonly class: PythonClass | null;
  /** The statements of the body; empty for a lambda or comprehension. */
  readonly statements: readonly SyntaxNode[];
  /** What is bound here, for the blocks that are a scope in Python; null for others. */
  readonly names: ReadonlyMap<string, readonly Binding[]> | null;
}

export type BindingKind =
  | 'assign'
  | 'augmented'
  /** One element of what is assigned, as in `a, b = pair`. */
  | 'element'
  | 'loop'
  | 'with'
  | 'parameter'
  | 'import'
  | 'function'
  | 'class'
  | 'other';

export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly node: SyntaxNode;
  /** What is assigned, iterated over, entered, or the default of a parameter. */
  readonly value: SyntaxNode | null;
  /** The position of the name in a pattern `a, b`; -1 in a pattern inside one; null where it is the whole target. */
  readonly index: number | null;
  /** Where the assignment stands. */
  readonly block: Block;
}

export interface Import {
  readonly node: SyntaxNode;
  /** As written, with its leading dots: `os.path`, `.helpers`. */
  readonly module: string;
  readonly moduleNode: SyntaxNode;
  /** What `from … import` takes; null for `import module`; `*` for all. */
  readonly name: string | null;
  readonly nameNode: SyntaxNode;
  /** The name bound here. */
  readonly alias: string;
  readonly block: Block;
}

export interface Parameter {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly default: SyntaxNode | null;
  /** `keyword`: one that stands after `*`, and is never given by position. */
  readonly kind: 'plain' | 'keyword' | 'args' | 'kwargs';
}

export interface PythonFunction {
  readonly name: string;
  readonly nameNode: SyntaxNode;
  /** The whole definition, without its decorators. */
  readonly node: SyntaxNode;
  readonly async: boolean;
  readonly parameters: readonly Parameter[];
  readonly decorators: readonly Decorator[];
  /** The block that it is defined in. */
  readonly parent: Block;
  readonly body: Block;
  /** Set for a method. */
  readonly class: PythonClass | null;
  /** `TestPlan.test_total` */
  readonly path: string;
  readonly returns: readonly SyntaxNode[];
  readonly yields: boolean;
}

export interface Decorator {
  readonly node: SyntaxNode;
  /** `pytest.mark.parametrize`, aliases resolved; empty when it is no name or call of one. */
  readonly name: string;
  readonly call: Call | null;
}

export interface PythonClass {
  readonly name: string;
  readonly nameNode: SyntaxNode;
  readonly node: SyntaxNode;
  /** Aliases resolved, `unittest.TestCase`; empty text for what is no name. */
  readonly bases: readonly string[];
  readonly decorators: readonly Decorator[];
  readonly parent: Block;
  readonly body: Block;
}

export interface Call {
  readonly node: SyntaxNode;
  /**
   * `subprocess.run`, aliases resolved; also the name of a function or class of this file. Null for a method of a
   * variable or of something that is no name, as `Path(p).read_text`.
   */
  readonly callee: string | null;
  /** The last name, `read_text`, aliases resolved; empty when what is called is no name. */
  readonly name: string;
  /** What precedes the last name; null for a plain name. */
  readonly receiver: SyntaxNode | null;
  readonly arguments: readonly SyntaxNode[];
  readonly keywords: ReadonlyMap<string, SyntaxNode>;
  /** True with `*a` or `**k`, so that an argument may be there unseen. */
  readonly spread: boolean;
  readonly block: Block;
}

export interface AssertStatement {
  readonly node: SyntaxNode;
  readonly condition: SyntaxNode;
  readonly message: SyntaxNode | null;
  readonly block: Block;
}

export interface RaiseStatement {
  readonly node: SyntaxNode;
  /** Null for a bare `raise`. */
  readonly exception: SyntaxNode | null;
  readonly block: Block;
}

export interface StringLiteral {
  /** A `string` or `concatenated_string`. */
  readonly node: SyntaxNode;
  /** Null when it holds an interpolation. */
  readonly text: string | null;
  readonly bytes: boolean;
  /** A statement of its own: a docstring or a comment in disguise. */
  readonly bare: boolean;
  readonly block: Block;
}

export interface KeyUse {
  readonly node: SyntaxNode;
  readonly object: SyntaxNode;
  readonly key: SyntaxNode;
  readonly block: Block;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not';

export interface Comparison {
  /** The comparison, or the call of `assertEqual`. */
  readonly node: SyntaxNode;
  readonly left: SyntaxNode;
  readonly operator: ComparisonOperator;
  readonly right: SyntaxNode;
  readonly block: Block;
}

export interface TestFunction {
  readonly function: PythonFunction;
  readonly parametrize: readonly Call[];
  /** `pytest.mark.skip`, `unittest.skipIf`, … of the function and its class. */
  readonly marks: readonly Decorator[];
  /** Of a class derived from `unittest.TestCase`. */
  readonly unittest: boolean;
}

export interface Fixture {
  readonly function: PythonFunction;
  /** The name that tests ask for. */
  readonly name: string;
  readonly autouse: boolean;
  readonly params: SyntaxNode | null;
}

export type CheckKind =
  | 'assert'
  | 'raise'
  /** `with pytest.raises(…)`, `assertRaises`, `pytest.warns` */
  | 'raises'
  /** `self.assertEqual`, `mock.assert_called_with` */
  | 'method'
  /** `np.testing.assert_allclose`, `pd.testing.assert_frame_equal`, `assert_that` */
  | 'library'
  /** `pytest.fail`, `self.fail` */
  | 'fail'
  /** `sys.exit` with anything but 0 */
  | 'exit'
  /** `check=True`, `check_call`, `raise_for_status` */
  | 'status';

export interface Check {
  readonly kind: CheckKind;
  readonly node: SyntaxNode;
  readonly block: Block;
}

export interface NetworkUse {
  readonly call: Call;
  readonly node: SyntaxNode;
  /** The argument that says where to. */
  readonly targetNode: SyntaxNode | null;
  /** As far as it can be folded. */
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly block: Block;
}

export interface Sleep {
  readonly call: Call;
  readonly node: SyntaxNode;
  /** Null when not constant. */
  readonly seconds: number | null;
  readonly block: Block;
}

export interface ClockRead {
  readonly call: Call;
  readonly node: SyntaxNode;
  /** `elapsed` for clocks that only measure: `monotonic`, `perf_counter`; `date` for a calendar's; `epoch` for `time()`. */
  readonly kind: 'elapsed' | 'epoch' | 'date' | 'cpu';
  readonly block: Block;
}

export interface RandomUse {
  readonly call: Call;
  readonly node: SyntaxNode;
  /** `random`, `numpy.random`, `secrets`, `uuid`, `os.urandom`, `faker`. */
  readonly source: string;
  /** True when a seed is set for this generator in the file. */
  readonly seeded: boolean;
  readonly block: Block;
}
