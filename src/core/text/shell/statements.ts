import type { SyntaxNode } from '../syntax-tree';
import { nothingAttached, readCommand, readRedirect } from './commands';
import type { Attached } from './commands';
import { readBlock, readCase, readFor, readFunction, readIf, readWhile } from './compounds';
import { readHeredoc } from './heredocs';
import { sourceOf, spanOf } from './reading';
import type { Reading, Standing } from './reading';
import type { Redirected, ShellNode } from './script';
import { joinOptions } from './switches';
import { printedBy, redirectWrites } from './writes';

const maxDepth = 400;

/** Reads the statements among the children of a node: what lies between `;`, `&`, line ends and keywords. */
export function readStatements(reading: Reading, nodes: readonly SyntaxNode[], standing: Standing): ShellNode[] {
  const found: ShellNode[] = [];
  for (const [i, node] of nodes.entries()) {
    if (!node.named || node.type === 'comment' || node.type === 'file_redirect') continue;
    const background = nodes[i + 1]?.type === '&' || endsInBackground(reading, node);
    const inner = background ? { ...standing, background, subshell: true } : standing;
    const options = reading.options;
    for (const piece of splitAtLines(reading, node)) {
      const statement = readStatement(reading, piece, inner);
      found.push(background ? { kind: 'background', body: statement, ...span(statement) } : statement);
    }
    if (background) reading.options = options;
  }
  return found;
}

export function readStatement(
  reading: Reading,
  node: SyntaxNode,
  standing: Standing,
  attached: Attached = nothingAttached,
): ShellNode {
  if (reading.depth >= maxDepth) {
    reading.complete = false;
    return { kind: 'unknown', ...spanOf(reading, node) };
  }
  reading.depth++;
  try {
    return statement(reading, node, standing, attached);
  } finally {
    reading.depth--;
  }
}

function statement(reading: Reading, node: SyntaxNode, standing: Standing, attached: Attached): ShellNode {
  switch (node.type) {
    case 'redirected_statement':
      return readRedirected(reading, node, standing, attached);
    case 'list':
      return readList(reading, node, standing, attached);
    case 'pipeline':
      return readPipeline(reading, stagesOf(node), standing, attached, spanOf(reading, node));
    case 'negated_command': {
      const body = node.children.find((child) => child.named);
      if (body === undefined) break;
      const inner = readStatement(reading, body, { ...standing, negated: !standing.negated }, attached);
      return { kind: 'not', body: inner, start: spanOf(reading, node).start, end: inner.end };
    }
    case 'compound_statement':
      if (node.children[0]?.type === '((') break;
      return readBlock(reading, node, standing, redirected(reading, standing, attached));
    case 'subshell':
      return readBlock(reading, node, standing, redirected(reading, standing, attached));
    case 'if_statement':
      return readIf(reading, node, standing, redirected(reading, standing, attached));
    case 'while_statement':
      return readWhile(reading, node, standing, redirected(reading, standing, attached));
    case 'for_statement':
    case 'c_style_for_statement':
      return readFor(reading, node, standing, redirected(reading, standing, attached));
    case 'case_statement':
      return readCase(reading, node, standing, redirected(reading, standing, attached));
    case 'function_definition':
      return readFunction(reading, node, standing);
    case 'command':
    case 'declaration_command':
    case 'unset_command':
    case 'test_command':
    case 'variable_assignment':
    case 'variable_assignments':
      break;
    default:
      // What the grammar did not understand; commands in it are still worth knowing.
      readStatements(reading, node.children, { ...standing, conditional: true });
      return { kind: 'unknown', ...spanOf(reading, node) };
  }
  const command = readCommand(reading, node, standing, attached);
  return { kind: 'command', command, start: command.start, end: command.end };
}

function redirected(reading: Reading, standing: Standing, attached: Attached): () => Redirected {
  // The redirections stand after the body, and are read after it.
  return () => {
    const redirects = attached.redirects.flatMap((node) => readRedirect(reading, node, standing));
    for (const node of attached.heredocs) readHeredoc(reading, node, standing);
    return { redirects, writes: redirectWrites(redirects, null) };
  };
}

/** The content of what a group of one command writes. */
export function writesOfGroup(redirects: Redirected, body: readonly ShellNode[]): Redirected {
  const [only, ...more] = body;
  if (only?.kind !== 'command' || more.length > 0) return redirects;
  return { ...redirects, writes: redirectWrites(redirects.redirects, printedBy(only.command)) };
}

/** The grammar hangs redirections on a whole list or pipeline; they belong to its last command. */
function readRedirected(reading: Reading, node: SyntaxNode, standing: Standing, outer: Attached): ShellNode {
  const redirects: SyntaxNode[] = [];
  const heredocs: SyntaxNode[] = [];
  const words: SyntaxNode[] = [];
  const stages: SyntaxNode[] = [];
  const after: { readonly operator: SyntaxNode; readonly node: SyntaxNode }[] = [];
  let body: SyntaxNode | null = null;
  for (const child of node.children) {
    if (child.type !== 'heredoc_redirect') {
      if (child.type === 'file_redirect' || child.type === 'herestring_redirect') redirects.push(child);
      else if (child.named) body ??= child;
      continue;
    }
    heredocs.push(child);
    let operator: SyntaxNode | null = null;
    for (const inner of child.children) {
      if (inner.type === 'file_redirect' || inner.type === 'herestring_redirect') redirects.push(inner);
      else if (inner.type === 'pipeline') takePipeline(inner, stages, after);
      else if (inner.field === 'operator') operator = inner;
      else if (inner.field === 'right' && operator !== null) after.push({ operator, node: inner });
      else if (inner.field === 'argument') words.push(inner);
      else if (inner.type === 'ERROR') words.push(...inner.children.filter((piece) => piece.type === 'word'));
    }
  }
  const attached: Attached = {
    redirects: [...redirects, ...outer.redirects],
    heredocs: [...heredocs, ...outer.heredocs],
    words: [...words, ...outer.words],
  };
  const leftmost = body ?? { ...node, type: 'command', children: [] };
  const chain = (count: number, place: Standing): ShellNode => {
    const last = after[count - 1];
    if (last === undefined) {
      if (stages.length === 0) return readStatement(reading, leftmost, place, attached);
      return readPiped(reading, leftmost, stages, place, attached);
    }
    const operator = sourceOf(reading, last.operator) === '||' ? '||' : '&&';
    const left = chain(count - 1, { ...place, leftOf: operator });
    const right = readStatement(reading, last.node, { ...place, rightOf: operator });
    return joined(operator, spanOf(reading, last.operator), left, right);
  };
  return chain(after.length, standing);
}

/** `a && cat <<EOF | b`: the pipe belongs to the last command of the list. */
function readPiped(
  reading: Reading,
  body: SyntaxNode,
  stages: readonly SyntaxNode[],
  standing: Standing,
  attached: Attached,
): ShellNode {
  const [left, operatorNode, right] = body.type === 'list' ? body.children : [];
  if (left === undefined || operatorNode === undefined || right === undefined)
    return readPipeline(reading, [body, ...stages], standing, attached, spanOf(reading, body), 0);
  const operator = sourceOf(reading, operatorNode) === '||' ? '||' : '&&';
  const first = readStatement(reading, left, { ...standing, leftOf: operator });
  const second = readPiped(reading, right, stages, { ...standing, rightOf: operator }, attached);
  return joined(operator, spanOf(reading, operatorNode), first, second);
}

/** `cat <<EOF | tee x && foo`: the grammar makes a list of what stands after the bar. */
function takePipeline(
  node: SyntaxNode,
  stages: SyntaxNode[],
  after: { readonly operator: SyntaxNode; readonly node: SyntaxNode }[],
): void {
  for (const child of node.children) {
    if (!child.named) continue;
    let first = child;
    const rest: { readonly operator: SyntaxNode; readonly node: SyntaxNode }[] = [];
    while (first.type === 'list') {
      const [left, operator, right] = first.children;
      if (left === undefined || operator === undefined || right === undefined) break;
      rest.unshift({ operator, node: right });
      first = left;
    }
    stages.push(...(first.type === 'pipeline' ? first.children.filter((piece) => piece.named) : [first]));
    after.push(...rest);
  }
}

function readList(reading: Reading, node: SyntaxNode, standing: Standing, attached: Attached): ShellNode {
  const [left, operatorNode, right] = node.children.filter((child) => child.type !== 'comment');
  if (left === undefined || operatorNode === undefined || right === undefined) {
    readStatements(reading, node.children, standing);
    return { kind: 'unknown', ...spanOf(reading, node) };
  }
  const operator = operatorNode.type === '||' ? '||' : '&&';
  const first = readStatement(reading, left, { ...standing, leftOf: operator });
  const options = reading.options;
  const second = readStatement(reading, right, { ...standing, rightOf: operator }, attached);
  reading.options = joinOptions(options, reading.options);
  return joined(operator, spanOf(reading, operatorNode), first, second);
}

function joined(
  operator: '&&' | '||',
  operatorSpan: { readonly start: number; readonly end: number },
  left: ShellNode,
  right: ShellNode,
): ShellNode {
  return { kind: 'list', operator, operatorSpan, left, right, start: left.start, end: right.end };
}

function stagesOf(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.named && child.type !== 'comment');
}

/** `attached` belongs to the last stage, or to the one at `owner`. A `!` before the first stage negates the whole. */
function readPipeline(
  reading: Reading,
  nodes: readonly SyntaxNode[],
  standing: Standing,
  attached: Attached,
  span: { readonly start: number; readonly end: number },
  owner = nodes.length - 1,
): ShellNode {
  const [head, ...tail] = nodes;
  const negated = head?.type === 'negated_command';
  const first = negated ? head.children.find((child) => child.named) : head;
  const all = first === undefined ? tail : [first, ...tail];
  const place: Standing = { ...standing, negated: standing.negated !== negated };
  const options = reading.options;
  const stages = all.map((stage, index) =>
    readStatement(
      reading,
      stage,
      all.length === 1 ? place : { ...place, subshell: true, pipeline: { index, length: all.length } },
      index === owner ? attached : nothingAttached,
    ),
  );
  if (all.length > 1) reading.options = options;
  const end = Math.max(span.end, stages.at(-1)?.end ?? span.end);
  const pipeline: ShellNode = { kind: 'pipeline', stages, start: stages[0]?.start ?? span.start, end };
  return negated ? { kind: 'not', body: pipeline, start: span.start, end } : pipeline;
}

/** `A=1 B=2⏎C=3⏎command`: the grammar takes the lines together once one of them sets two variables. */
function splitAtLines(reading: Reading, node: SyntaxNode): SyntaxNode[] {
  if (node.type !== 'command' && node.type !== 'variable_assignments') return [node];
  if (node.children.length < 3 || node.children[0]?.type !== 'variable_assignment') return [node];
  const pieces: SyntaxNode[][] = [[]];
  let end = node.start;
  for (const child of node.children) {
    const gap = reading.text.slice(end, child.start);
    if (end > node.start && pieces.at(-1)?.at(-1)?.type === 'variable_assignment' && /(?:^|[^\\\r])\r?\n/u.test(gap))
      pieces.push([]);
    pieces.at(-1)?.push(child);
    end = child.end;
  }
  if (pieces.length === 1) return [node];
  return pieces.map((children) => ({
    ...node,
    children,
    start: children[0]?.start ?? node.start,
    end: children.at(-1)?.end ?? node.end,
  }));
}

/** `cat <<EOF &`: the sign ends up among the heredoc's errors. */
function endsInBackground(reading: Reading, node: SyntaxNode): boolean {
  return (
    node.type === 'redirected_statement' &&
    node.children.some(
      (child) =>
        child.type === 'heredoc_redirect' &&
        child.children.some((inner) => inner.type === 'ERROR' && sourceOf(reading, inner) === '&'),
    )
  );
}

function span(node: ShellNode): { readonly start: number; readonly end: number } {
  return { start: node.start, end: node.end };
}
