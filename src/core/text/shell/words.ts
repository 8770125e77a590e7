import type { SyntaxNode } from '../syntax-tree';
import { foldSubstitution } from './fold';
import { sourceOf, spanOf } from './reading';
import type { Reading, Standing } from './reading';
import type { ShellAssignment, ShellSubstitution, ShellWord, Span, WordPart } from './script';
import { unescapeAnsi, unescapeBare, unescapeDouble } from './unquote';

/** Characters; a longer value is not known. Each of `A=$A$A` doubles it. */
const maxValue = 20_000;

/** What an unquoted variable may be split into. */
const maxSplit = 500;

/** A word while it is put together. */
interface Pieces {
  readonly parts: WordPart[];
  readonly variables: string[];
  readonly substitutions: ShellSubstitution[];
  quoted: boolean;
  pattern: boolean;
  value: string;
  known: boolean;
}

/** Reads a node that stands for one word, whatever its type. */
export function readWord(reading: Reading, node: SyntaxNode, standing: Standing): ShellWord {
  const pieces = noPieces();
  readPiece(reading, node, standing, pieces, false);
  return wordFrom(pieces, sourceOf(reading, node), spanOf(reading, node));
}

/** The value of a piece of text with expansions in it, as the body of a heredoc is. */
export function readExpanded(reading: Reading, node: SyntaxNode, standing: Standing): ShellWord {
  const pieces = noPieces();
  readQuoted(reading, node, node.start, node.end, standing, pieces);
  return wordFrom(pieces, sourceOf(reading, node), spanOf(reading, node));
}

/** A word for a token that is no word in the grammar, such as `-eq` or `==`. */
export function plainWord(reading: Reading, node: SyntaxNode): ShellWord {
  const pieces = noPieces();
  addText(pieces, sourceOf(reading, node));
  return wordFrom(pieces, sourceOf(reading, node), spanOf(reading, node));
}

/** An unquoted `$OPTIONS` becomes as many words as its value has; anything else stays one. */
export function splitWord(word: ShellWord): readonly ShellWord[] {
  if (word.quoted || word.value === null || word.parts.every((part) => part.kind !== 'variable')) return [word];
  const values = word.value.split(/[ \t\n]+/u).filter((value) => value !== '');
  if (values.length === 1 || values.length > maxSplit) return [values.length === 1 ? word : { ...word, value: null }];
  return values.map((value) => ({
    ...word,
    value,
    prefix: value,
    pattern: word.pattern || /[*?[]/u.test(value),
    parts: [{ kind: 'text', value }],
  }));
}

/** Reads `A=x`, also with `+=`, an array or a subscript. */
export function readAssignment(
  reading: Reading,
  node: SyntaxNode,
  standing: Standing,
  exported: boolean,
): ShellAssignment {
  const target = node.children.find((child) => child.field === 'name') ?? node.children[0];
  const name = target === undefined ? '' : (/^[A-Za-z_]\w*/u.exec(sourceOf(reading, target))?.[0] ?? '');
  const appends = node.children.some((child) => child.type === '+=');
  const valueNode = node.children.find((child) => child.field === 'value');
  reading.variables.begin(name);
  const word = valueNode === undefined ? null : readWord(reading, valueNode, standing);
  const whole = target?.type === 'variable_name' && valueNode?.type !== 'array';
  const assignment: ShellAssignment = {
    ...spanOf(reading, node),
    name,
    value: whole ? word : null,
    empty: valueNode === undefined,
    appends,
    exported,
  };
  reading.variables.end(name, !whole || appends ? null : valueNode === undefined ? '' : (word?.value ?? null));
  reading.assignments.push(assignment);
  return assignment;
}

function noPieces(): Pieces {
  return { parts: [], variables: [], substitutions: [], quoted: false, pattern: false, value: '', known: true };
}

function wordFrom(pieces: Pieces, text: string, span: Span): ShellWord {
  const { parts, variables, substitutions, quoted, pattern, value, known } = pieces;
  return {
    start: span.start,
    end: span.end,
    text,
    value: known ? value : null,
    prefix: value,
    quoted,
    pattern,
    variables,
    substitutions,
    parts,
  };
}

function addText(pieces: Pieces, value: string): void {
  if (value === '') return;
  pieces.parts.push({ kind: 'text', value });
  if (pieces.known) pieces.value += value;
}

function addUnknown(pieces: Pieces): void {
  pieces.parts.push({ kind: 'unknown' });
  pieces.known = false;
}

function addValue(pieces: Pieces, value: string | null | undefined): void {
  if (typeof value !== 'string') pieces.known = false;
  else if (pieces.value.length + value.length > maxValue) pieces.known = false;
  else if (pieces.known) pieces.value += value;
}

function readPiece(reading: Reading, node: SyntaxNode, standing: Standing, pieces: Pieces, quoted: boolean): void {
  switch (node.type) {
    case 'string':
      pieces.quoted = true;
      readQuoted(reading, node, node.start + 1, Math.max(node.start + 1, node.end - 1), standing, pieces);
      return;
    case 'raw_string':
      pieces.quoted = true;
      addText(pieces, reading.text.slice(node.start + 1, node.end - 1));
      if (node.end - node.start === 2) pieces.parts.push({ kind: 'text', value: '' });
      return;
    case 'ansi_c_string': {
      pieces.quoted = true;
      const value = unescapeAnsi(reading.text.slice(node.start + 2, node.end - 1));
      if (value === null) addUnknown(pieces);
      else addText(pieces, value);
      return;
    }
    case 'concatenation':
    case 'command_name':
      for (const child of node.children) readPiece(reading, child, standing, pieces, quoted);
      return;
    case 'simple_expansion':
      readVariable(reading, node.children[1], null, pieces, quoted);
      return;
    case 'expansion':
      readExpansion(reading, node, standing, pieces, quoted);
      return;
    case 'command_substitution':
      readSubstitution(reading, node, standing, pieces, quoted);
      return;
    case 'brace_expression':
      pieces.pattern = true;
      addUnknown(pieces);
      return;
    case 'variable_name':
      // In arithmetic a name alone is its value.
      readVariable(reading, node, null, pieces, true);
      return;
    default:
      if (node.children.some((child) => child.named)) readUnknown(reading, node, standing, pieces);
      else readBare(reading, node, pieces);
  }
}

function readBare(reading: Reading, node: SyntaxNode, pieces: Pieces): void {
  const source = sourceOf(reading, node);
  if (/(?:^|[^\\])[*?[{]/u.test(source)) pieces.pattern = true;
  if (/^~(?:\/|$)/u.test(source) && pieces.parts.length === 0) addText(pieces, reading.home + source.slice(1));
  else addText(pieces, unescapeBare(source));
}

/** Text between double quotes or in a heredoc: all that is no expansion is text, whatever tokens the grammar makes. */
function readQuoted(
  reading: Reading,
  node: SyntaxNode,
  start: number,
  end: number,
  standing: Standing,
  pieces: Pieces,
): void {
  let at = start;
  for (const child of node.children) {
    if (!/^(?:simple_expansion|expansion|command_substitution|arithmetic_expansion)$/u.test(child.type)) continue;
    // The token of an opening backtick takes the blanks before it along.
    const blanks = /^\s*/u.exec(reading.text.slice(child.start, child.end))?.[0].length ?? 0;
    addText(pieces, unescapeDouble(reading.text.slice(at, child.start + blanks)));
    readPiece(reading, child, standing, pieces, true);
    at = child.end;
  }
  addText(pieces, unescapeDouble(reading.text.slice(at, Math.max(at, end))));
  if (pieces.parts.length === 0) pieces.parts.push({ kind: 'text', value: '' });
}

function readVariable(
  reading: Reading,
  node: SyntaxNode | undefined,
  fallback: ShellWord | null,
  pieces: Pieces,
  quoted: boolean,
): void {
  if (node === undefined) {
    addUnknown(pieces);
    return;
  }
  const name = sourceOf(reading, node);
  pieces.variables.push(name);
  pieces.parts.push({ kind: 'variable', name, fallback, quoted });
  const value = reading.variables.lookup(name);
  addValue(pieces, value === undefined ? fallback?.value : value);
}

/** `${…}`: plain, with a value to fall back on, or with one of the operations that this reader does not compute. */
function readExpansion(reading: Reading, node: SyntaxNode, standing: Standing, pieces: Pieces, quoted: boolean): void {
  const [first, second, third] = node.children.slice(1, -1);
  const plain = first?.type === 'variable_name' || first?.type === 'special_variable_name';
  if (plain && second === undefined) {
    readVariable(reading, first, null, pieces, quoted);
    return;
  }
  if (first?.type === 'subscript' && second === undefined) {
    const array = first.children[0];
    const name = array === undefined ? '' : sourceOf(reading, array);
    pieces.variables.push(name);
    const index = first.children[2] === undefined ? '' : sourceOf(reading, first.children[2]);
    if ((name === 'BASH_SOURCE' && index === '0') || name === 'PIPESTATUS') {
      const variable = name === 'BASH_SOURCE' ? '0' : `PIPESTATUS[${index}]`;
      pieces.parts.push({ kind: 'variable', name: variable, fallback: null, quoted });
      addValue(pieces, reading.variables.lookup(variable));
      return;
    }
    addUnknown(pieces);
    return;
  }
  const operator = second === undefined ? '' : sourceOf(reading, second);
  if (plain && /^:?[-=]$/u.test(operator)) {
    const fallback = third === undefined ? emptyWord(spanOf(reading, node)) : readWord(reading, third, standing);
    if (operator.endsWith('=')) {
      const name = sourceOf(reading, first);
      const outside = reading.variables.lookup(name);
      reading.variables.end(name, outside === undefined ? fallback.value : outside);
    }
    readVariable(reading, first, fallback, pieces, quoted);
    return;
  }
  readUnknown(reading, node, standing, pieces);
}

function emptyWord(span: Span): ShellWord {
  const pieces = noPieces();
  return { ...wordFrom(pieces, '', { start: span.end, end: span.end }), parts: [{ kind: 'text', value: '' }] };
}

function readSubstitution(
  reading: Reading,
  node: SyntaxNode,
  standing: Standing,
  pieces: Pieces,
  quoted: boolean,
): void {
  const options = reading.options;
  const body = reading.statements(node.children, {
    ...standing,
    condition: null,
    negated: false,
    leftOf: null,
    rightOf: null,
    pipeline: null,
    subshell: true,
    substitution: true,
  });
  reading.options = options;
  pieces.substitutions.push({ ...spanOf(reading, node), body });
  pieces.parts.push({ kind: 'substitution', body, quoted });
  addValue(pieces, foldSubstitution(body));
}

/** Something whose value is not computed; what runs or is named in it counts all the same. */
function readUnknown(reading: Reading, node: SyntaxNode, standing: Standing, pieces: Pieces): void {
  addUnknown(pieces);
  const aside = noPieces();
  const visit = (inner: SyntaxNode): void => {
    for (const child of inner.children) {
      if (child.type === 'command_substitution') readSubstitution(reading, child, standing, aside, true);
      else if (child.type === 'process_substitution') readSubstitution(reading, child, standing, aside, true);
      else if (child.type === 'variable_name' || child.type === 'special_variable_name')
        aside.variables.push(sourceOf(reading, child));
      else visit(child);
    }
  };
  if (node.type === 'process_substitution') readSubstitution(reading, node, standing, aside, true);
  else visit(node);
  pieces.variables.push(...aside.variables);
  pieces.substitutions.push(...aside.substitutions);
}
