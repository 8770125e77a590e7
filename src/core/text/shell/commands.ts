import type { SyntaxNode } from '../syntax-tree';
import { readHeredoc } from './heredocs';
import { innerScriptOf, trapOf } from './inner';
import { baseName } from './names';
import { sourceOf, spanOf } from './reading';
import type { Reading, Standing } from './reading';
import type { ShellAssignment, ShellCommand, ShellHeredoc, ShellRedirect, ShellScript, ShellWord } from './script';
import { optionsAfter } from './switches';
import { plainWord, readAssignment, readWord, splitWord } from './words';
import { peel } from './wrappers';
import { writesOf } from './writes';

/** What stands after a command in the text but belongs to it. */
export interface Attached {
  readonly redirects: readonly SyntaxNode[];
  readonly heredocs: readonly SyntaxNode[];
  /** Words after a heredoc's start: `cat <<EOF -`. */
  readonly words: readonly SyntaxNode[];
}

export const nothingAttached: Attached = { redirects: [], heredocs: [], words: [] };

type Building = { -readonly [K in keyof ShellCommand]: ShellCommand[K] };

/** Reads a simple command, a test, an assignment or a declaration, and takes note of it. */
export function readCommand(
  reading: Reading,
  node: SyntaxNode,
  standing: Standing,
  attached: Attached = nothingAttached,
): ShellCommand {
  const options = reading.options;
  const words: ShellWord[] = [];
  const assignments: ShellAssignment[] = [];
  const redirectNodes: SyntaxNode[] = [];
  const declares = node.type === 'declaration_command';
  const inBrackets = node.type === 'test_command' || node.type === 'compound_statement';
  if (node.type === 'variable_assignment') assignments.push(readAssignment(reading, node, standing, false));
  else if (inBrackets) words.push(...bracketWords(reading, node, standing));
  else {
    const exports = declares && node.children[0] !== undefined && sourceOf(reading, node.children[0]) === 'export';
    for (const child of node.children) {
      if (child.type === 'variable_assignment') {
        const exported = exports || node.children.some((other) => other.type === 'command_name');
        assignments.push(readAssignment(reading, child, standing, exported));
      } else if (child.type === 'file_redirect' || child.type === 'herestring_redirect') redirectNodes.push(child);
      else if (!child.named) words.push(plainWord(reading, child));
      else if (child.type !== 'comment')
        words.push(
          ...splitWord(child.type === 'variable_name' ? plainWord(reading, child) : readWord(reading, child, standing)),
        );
    }
  }
  for (const word of attached.words) words.push(...splitWord(readWord(reading, word, standing)));
  const redirects: ShellRedirect[] = [];
  for (const redirect of [...redirectNodes, ...attached.redirects])
    redirects.push(...readRedirect(reading, redirect, standing));
  const heredocs: ShellHeredoc[] = attached.heredocs.map((heredoc) => readHeredoc(reading, heredoc, standing));

  const { wrappers, rest, assignments: given } = peel(words);
  const [programWord = null, ...args] = rest;
  const program = programWord === null ? null : programOf(reading, programWord);
  const span = spanOf(reading, node);
  const command: Building = {
    start: span.start,
    end: Math.max(span.end, ...redirects.map((redirect) => redirect.end), ...heredocs.map((heredoc) => heredoc.end)),
    index: 0,
    words,
    wrappers,
    program,
    programWord,
    args,
    assignments: [...assignments, ...given.map(assignmentFromWord)],
    redirects,
    heredocs,
    writes: writesOf({ program, args, redirects, heredocs }),
    inline: null,
    sourced: null,
    trap: null,
    context: { ...standing, options },
  };
  for (const heredoc of heredocs) feed(heredoc, command);
  command.inline = innerScriptOf(reading, command);
  command.sourced = sourcedBy(reading, command);
  const trap = trapOf(reading, command);
  if (trap !== null) reading.traps.push(trap);
  command.trap = trap?.body ?? null;
  reading.commands.push(command);
  reading.options = optionsAfter(command.sourced === null ? options : optionsAtEnd(options, command.sourced), command);
  return command;
}

/** Also for a variable that is set to `/usr/bin/python3` here and to `/usr/local/bin/python3` there. */
function programOf(reading: Reading, word: ShellWord): string | null {
  if (word.value !== null) return baseName(word.value);
  const [only, ...more] = word.parts;
  if (only?.kind !== 'variable' || more.length > 0) return null;
  const [name, ...others] = new Set(reading.variables.choices(only.name).map(baseName));
  return name === undefined || others.length > 0 ? null : name;
}

/** Puts what a command's heredoc is for into it; the heredoc was read before its command was complete. */
function feed(heredoc: ShellHeredoc, command: ShellCommand): void {
  Object.assign(heredoc, { command, use: heredocUse(command) });
}

function heredocUse(command: ShellCommand): ShellHeredoc['use'] {
  const { program, args } = command;
  if (program === null) return 'input';
  if (program === 'tee') return 'file';
  if (program === 'cat' || program === 'dd')
    return command.writes.some((write) => !write.stderrOnly) ? 'file' : 'input';
  return runsItsInput(program, args) ? 'code' : 'input';
}

/** `python3 -`, `bash -s x`, `node`: nothing but the input says what to run. */
function runsItsInput(program: string, args: readonly ShellWord[]): boolean {
  if (!/^(?:bash|sh|dash|zsh|ash|(?:python|pypy)[0-9.]*|node|perl|ruby|php|Rscript)$/u.test(program)) return false;
  for (const word of args) {
    if (word.value === null) return false;
    if (word.value === '-' || word.value === '-s') return true;
    if (!word.value.startsWith('-') || /^-[a-zA-Z]*[cm]$/u.test(word.value)) return false;
  }
  return true;
}

function sourcedBy(reading: Reading, command: ShellCommand): ShellScript | null {
  if (command.program !== 'source' && command.program !== '.') return null;
  const path = command.args[0];
  return path === undefined || path.value === null || path.pattern ? null : reading.source(path.value);
}

function optionsAtEnd(options: ShellCommand['context']['options'], script: ShellScript): typeof options {
  let next = options;
  for (const command of script.commands)
    if (!command.context.subshell && command.context.function === null) next = optionsAfter(next, command);
  return next;
}

function assignmentFromWord(word: ShellWord): ShellAssignment {
  const name = word.prefix.slice(0, word.prefix.indexOf('='));
  return { start: word.start, end: word.end, name, value: null, empty: false, appends: false, exported: true };
}

/** The tokens of `[ … ]`, `[[ … ]]` and `((…))` as words, without the closing one. */
function bracketWords(reading: Reading, node: SyntaxNode, standing: Standing): ShellWord[] {
  const words: ShellWord[] = [];
  const visit = (child: SyntaxNode): void => {
    if (/^(?:binary|unary|postfix|ternary|parenthesized)_expression$/u.test(child.type)) {
      for (const inner of child.children) visit(inner);
    } else if (child.named && child.type !== 'test_operator') words.push(readWord(reading, child, standing));
    else words.push(plainWord(reading, child));
  };
  for (const child of node.children.slice(0, -1)) visit(child);
  return words;
}

export function readRedirect(reading: Reading, node: SyntaxNode, standing: Standing): ShellRedirect[] {
  let descriptor: number | null = null;
  let operator = '';
  const targets: SyntaxNode[] = [];
  for (const child of node.children) {
    if (child.type === 'file_descriptor') descriptor = Number.parseInt(sourceOf(reading, child), 10);
    else if (!child.named) operator = sourceOf(reading, child);
    else targets.push(child);
  }
  const [target, ...more] = targets;
  if (target === undefined || more.length > 0) {
    // `> a b c`: the grammar takes the words of the command after it for targets.
    if (target !== undefined) reading.errors.push(spanOf(reading, node));
    return [];
  }
  return [
    {
      ...spanOf(reading, node),
      operator,
      descriptor: Number.isNaN(descriptor) ? null : descriptor,
      target: readWord(reading, target, standing),
    },
  ];
}
