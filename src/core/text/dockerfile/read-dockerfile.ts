import { linesOf } from '../lines';
import { assignmentsOf, readFlags, shellOfWords } from './arguments';
import type { Dockerfile, Heredoc, Instruction, ShellText, Stage, Word } from './dockerfile';
import { heredocStarts, isAllBlank, readHeredoc } from './heredocs';
import { joinLines, lineAt, type JoinedLines } from './joined-lines';
import { substitute, type Lookup } from './substitute';
import { Variables } from './variables';
import { jsonWords, skipBlanks, splitWords, type Token } from './words';

const stepKeywords = new Set(['FROM', 'RUN', 'COPY', 'ADD', 'WORKDIR']);
const heredocKeywords = new Set(['RUN', 'COPY', 'ADD']);
const shellKeywords = new Set(['RUN', 'CMD', 'ENTRYPOINT', 'HEALTHCHECK']);
const jsonKeywords = new Set(['RUN', 'CMD', 'ENTRYPOINT', 'COPY', 'ADD', 'SHELL', 'VOLUME']);

/**
 * Reads a Dockerfile. Never fails: what is no instruction becomes one with an unknown keyword. `args` are values that
 * the build is given for ARG.
 */
export function readDockerfile(text: string, args: ReadonlyMap<string, string> = new Map()): Dockerfile {
  return new Reader(text, args).read();
}

interface StageBeingRead {
  readonly index: number;
  readonly name: string | null;
  readonly from: Instruction;
  readonly reference: Word | null;
  readonly parent: number | null;
  readonly instructions: Instruction[];
  readonly variables: Variables;
  steps: number;
  shell: readonly string[];
}

const defaultShell = ['/bin/sh', '-c'];

const none: ReadonlyMap<string, string | null> = new Map();

class Reader {
  private readonly instructions: Instruction[] = [];
  private readonly stages: StageBeingRead[] = [];
  /** ARG before the first FROM. */
  private readonly globals: Variables;
  private escape: '\\' | '`' = '\\';
  private syntax: string | null = null;

  constructor(
    private readonly text: string,
    args: ReadonlyMap<string, string>,
  ) {
    this.globals = new Variables(args);
  }

  read(): Dockerfile {
    this.directives();
    let at = 0;
    let line = 0;
    while (at < this.text.length) {
      const current = lineAt(this.text, at);
      if (isBlankOrComment(this.text, current.start, current.end)) {
        at = current.next;
        line++;
        continue;
      }
      const joined = joinLines(this.text, at, this.escape);
      const read = this.instruction(joined, line);
      at = read.next;
      line = read.instruction.endLine + 1;
    }
    return {
      text: this.text,
      lines: linesOf(this.text),
      escape: this.escape,
      syntax: this.syntax,
      instructions: this.instructions,
      stages: this.stages.map(({ index, name, from, reference, parent, instructions, steps }): Stage => {
        return { index, name, from, reference, parent, instructions, steps };
      }),
    };
  }

  /** Directives stand before anything else, other comments included. */
  private directives(): void {
    let at = this.text.startsWith('\uFEFF') ? 1 : 0;
    while (at < this.text.length) {
      const line = lineAt(this.text, at);
      const found = /^\s*#\s*([A-Za-z]\w*)\s*=\s*(\S.*)$/.exec(this.text.slice(at, Math.min(line.end, at + 500)));
      const name = found?.[1]?.toLowerCase();
      const value = (found?.[2] ?? '').trim();
      if (name === 'escape') this.escape = value === '`' ? '`' : '\\';
      else if (name === 'syntax') this.syntax = value;
      else if (name !== 'check') return;
      at = line.next;
    }
  }

  private instruction(joined: JoinedLines, line: number): { instruction: Instruction; next: number } {
    const { script, start } = joined;
    const keywordLength = /^\S*/.exec(script.slice(0, 64))?.[0].length ?? 0;
    const keyword = script.slice(0, keywordLength).toUpperCase();
    const stage = this.stages.at(-1);
    const variables = stage?.variables ?? this.globals;
    const lookup: Lookup = (name) => variables.get(name);
    const takesVariables = !shellKeywords.has(keyword);
    const wordOf = (token: Token, value?: string): Word => ({
      raw: token.raw,
      value: takesVariables ? substitute(value ?? token.raw, lookup, this.escape) : (value ?? token.raw),
      start: token.start + start,
      end: token.end + start,
    });

    const { flags, rest } = readFlags(script, keywordLength, (token) => ({
      raw: token.raw,
      value: substitute(token.raw, lookup, this.escape),
      start: token.start + start,
      end: token.end + start,
    }));
    const { heredocs, next, lines } = this.heredocs(keyword, joined, rest);
    const { form, words, shell } = this.arguments(
      keyword,
      joined,
      rest,
      heredocs,
      wordOf,
      stage?.shell ?? defaultShell,
    );
    const assignments = assignmentsOf(keyword, script, rest, this.escape, wordOf);
    const counts = stepKeywords.has(keyword) && (stage !== undefined || keyword === 'FROM');
    const before = stage?.steps ?? 0;
    const instruction: Instruction = {
      keyword,
      text: joined.text,
      start,
      end: joined.end,
      keywordEnd: start + keywordLength,
      line,
      endLine: line + joined.lineCount - 1 + lines,
      stage: this.stages.length - (keyword === 'FROM' ? 0 : 1),
      step: !counts ? null : keyword === 'FROM' ? 1 : before + 1,
      flags,
      form,
      words,
      heredocs,
      shell,
      assignments,
      variables: takesVariables ? none : variables.shared(),
    };
    this.instructions.push(instruction);
    if (keyword === 'FROM') this.from(instruction);
    else stage?.instructions.push(instruction);
    if (stage !== undefined && counts && keyword !== 'FROM') stage.steps++;
    if (keyword === 'SHELL' && stage !== undefined && form === 'json')
      stage.shell = words.map((word) => word.value ?? word.raw);
    if (keyword === 'ENV') for (const one of assignments) variables.setEnv(one.name, one.value?.value ?? null);
    if (keyword === 'ARG')
      for (const one of assignments) variables.setArg(one.name, one.value?.value, stage ? this.globals : null);
    return { instruction, next };
  }

  private from(instruction: Instruction): void {
    const reference = instruction.words[0] ?? null;
    const wanted = reference?.value?.toLowerCase();
    const parent = wanted === undefined ? -1 : this.stages.findLastIndex((one) => one.name === wanted);
    const base = this.stages[parent];
    this.stages.push({
      index: this.stages.length,
      name: instruction.words[1]?.raw.toUpperCase() === 'AS' ? (instruction.words[2]?.raw.toLowerCase() ?? null) : null,
      from: instruction,
      reference,
      parent: base ? parent : null,
      instructions: [],
      variables: base?.variables.inherited() ?? this.globals.fresh(),
      steps: 1,
      shell: base?.shell ?? defaultShell,
    });
  }

  private heredocs(
    keyword: string,
    joined: JoinedLines,
    rest: number,
  ): { heredocs: Heredoc[]; next: number; lines: number } {
    const heredocs: Heredoc[] = [];
    let next = joined.next;
    if (!heredocKeywords.has(keyword)) return { heredocs, next, lines: 0 };
    for (const one of heredocStarts(joined.script, rest, joined.script.length)) {
      const read = readHeredoc(this.text, next, {
        ...one,
        start: one.start + joined.start,
        end: one.end + joined.start,
      });
      heredocs.push(read.heredoc);
      next = read.next;
    }
    return { heredocs, next, lines: lineCount(this.text, joined.next, next) };
  }

  private arguments(
    keyword: string,
    joined: JoinedLines,
    rest: number,
    heredocs: readonly Heredoc[],
    wordOf: (token: Token, value?: string) => Word,
    shell: readonly string[],
  ): Pick<Instruction, 'form' | 'words' | 'shell'> {
    const { script } = joined;
    const json = jsonKeywords.has(keyword) && heredocs.length === 0 ? jsonWords(script, rest, script.length) : null;
    if (json !== null) {
      const words = json.map((token) => wordOf(token, token.value));
      return { form: 'json', words, shell: shellKeywords.has(keyword) ? shellOfWords(words) : null };
    }
    if (keyword === 'HEALTHCHECK') {
      const first = splitWords(script.slice(0, rest + 8), rest, Math.min(script.length, rest + 8), null)[0];
      if (first?.raw.toUpperCase() !== 'CMD')
        return { form: 'words', words: first ? [wordOf(first)] : [], shell: null };
      return this.arguments('CMD', joined, skipBlanks(script, first.end, script.length), heredocs, wordOf, shell);
    }
    if (shellKeywords.has(keyword))
      return { form: 'shell', words: [], shell: this.shellText(joined, rest, heredocs, shell) };
    if (keyword === 'WORKDIR' || keyword === 'USER' || keyword === 'STOPSIGNAL') {
      const whole = { raw: script.slice(rest), start: rest, end: script.length };
      return { form: 'words', words: whole.raw === '' ? [] : [wordOf(whole)], shell: null };
    }
    const keepsQuotes = keyword === 'ENV' || keyword === 'LABEL' || keyword === 'ARG';
    const tokens = splitWords(script, rest, script.length, keepsQuotes ? this.escape : null);
    return { form: 'words', words: tokens.map((token) => wordOf(token)), shell: null };
  }

  private shellText(
    joined: JoinedLines,
    rest: number,
    heredocs: readonly Heredoc[],
    shell: readonly string[],
  ): ShellText | null {
    const [interpreter = '/bin/sh', ...flags] = shell.at(-1) === '-c' ? shell.slice(0, -1) : shell;
    const only = heredocs.length === 1 ? heredocs[0] : undefined;
    const { script, start } = joined;
    if (only !== undefined) {
      const isScript = only.start - start === rest && isAllBlank(script, only.end - start, script.length);
      const shebang = /^#![ \t]*([^\r\n]+)/
        .exec(only.text.slice(0, 200))?.[1]
        ?.trim()
        .split(/[ \t]+/);
      if (isScript) {
        return {
          text: this.text.slice(only.bodyStart, only.bodyEnd),
          start: only.bodyStart,
          interpreter: (shebang?.[0]?.endsWith('/env') ? shebang[1] : shebang?.[0]) ?? interpreter,
          flags: shebang ? shebang.slice(shebang[0]?.endsWith('/env') ? 2 : 1) : flags,
        };
      }
    }
    const last = heredocs.at(-1);
    if (last === undefined) return { text: script.slice(rest), start: start + rest, interpreter, flags };
    const bodies = this.text.slice(joined.end, last.closed ? lineAt(this.text, last.bodyEnd).next : last.bodyEnd);
    return { text: script.slice(rest) + bodies, start: start + rest, interpreter, flags };
  }
}

function isBlankOrComment(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && /[\s\uFEFF]/.test(text[at] ?? '')) at++;
  return at >= end || text[at] === '#';
}

function lineCount(text: string, from: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return end > from && text[end - 1] !== '\n' ? count + 1 : count;
}
