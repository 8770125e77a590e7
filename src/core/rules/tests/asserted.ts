import type { AssertStatement, Call, Comparison, PythonModule } from '../../text/python/module';
import { bare, field, parts } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';

/** The comparisons that decide an assertion: alone, under `and`, `or` and `not`, or those of `assertEqual`. */
export function assertedComparisons(module: PythonModule): readonly Comparison[] {
  const conditions = new Set<SyntaxNode>();
  for (const { condition } of module.asserts) for (const node of operands(condition)) conditions.add(node);
  for (const check of module.checks) if (check.kind === 'method') conditions.add(check.node);
  return module.comparisons.filter(({ node }) => conditions.has(node));
}

/** The statement of an assertion that decides by this comparison. */
export function assertOf(module: PythonModule, { node }: Comparison): AssertStatement | null {
  return module.asserts.find(({ condition }) => condition.start <= node.start && node.end <= condition.end) ?? null;
}

/** What a condition consists of, without `and`, `or`, `not` and brackets. */
export function operands(condition: SyntaxNode, depth = 0): readonly SyntaxNode[] {
  const node = bare(condition);
  if (depth > 30) return [node];
  if (node.type === 'boolean_operator')
    return ['left', 'right'].flatMap((side) => {
      const operand = field(node, side);
      return operand === null ? [] : operands(operand, depth + 1);
    });
  if (node.type === 'not_operator') return parts(node).flatMap((operand) => operands(operand, depth + 1));
  return [node];
}

const keepsText = new Set(
  'read read_text decode strip rstrip lstrip lower upper casefold replace expandtabs getvalue'.split(' '),
);

/** How the text of a file or program comes to be searched: as it is. */
export interface PlainText {
  /** The call that reads the file or starts the program. */
  readonly call: Call;
  /** True for the output of a program. */
  readonly output: boolean;
}

/**
 * Follows an expression that is nothing but the text of a file or the output of a program, trimmed or in another case
 * at most. Null for anything computed, parsed or split.
 */
export function plainText(module: PythonModule, expression: SyntaxNode, depth = 0): PlainText | null {
  const node = bare(expression);
  if (depth > 12) return null;
  if (node.type === 'identifier') {
    const found = module.bindings(module.source(node), node);
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) return null;
    if (only.kind === 'parameter') {
      const fixture = module.fixtures.find(({ name }) => name === only.name);
      const [result, ...more] = fixture?.function.returns ?? [];
      return result === undefined || more.length > 0 ? null : plainText(module, result, depth + 1);
    }
    return only.value !== null && (only.kind === 'assign' || only.kind === 'with')
      ? plainText(module, only.value, depth + 1)
      : null;
  }
  if (node.type === 'attribute') {
    const name = field(node, 'attribute');
    const object = field(node, 'object');
    if (name === null || object === null || !/^(?:stdout|stderr|text|output)$/u.test(module.source(name))) return null;
    return programOf(module, object, depth + 1);
  }
  const call = module.callAt(node);
  if (call === null) return null;
  if (module.files.some((use) => use.node === node && use.action === 'read')) return { call, output: false };
  if (call.callee === 'inspect.getsource') return { call, output: false };
  if (module.commands.some((use) => use.node === node && /^(?:check_output|getoutput)$/u.test(use.how)))
    return { call, output: true };
  const own = module.functionOf(call);
  if (own !== null) {
    const [result, ...more] = own.returns;
    return result === undefined || more.length > 0 || own.yields ? null : plainText(module, result, depth + 1);
  }
  if (call.callee === 'str' && call.arguments[0] !== undefined) return plainText(module, call.arguments[0], depth + 1);
  return call.receiver !== null && keepsText.has(call.name) ? plainText(module, call.receiver, depth + 1) : null;
}

/** The command whose result an expression is. */
function programOf(module: PythonModule, expression: SyntaxNode, depth: number): PlainText | null {
  const node = bare(expression);
  if (depth > 12) return null;
  const call = module.callAt(node);
  if (call !== null) {
    if (module.commands.some((use) => use.node === node)) return { call, output: true };
    const own = module.functionOf(call);
    const [result, ...more] = own?.returns ?? [];
    return result === undefined || more.length > 0 ? null : programOf(module, result, depth + 1);
  }
  if (node.type !== 'identifier') return null;
  const [only, ...others] = module.bindings(module.source(node), node);
  if (only === undefined || others.length > 0 || only.value === null || only.kind !== 'assign') return null;
  return programOf(module, only.value, depth + 1);
}
