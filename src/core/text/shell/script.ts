/** Offsets in UTF-16 units of the file (`ShellScript.base` already added), half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One word of a command, as written. */
export interface ShellWord extends Span {
  /** Its source, quotes included. */
  readonly text: string;
  /**
   * What the shell makes of it, when reading shows that: quotes gone, variables that the script sets once to a
   * constant put in. null when unknown. `$(dirname "$0")` and the like are the script's folder, `$HOME` is `/root`,
   * where the reader was told so; else unknown.
   */
  readonly value: string | null;
  /** The constant beginning; the whole value where that is known. Empty when not even that is known. */
  readonly prefix: string;
  /** True when some part stands in quotes: then it is one word, whatever it holds. */
  readonly quoted: boolean;
  /** True when an unquoted `*`, `?`, `[`, or `{` makes it a pattern; `value` is then the pattern. */
  readonly pattern: boolean;
  /** Names of the variables in it, also the special ones (`?`, `@`, `1`, `PIPESTATUS`). */
  readonly variables: readonly string[];
  /** The commands of its `$(…)`, which are also in `ShellScript.commands`. */
  readonly substitutions: readonly ShellSubstitution[];
  /** Pieces in order, for whoever folds with knowledge of its own (the control flow). */
  readonly parts: readonly WordPart[];
}

export type WordPart =
  | { readonly kind: 'text'; readonly value: string }
  /** `$A`, `${A}`; `fallback` of `${A:-x}` and `${A-x}`, or of `:=`. */
  | { readonly kind: 'variable'; readonly name: string; readonly fallback: ShellWord | null; readonly quoted: boolean }
  | { readonly kind: 'substitution'; readonly body: readonly ShellNode[]; readonly quoted: boolean }
  /** Anything else: `${A%x}`, `$((…))`, `<(…)`, arrays. */
  | { readonly kind: 'unknown' };

export interface ShellSubstitution extends Span {
  readonly body: readonly ShellNode[];
}

/** `A=value`, alone, before a command, or given to `export`, `local`, `declare`, `readonly`. */
export interface ShellAssignment extends Span {
  readonly name: string;
  /** null for `A=` with nothing, an array or a subscript; `empty` tells the first. */
  readonly value: ShellWord | null;
  readonly empty: boolean;
  /** `A+=x`. */
  readonly appends: boolean;
  /** `export A=1` and `A=1 command`. */
  readonly exported: boolean;
}

export interface ShellRedirect extends Span {
  /** `>`, `>>`, `>|`, `&>`, `&>>`, `<`, `>&`, `<&`, `<<<`. Heredocs are apart. */
  readonly operator: string;
  /** The descriptor as written (`2>`), else null. */
  readonly descriptor: number | null;
  readonly target: ShellWord;
}

export interface ShellHeredoc extends Span {
  readonly delimiter: string;
  /** `<<'EOF'`: nothing in the body is expanded. */
  readonly quoted: boolean;
  /** `<<-`. */
  readonly strips: boolean;
  /** The lines between the delimiters, with the last line's ending. */
  readonly body: Span;
  /** The body's text as the reader of it gets it (tabs stripped for `<<-`); null when it holds an unknown expansion. */
  readonly content: string | null;
  /** The command that reads it, also in `ShellScript.commands`; null for a group or a loop. */
  readonly command: ShellCommand | null;
  /**
   * What becomes of it: `code` when the command is an interpreter that runs its input, `file` when `cat >` or `tee`
   * writes it down, else `input`.
   */
  readonly use: 'code' | 'file' | 'input';
}

/** A file that a command writes or replaces. */
export interface ShellWrite extends Span {
  readonly via: 'redirect' | 'tee' | 'dd' | 'cp' | 'mv' | 'install' | 'ln' | 'touch' | 'truncate' | 'sed';
  /** The word that names the place; for `cp x /dir/` the folder. Its span is the write's. */
  readonly path: ShellWord;
  /**
   * The file written when it is known: `cp a /b/` gives `/b/a`. A relative one stays relative. null when unknown. For
   * `cp a /b` (no slash) it is `/b`, though `/b` may be a folder.
   */
  readonly file: string | null;
  readonly append: boolean;
  /** True for `2>`: only messages go there. */
  readonly stderrOnly: boolean;
  /** All that is written, when it is constant: `echo 1`, `printf '…'`, `cat <<EOF`; else null. */
  readonly content: string | null;
}

/** A program put in front of another: `timeout 60 pytest`. */
export interface ShellWrapper {
  readonly name: string;
  readonly words: readonly ShellWord[];
  /** Only for `timeout`: the limit in seconds; null when unknown. */
  readonly seconds: number | null;
  /** Only for `sudo`, `su`, `setpriv`, `runuser`, `gosu`: the user, when it is constant. */
  readonly user: string | null;
}

export type Switch = boolean | 'unknown';

export interface ShellOptions {
  readonly errexit: Switch;
  readonly nounset: Switch;
  readonly pipefail: Switch;
}

/** Where a command stands. */
export interface ShellContext {
  /** It (or a group around it) is what `if`, `elif`, `while` or `until` asks. */
  readonly condition: 'if' | 'while' | null;
  readonly negated: boolean;
  /** It is the left side of this operator (of the innermost list around it): a failure is looked at. */
  readonly leftOf: '&&' | '||' | null;
  /** It runs only depending on what stands left of this operator. */
  readonly rightOf: '&&' | '||' | null;
  /** Inside `( … )`, `$( … )` or a background list: what it sets does not last. */
  readonly subshell: boolean;
  /** Inside `$( … )` or backticks: its output is a value. */
  readonly substitution: boolean;
  /** Inside the then/else part of `if`, an arm of `case` or the body of a loop. */
  readonly conditional: boolean;
  readonly loop: boolean;
  /** The function whose body it stands in. */
  readonly function: string | null;
  readonly background: boolean;
  /** Its pipeline when that has more than one command. */
  readonly pipeline: { readonly index: number; readonly length: number } | null;
  /** In force when it starts, reading from top to bottom. */
  readonly options: ShellOptions;
}

/** A simple command; also `[ … ]`, `[[ … ]]` and `((…))` (their program is the bracket), and assignments alone. */
export interface ShellCommand extends Span {
  /** Place in `ShellScript.commands`. */
  readonly index: number;
  /** All words, wrappers and program included; assignments and redirections are not among them. */
  readonly words: readonly ShellWord[];
  readonly wrappers: readonly ShellWrapper[];
  /**
   * Name of what runs after the wrappers, without its folder: `/usr/bin/python3` gives `python3`. null when it is
   * unknown or when there is none (assignments alone).
   */
  readonly program: string | null;
  /** The word that names it; null when there is none. */
  readonly programWord: ShellWord | null;
  /** The words after the program. */
  readonly args: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  readonly heredocs: readonly ShellHeredoc[];
  /** Also those of a group around it: `{ echo a; } > f` counts for the group's last command only. */
  readonly writes: readonly ShellWrite[];
  /** The script in `bash -c '…'`, `sh -s <<EOF`, `eval '…'` when it is a constant of one piece, else null. */
  readonly inline: ShellScript | null;
  /** For `source x` / `. x` of a file the reader was given. */
  readonly sourced: ShellScript | null;
  /** For `trap '…' EXIT`: what it runs, when that is a constant. */
  readonly trap: ShellScript | null;
  readonly context: ShellContext;
}

/** The script as a tree. Each node's span covers its source. */
export type ShellNode =
  | ({ readonly kind: 'command'; readonly command: ShellCommand } & Span)
  | ({
      readonly kind: 'list';
      readonly operator: '&&' | '||';
      readonly operatorSpan: Span;
      readonly left: ShellNode;
      readonly right: ShellNode;
    } & Span)
  | ({ readonly kind: 'pipeline'; readonly stages: readonly ShellNode[] } & Span)
  | ({ readonly kind: 'not'; readonly body: ShellNode } & Span)
  | ({ readonly kind: 'group' | 'subshell'; readonly body: readonly ShellNode[] } & Redirected & Span)
  | ({
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: readonly ShellNode[]; readonly body: readonly ShellNode[] }[];
      /** null without `else`. */
      readonly otherwise: readonly ShellNode[] | null;
    } & Redirected &
      Span)
  | ({
      readonly kind: 'loop';
      readonly word: 'while' | 'until' | 'for' | 'select';
      readonly variable: string | null;
      readonly items: readonly ShellWord[];
      readonly condition: readonly ShellNode[];
      readonly body: readonly ShellNode[];
    } & Redirected &
      Span)
  | ({
      readonly kind: 'case';
      readonly subject: ShellWord | null;
      readonly arms: readonly { readonly patterns: readonly ShellWord[]; readonly body: readonly ShellNode[] }[];
    } & Redirected &
      Span)
  | ({ readonly kind: 'function'; readonly name: string; readonly body: ShellNode } & Span)
  | ({ readonly kind: 'background'; readonly body: ShellNode } & Span)
  /** Something the grammar or this reader does not understand. */
  | ({ readonly kind: 'unknown' } & Span);

/** Redirections of a compound command: `if …; fi > file`. */
export interface Redirected {
  readonly redirects: readonly ShellRedirect[];
  readonly writes: readonly ShellWrite[];
}

export interface Shebang extends Span {
  /** `bash` of `#!/usr/bin/env bash` and `#!/bin/bash -e`. */
  readonly interpreter: string;
  readonly flags: readonly string[];
}

export interface ShellTrap {
  readonly command: ShellCommand;
  readonly signals: readonly string[];
  /** What it runs; null when it is not a constant, or when it is reset (`-`). */
  readonly body: ShellScript | null;
  readonly reset: boolean;
}

export interface ShellScript {
  /** As it was given to the reader: relative to the task folder, or null for a piece of another file. */
  readonly file: string | null;
  /** What was read; slice it with `offset - base`. */
  readonly text: string;
  readonly base: number;
  readonly shebang: Shebang | null;
  readonly body: readonly ShellNode[];
  /** Every command in the order of its start: also in conditions, functions, `$(…)`; not in heredocs or `inline`. */
  readonly commands: readonly ShellCommand[];
  readonly functions: ReadonlyMap<string, ShellNode>;
  readonly heredocs: readonly ShellHeredoc[];
  readonly traps: readonly ShellTrap[];
  readonly comments: readonly Span[];
  /** Every assignment, also through `read`, `for`, `export`. */
  readonly assignments: readonly ShellAssignment[];
  /** What the grammar could not read. A rule that reasons about what is *not* there keeps silent when there is some. */
  readonly errors: readonly Span[];
  /** False when nesting or size went beyond the reader's caps and some of it was left out. */
  readonly complete: boolean;
}

/** What the reader may know about the script's place; all of it optional. */
export interface ShellSurroundings {
  readonly file?: string;
  /** Added to every offset: where `text` starts in its file. */
  readonly base?: number;
  /** The folder the script lies in at run time (`/tests`): makes `$(dirname "$0")` known. */
  readonly folder?: string;
  /** `/root` unless the image sets a user. */
  readonly home?: string;
  /** Text and path of a file named by its path at run time (`/tests/lib.sh`); null when it is not one of the task's. */
  readonly resolve?: (path: string) => { readonly file: string; readonly text: string } | null;
  /** Variables known from outside, such as `ENV` of an image. */
  readonly variables?: ReadonlyMap<string, string>;
}
