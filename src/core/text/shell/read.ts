import type { Grammars, SyntaxNode } from '../syntax-tree';
import { folderName } from './names';
import { spanOf, topLevel } from './reading';
import type { InnerScript, Reading } from './reading';
import type { ShellCommand, ShellScript, ShellSurroundings, Span } from './script';
import { readStatements } from './statements';
import { readShebang, startOptions } from './switches';
import { countSettings, trackVariables } from './variables';

/** Beyond this the parser's recovery from errors can take seconds. */
const maxLength = 512 * 1024;

const maxBars = 2_000;

/** Scripts in scripts, and files that source files. */
const maxNesting = 3;

interface Outcome {
  readonly script: ShellScript;
  readonly constants: ReadonlyMap<string, string>;
}

/**
 * Reads a Bash or POSIX shell script. Never throws; what it does not understand is in `errors`. A piece of another file
 * (the body of a Dockerfile's RUN) is read with `base`, and then every offset is one of that file. The text must have
 * the file's own length: whoever takes something out (a comment line between continued lines) puts as many blanks in.
 */
export function readShell(text: string, grammars: Grammars, surroundings: ShellSurroundings = {}): ShellScript {
  return readNested(text, grammars, surroundings, 0).script;
}

function readNested(text: string, grammars: Grammars, place: ShellSurroundings, nesting: number): Outcome {
  const base = place.base ?? 0;
  const file = place.file ?? null;
  if (text.length > maxLength || hasEndlessPipeline(text))
    return { script: nothing(text, base, file), constants: new Map() };
  const root = grammars.bash(text);
  const settings = countSettings(root, text);
  const outside = new Map(place.variables ?? []);
  const pass = (known: ReadonlyMap<string, string>): Outcome & { readonly missed: boolean } => {
    const variables = trackVariables({
      settings,
      outside,
      known,
      file,
      folder: place.folder ?? null,
      home: place.home ?? '/root',
    });
    const shebang = readShebang(text, base);
    const inner = (piece: InnerScript): ShellScript | null => {
      if (nesting >= maxNesting) return null;
      const seen = new Map([...outside, ...variables.constants()]);
      return readNested(piece.text, grammars, { ...place, base: piece.base, variables: seen }, nesting + 1).script;
    };
    const source = (path: string): ShellScript | null => {
      const found = nesting >= maxNesting || !path.startsWith('/') ? null : (place.resolve?.(path) ?? null);
      if (found === null) return null;
      const seen = new Map([...outside, ...variables.constants()]);
      const outcome = readNested(
        found.text,
        grammars,
        { ...place, base: 0, file: found.file, folder: folderName(path), variables: seen },
        nesting + 1,
      );
      for (const [name, value] of outcome.constants) outside.set(name, value);
      return outcome.script;
    };
    const reading: Reading = {
      text,
      base,
      home: place.home ?? '/root',
      commands: [],
      functions: new Map(),
      heredocs: [],
      traps: [],
      assignments: [],
      errors: [],
      options: startOptions(shebang),
      complete: true,
      depth: 0,
      variables,
      inner,
      source,
      statements: (nodes, standing) => readStatements(reading, nodes, standing),
    };
    const body = reading.statements(root.type === 'ERROR' ? [root] : root.children, topLevel);
    const comments: Span[] = [];
    collect(reading, root, comments);
    const { functions, heredocs, traps, assignments, errors, complete } = reading;
    const commands = inOrder(reading.commands);
    const script: ShellScript = {
      file,
      text,
      base,
      shebang,
      body,
      commands,
      functions,
      heredocs,
      traps,
      comments,
      assignments,
      errors,
      complete,
    };
    return { script, constants: variables.constants(), missed: variables.missed };
  };
  const first = pass(new Map());
  // A variable was used above its assignment (in a function, say): read once more, with what is known by now.
  return first.missed && first.constants.size > 0 ? pass(first.constants) : first;
}

/** The parser needs time and memory with the square of a pipeline's length; ten thousand commands break it. */
function hasEndlessPipeline(text: string): boolean {
  let bars = 0;
  let last = -1;
  for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) {
    // A line that ends with a bar or a backslash goes on in the next one.
    const between = bars === 0 ? '' : text.slice(last + 1, at);
    if (/[^\s\\|][ \t]*\r?\n/u.test(between)) bars = 0;
    bars++;
    last = at;
    if (bars > maxBars) return true;
  }
  return false;
}

/** A command of a `$(…)` is read before the command around it is complete. */
function inOrder(commands: readonly ShellCommand[]): ShellCommand[] {
  const sorted = [...commands].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const [index, command] of sorted.entries()) Object.assign(command, { index });
  return sorted;
}

function collect(reading: Reading, node: SyntaxNode, comments: Span[]): void {
  for (const child of node.children) {
    if (child.type === 'comment') comments.push(spanOf(reading, child));
    else if (child.type === 'ERROR' && node.type === 'heredoc_redirect' && isTolerated(reading, child)) continue;
    else if (child.type === 'ERROR' || child.missing) reading.errors.push(spanOf(reading, child));
    if (child.children.length > 0) collect(reading, child, comments);
  }
  if (node.type === 'ERROR' && node.start === 0 && node.end === reading.text.length)
    reading.errors.push(spanOf(reading, node));
}

/** Words and an `&` after `<<EOF`, which the grammar does not know and this reader does. */
function isTolerated(reading: Reading, node: SyntaxNode): boolean {
  return (
    node.children.every((child) => child.type === 'word') || reading.text.slice(node.start, node.end).trim() === '&'
  );
}

function nothing(text: string, base: number, file: string | null): ShellScript {
  return {
    file,
    text,
    base,
    shebang: readShebang(text, base),
    body: [],
    commands: [],
    functions: new Map(),
    heredocs: [],
    traps: [],
    comments: [],
    assignments: [],
    errors: [],
    complete: false,
  };
}
