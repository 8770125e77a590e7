import type { Call, PythonModule } from '../../text/python/module';
import { bare } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Fix } from '../../finding';
import type { Subject } from '../../model/subject';
import type { Rule } from '../rule';
import { assertedComparisons } from './asserted';
import type { TestModule } from './test-modules';
import { claimIn, soundModules } from './test-modules';

export const testsOrderDependence: Rule = {
  id: 'tests-order-dependence',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'What is listed here comes in no certain order, so that the same right answer passes on one machine and fails on the next.',
  docs: {
    finds: 'A list made of a folder’s entries, a set, or a query without `ORDER BY`, compared in order with a list.',
    silent: 'Lists that are sorted, counted or made a set first, and lists of one item.',
    bad: 'assert os.listdir("/srv/out") == ["a.csv", "b.csv"]',
    good: 'assert sorted(os.listdir("/srv/out")) == ["a.csv", "b.csv"]',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      for (const { operator, left, right, node } of assertedComparisons(module)) {
        if (operator !== '==' || /CountEqual|SetEqual/u.test(module.source(node).slice(0, 60))) continue;
        const list = [left, right].find((side) => isLongList(module, side));
        const other = list === left ? right : left;
        const source = list === undefined ? null : unordered(module, other, 0);
        if (list === undefined || source === null) continue;
        yield* claimIn(subject, test, other, {
          message: `${source} gives its items in no certain order, and they are compared in order.`,
          fixes: sorting(subject, test, left, right),
        });
      }
    }
  },
};

function isLongList(module: PythonModule, side: SyntaxNode): boolean {
  const value = module.fold(side);
  return (value?.kind === 'list' || value?.kind === 'tuple') && value.items.length > 1;
}

/** What an expression lists without order; null where an order is made, or nothing is known. */
function unordered(module: PythonModule, expression: SyntaxNode, depth: number): string | null {
  const node = bare(expression);
  if (depth > 8) return null;
  if (node.type === 'identifier') {
    const [only, ...others] = module.bindings(module.source(node), node);
    const value = only?.kind === 'assign' && others.length === 0 ? only.value : null;
    return value === null ? null : unordered(module, value, depth + 1);
  }
  if (node.type === 'list_comprehension') {
    const block = module.blocks.find((one) => one.node === node);
    const clauses = node.children.filter(({ type }) => type === 'for_in_clause');
    const head = block?.head ?? null;
    return head !== null && clauses.length === 1 ? unordered(module, head, depth + 1) : null;
  }
  const call = module.callAt(node);
  return call === null ? null : listedBy(module, call, depth);
}

function listedBy(module: PythonModule, call: Call, depth: number): string | null {
  const [first] = call.arguments;
  const { callee } = call;
  if (callee !== null && /^(?:os\.listdir|os\.scandir|glob\.i?glob)$/u.test(callee)) return callee;
  if (callee === 'list' || callee === 'tuple') {
    if (first === undefined) return null;
    return isSet(module, first) ? 'a set' : unordered(module, first, depth + 1);
  }
  if (call.receiver === null) return null;
  if (/^(?:iterdir|glob|rglob)$/u.test(call.name) && module.files.some((use) => use.call === call))
    return `${call.name}()`;
  return call.name === 'fetchall' ? unorderedQuery(module, call.receiver, depth) : null;
}

function isSet(module: PythonModule, node: SyntaxNode): boolean {
  const inner = bare(node);
  return inner.type === 'set' || inner.type === 'set_comprehension' || module.callAt(inner)?.callee === 'set';
}

/** `db.execute("SELECT …").fetchall()` */
function unorderedQuery(module: PythonModule, receiver: SyntaxNode, depth: number): string | null {
  const node = bare(receiver);
  if (node.type === 'identifier') {
    const found = module.bindings(module.source(node), node);
    const [only, ...others] = found;
    return only?.kind === 'assign' && only.value !== null && others.length === 0 && depth < 8
      ? unorderedQuery(module, only.value, depth + 1)
      : null;
  }
  const call = module.callAt(node);
  const [query] = call?.arguments ?? [];
  const text = query === undefined ? null : module.fold(query);
  if (call?.name !== 'execute' || text?.kind !== 'text' || !/^\s*select\b/i.test(text.text)) return null;
  return /\border\s+by\b|\bcount\s*\(|\blimit\s+1\b|sqlite_master|\bpragma\b/i.test(text.text)
    ? null
    : 'a query without ORDER BY';
}

function sorting(subject: Subject, { file, module }: TestModule, left: SyntaxNode, right: SyntaxNode): readonly Fix[] {
  const lines = subject.lines(file);
  if (lines === null) return [];
  return [
    {
      title: 'Sort both sides',
      edits: [left, right].map((side) => ({
        file,
        range: lines.range(side.start, side.end),
        newText: `sorted(${module.source(side)})`,
      })),
    },
  ];
}
