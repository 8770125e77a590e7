import type { Lines } from '../lines';

/** A Dockerfile read with the place of everything in it. All offsets are UTF-16 units of the whole text, half-open. */
export interface Dockerfile {
  readonly text: string;
  readonly lines: Lines;
  /** The character that continues a line: a backslash unless the directive `escape` says otherwise. */
  readonly escape: '\\' | '`';
  /** The front end that `# syntax=` asks for; null without. */
  readonly syntax: string | null;
  readonly instructions: readonly Instruction[];
  readonly stages: readonly Stage[];
}

export interface Stage {
  readonly index: number;
  /** As `AS` names it, in lower case; null without. */
  readonly name: string | null;
  readonly from: Instruction;
  /** The image reference or stage name after FROM; null when FROM names nothing. */
  readonly reference: Word | null;
  /** Index of the earlier stage it builds on; null when it builds on an image. */
  readonly parent: number | null;
  /** The instructions after FROM. */
  readonly instructions: readonly Instruction[];
  /** Number of steps as BuildKit counts them, FROM included. */
  readonly steps: number;
}

/** A word of an instruction. */
export interface Word {
  /** As written, with quotes and variables. */
  readonly raw: string;
  /** Without quotes and with ARG and ENV put in; null when it depends on something unknown. */
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
}

/** `--name=value` before the arguments. */
export interface Flag {
  /** Lower case, without the dashes. */
  readonly name: string;
  /** What follows `=`; empty without. */
  readonly value: Word;
  readonly start: number;
  readonly end: number;
}

/** `NAME=value`, or `NAME value` of old. */
export interface Assignment {
  readonly name: string;
  /** null for an ARG without default. */
  readonly value: Word | null;
  readonly start: number;
  readonly end: number;
}

export interface Heredoc {
  readonly name: string;
  /** Does a quoted name keep variables as they are? */
  readonly quoted: boolean;
  /** The body with its line ends, and without the leading tabs that `<<-` takes away. */
  readonly text: string;
  /** The word `<<NAME`. */
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** Where the line with the end word begins; the text's end when there is none. */
  readonly bodyEnd: number;
  /** False when the end word never comes. */
  readonly closed: boolean;
}

/**
 * A piece of shell in the Dockerfile. The text is as long as what it stands for: comments inside a continued line have
 * become blanks and the escape character a backslash, so an offset of the script plus `start` is one of the Dockerfile.
 */
export interface ShellText {
  readonly text: string;
  readonly start: number;
  /** The interpreter: what SHELL sets, or the shebang of a here-document; `/bin/sh` without. */
  readonly interpreter: string;
  /** Flags in force before the first command, as `-o pipefail` of SHELL: the words between interpreter and `-c`. */
  readonly flags: readonly string[];
}

export interface Instruction {
  /** Upper case; what stands there for an unknown one, and empty when the line starts with no letter. */
  readonly keyword: string;
  /** The instruction on one line: continued lines joined, without comments and bodies of here-documents. */
  readonly text: string;
  /** From the keyword to the end of its last continued line, without here-documents. */
  readonly start: number;
  readonly end: number;
  readonly keywordEnd: number;
  /** From 0. */
  readonly line: number;
  /** Last line that belongs to it, here-documents included. */
  readonly endLine: number;
  /** Index of its stage; -1 before the first FROM. */
  readonly stage: number;
  /**
   * Ordinal within the stage, from 1, among the instructions that BuildKit counts as steps (those that change files, and
   * FROM); null for the others.
   */
  readonly step: number | null;
  readonly flags: readonly Flag[];
  /** `json` for a list in brackets, `shell` for RUN, CMD, ENTRYPOINT and HEALTHCHECK in shell form. */
  readonly form: 'json' | 'shell' | 'words';
  /** The arguments without flags; empty in shell form. Here-documents of COPY and ADD are words too. */
  readonly words: readonly Word[];
  readonly heredocs: readonly Heredoc[];
  /** The shell that RUN, CMD, ENTRYPOINT and HEALTHCHECK run, also in `["sh", "-c", "…"]`; null when it is none. */
  readonly shell: ShellText | null;
  /** What ENV, ARG and LABEL set. */
  readonly assignments: readonly Assignment[];
  /**
   * Of RUN, CMD, ENTRYPOINT and HEALTHCHECK: variables that ENV and ARG have set before it in its stage and those it
   * builds on; null for an unknown value. Empty for others.
   */
  readonly variables: ReadonlyMap<string, string | null>;
}

/** The value of the last flag of a name; null without one. */
export function flagOf(instruction: Instruction, name: string): Word | null {
  return instruction.flags.findLast((flag) => flag.name === name)?.value ?? null;
}

/** Index of the stage that `COPY --from` takes files from; null for none, and for an image. */
export function sourceStage(dockerfile: Dockerfile, instruction: Instruction): number | null {
  const from = flagOf(instruction, 'from')?.value;
  return from === undefined || from === null ? null : stageNamed(dockerfile, from, instruction.stage);
}

/** Index of the stage before `before` that a name or number means; null for none. */
export function stageNamed(dockerfile: Dockerfile, name: string, before: number): number | null {
  const wanted = name.toLowerCase();
  const named = dockerfile.stages.findLast((stage) => stage.index < before && stage.name === wanted);
  if (named !== undefined) return named.index;
  const index = /^\d{1,6}$/.test(name) ? Number(name) : -1;
  return index >= 0 && index < before ? index : null;
}
