import type { Range } from '../text/position';
import type { TomlSource } from '../text/toml-edit';
import type { TomlEntry, TomlPath, TomlValue } from '../text/toml-tree';
import type { Shape, Table } from './keys/key';
import type { TomlTable } from '../text/toml-tree';
import type { Problem, ProblemFix } from './problem';

/** Where decoding stands; the parts of the decoder report through it. */
export interface Decoding extends TomlSource {
  report(problem: Problem): void;
}

export const refused = Symbol('refused');
export type Refused = typeof refused;

export type DecodeValue = (shape: Shape, value: TomlValue, path: TomlPath, decoding: Decoding, at: Range) => unknown;
export type DecodeTable = (
  spec: Table,
  table: TomlTable,
  path: TomlPath,
  at: Range,
  decoding: Decoding,
) => Readonly<Record<string, unknown>> | Refused;

/** Reports what Harbor refuses. */
export function invalid(
  decoding: Decoding,
  path: TomlPath,
  range: Range,
  message: string,
  fixes: readonly ProblemFix[] = [],
): void {
  decoding.report({ ruleId: 'config-invalid-value', severity: 'error', path, range, message, fixes });
}

export function replaceFix(title: string, range: Range, newText: string, preferred = false): ProblemFix {
  return { title, edits: [{ range, newText }], preferred };
}

/** Where to point for a value: at its header or first key when it is a table that is spread over the file. */
export function rangeOfValue(entry: TomlEntry): Range {
  const { value } = entry;
  if (value.kind === 'table' && value.form === 'implied') return entry.keyRange;
  return value.range;
}

export function sourceOf(decoding: Decoding, range: Range): string {
  return decoding.text.slice(decoding.lines.offset(range.start), decoding.lines.offset(range.end));
}
