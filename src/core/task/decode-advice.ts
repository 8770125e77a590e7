import type { TomlEntry, TomlPath } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import type { Decoding } from './decoding';
import { rangeOfValue, replaceFix, sourceOf } from './decoding';
import type { Sensible } from './keys/key';

/** A number that Harbor takes although it cannot be meant. */
export function oddNumber(
  sensible: Sensible,
  value: number,
  entry: TomlEntry,
  path: TomlPath,
  decoding: Decoding,
): void {
  const { atLeast = -Infinity, moreThan = -Infinity } = sensible;
  if (value >= atLeast && (value > moreThan || moreThan === -Infinity)) return;
  const range = rangeOfValue(entry);
  const otherwise = Number.isNaN(value) ? 'it is no number, so the limit is undefined' : sensible.otherwise;
  decoding.report({
    ruleId: 'config-suspicious-value',
    severity: 'warning',
    path,
    range,
    message: `${formatPath(path)} = ${sourceOf(decoding, range)} is accepted, but ${otherwise}.`,
    fixes: [replaceFix(`Write ${sensible.offer}`, range, sensible.offer)],
  });
}

/** A key that Harbor reads at this place and then does not use. */
export function withoutEffectHere(instead: string, entry: TomlEntry, path: TomlPath, decoding: Decoding): void {
  decoding.report({
    ruleId: 'config-suspicious-value',
    severity: 'warning',
    path,
    range: entry.keyRange,
    message: `${formatPath(path)} has no effect here. ${instead}`,
  });
}
