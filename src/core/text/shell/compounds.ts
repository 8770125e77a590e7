import type { SyntaxNode } from '../syntax-tree';
import { sourceOf, spanOf } from './reading';
import type { Reading, Standing } from './reading';
import type { Redirected, ShellNode, ShellOptions } from './script';
import { readStatement, writesOfGroup } from './statements';
import { joinOptions } from './switches';
import { readWord } from './words';

type After = () => Redirected;

/** `{ …; }` and `( … )`. */
export function readBlock(reading: Reading, node: SyntaxNode, standing: Standing, after: After): ShellNode {
  const subshell = node.type === 'subshell';
  const options = reading.options;
  const body = reading.statements(node.children, subshell ? { ...standing, subshell } : standing);
  if (subshell) reading.options = options;
  const redirects = writesOfGroup(after(), body);
  return { kind: subshell ? 'subshell' : 'group', body, ...redirects, ...spanOf(reading, node) };
}

export function readIf(reading: Reading, node: SyntaxNode, standing: Standing, after: After): ShellNode {
  const branches: { condition: ShellNode[]; body: ShellNode[] }[] = [];
  let otherwise: ShellNode[] | null = null;
  const ends: ShellOptions[] = [];
  const readBranch = (children: readonly SyntaxNode[]): void => {
    const then = children.findIndex((child) => child.type === 'then');
    const cut = then < 0 ? children.length : then;
    const condition = reading.statements(children.slice(0, cut), asked(standing, 'if'));
    const options = reading.options;
    const body = reading.statements(bodyOf(children.slice(cut)), inside(standing));
    ends.push(reading.options);
    reading.options = options;
    branches.push({ condition, body });
  };
  readBranch(node.children);
  for (const child of node.children) {
    if (child.type === 'elif_clause') readBranch(child.children);
    else if (child.type === 'else_clause') {
      otherwise = reading.statements(child.children, inside(standing));
      ends.push(reading.options);
    }
  }
  if (otherwise === null) ends.push(reading.options);
  reading.options = ends.reduce(joinOptions);
  return { kind: 'if', branches, otherwise, ...after(), ...spanOf(reading, node) };
}

function bodyOf(children: readonly SyntaxNode[]): SyntaxNode[] {
  return children.filter((child) => child.type !== 'elif_clause' && child.type !== 'else_clause');
}

export function readWhile(reading: Reading, node: SyntaxNode, standing: Standing, after: After): ShellNode {
  const word = node.children[0]?.type === 'until' ? 'until' : 'while';
  const condition = reading.statements(
    node.children.filter((child) => child.field !== 'body'),
    { ...asked(standing, 'while'), loop: true },
  );
  const body = loopBody(reading, node, standing);
  return { kind: 'loop', word, variable: null, items: [], condition, body, ...after(), ...spanOf(reading, node) };
}

export function readFor(reading: Reading, node: SyntaxNode, standing: Standing, after: After): ShellNode {
  const variable = node.children.find((child) => child.field === 'variable');
  const items = node.children
    .filter((child) => child.field === 'value' && child.named)
    .map((child) => readWord(reading, child, standing));
  const body = loopBody(reading, node, standing);
  return {
    kind: 'loop',
    word: node.children[0]?.type === 'select' ? 'select' : 'for',
    variable: variable === undefined ? null : sourceOf(reading, variable),
    items,
    condition: [],
    body,
    ...after(),
    ...spanOf(reading, node),
  };
}

function loopBody(reading: Reading, node: SyntaxNode, standing: Standing): ShellNode[] {
  const body = node.children.find((child) => child.field === 'body');
  const options = reading.options;
  const found = reading.statements(body?.children ?? [], { ...inside(standing), loop: true });
  reading.options = joinOptions(options, reading.options);
  return found;
}

export function readCase(reading: Reading, node: SyntaxNode, standing: Standing, after: After): ShellNode {
  const subject = node.children.find((child) => child.field === 'value');
  const before = reading.options;
  let joined = before;
  const arms = node.children
    .filter((child) => child.type === 'case_item')
    .map((item) => {
      const close = item.children.findIndex((child) => child.type === ')');
      const patterns = item.children.filter((child, i) => child.field === 'value' && i < close);
      reading.options = before;
      const body = reading.statements(item.children.slice(close + 1), inside(standing));
      joined = joinOptions(joined, reading.options);
      return { patterns: patterns.map((pattern) => readWord(reading, pattern, standing)), body };
    });
  reading.options = joined;
  return {
    kind: 'case',
    subject: subject === undefined ? null : readWord(reading, subject, standing),
    arms,
    ...after(),
    ...spanOf(reading, node),
  };
}

/** The body counts where the function is called; options that it sets are not those of the text below it. */
export function readFunction(reading: Reading, node: SyntaxNode, standing: Standing): ShellNode {
  const nameNode = node.children.find((child) => child.field === 'name');
  const bodyNode = node.children.find((child) => child.field === 'body');
  const name = nameNode === undefined ? '' : sourceOf(reading, nameNode);
  const options = reading.options;
  const body: ShellNode =
    bodyNode === undefined
      ? { kind: 'unknown', ...spanOf(reading, node) }
      : readStatement(reading, bodyNode, {
          ...standing,
          condition: null,
          negated: false,
          leftOf: null,
          rightOf: null,
          pipeline: null,
          function: name,
        });
  reading.options = options;
  reading.functions.set(name, body);
  return { kind: 'function', name, body, ...spanOf(reading, node) };
}

function asked(standing: Standing, condition: 'if' | 'while'): Standing {
  return { ...standing, condition, leftOf: null, rightOf: null };
}

function inside(standing: Standing): Standing {
  return { ...standing, conditional: true };
}
