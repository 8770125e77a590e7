import type { SyntaxNode } from '../syntax-tree';
import type { Call, PythonFunction } from './module';

/** What a call gives to a parameter: its argument, or the parameter's default. Null with `*args`. */
export function argumentFor(owner: PythonFunction, call: Call, name: string): SyntaxNode | null {
  if (call.spread) return null;
  const keyword = call.keywords.get(name);
  if (keyword !== undefined) return keyword;
  const bound = owner.class !== null && !owner.decorators.some((mark) => mark.name === 'staticmethod') ? 1 : 0;
  const at = owner.parameters.findIndex((parameter) => parameter.name === name);
  const parameter = owner.parameters[at];
  if (parameter?.kind === 'keyword') return parameter.default;
  if (parameter?.kind !== 'plain') return null;
  return call.arguments[at - bound] ?? parameter.default;
}
