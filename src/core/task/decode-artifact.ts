import type { Range } from '../text/position';
import type { TomlPath, TomlValue } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import { nameOf } from './coerce';
import type { DecodeTable, Decoding } from './decoding';
import { invalid, refused } from './decoding';
import { artifactSourceFormat } from './keys/formats';
import type { Table } from './keys/key';

/** One entry of `artifacts`: a path, or a table. Errors stand where Harbor reports them (harbor-task.md, section 3). */
export function decodeArtifact(
  spec: Table,
  value: TomlValue,
  path: TomlPath,
  decoding: Decoding,
  at: Range,
  decodeTable: DecodeTable,
): unknown {
  if (value.kind === 'string') {
    const source = artifactSourceFormat.parse(value.value);
    if (source.ok) return { source: source.value, destination: null, exclude: [], service: null };
    // Harbor checks the paths of all lists at the root, and says only `source`.
    invalid(decoding, ['source'], at, `The artifact ${JSON.stringify(value.value)} ${source.reason}.`);
    return refused;
  }
  if (value.kind !== 'table') {
    invalid(decoding, path, at, `${formatPath(path)} must be a path in quotes or a table, not ${nameOf(value)}.`);
    return refused;
  }
  const decoded = decodeTable(spec, value, path, at, decoding);
  if (decoded === refused) {
    invalid(decoding, path, at, `${formatPath(path)} is neither a path nor a valid artifact table.`);
  }
  return decoded;
}
