import type { Range } from '../text/position';
import type { TomlPath, TomlValue } from '../text/toml-tree';
import { formatPath } from '../text/toml-tree';
import { nameOf } from './coerce';
import type { Decoding } from './decoding';
import { invalid, refused, replaceFix } from './decoding';
import type { Shape } from './keys/key';

/** A text out of a fixed set, compared exactly; only `os` is put into lower case first. */
export function decodeChoice(
  shape: Extract<Shape, { kind: 'choice' }>,
  value: TomlValue,
  path: TomlPath,
  at: Range,
  decoding: Decoding,
): unknown {
  const allowed = shape.choices.map((choice) => JSON.stringify(choice.value)).join(', ');
  if (value.kind === 'string') {
    const spelled = shape.lowerCased ? value.value.toLowerCase() : value.value;
    const alias = shape.aliases && Object.hasOwn(shape.aliases, spelled) ? shape.aliases[spelled] : undefined;
    if (alias !== undefined) {
      decoding.report({
        ruleId: 'config-deprecated-key',
        severity: 'information',
        path,
        range: at,
        message: `Harbor reads ${JSON.stringify(value.value)} as ${JSON.stringify(alias)}.`,
        fixes: [replaceFix(`Write ${JSON.stringify(alias)}`, at, JSON.stringify(alias))],
      });
    }
    const found = shape.choices.find((choice) => choice.value === (alias ?? spelled));
    if (found) return found.value;
  }
  const meant = value.kind === 'string' ? nearest(value.value, shape) : undefined;
  const what = value.kind === 'string' ? JSON.stringify(value.value) : nameOf(value);
  const fixes =
    meant === undefined ? [] : [replaceFix(`Write ${JSON.stringify(meant)}`, at, JSON.stringify(meant), true)];
  invalid(decoding, path, at, `${formatPath(path)} must be one of ${allowed}, not ${what}.`, fixes);
  return refused;
}

/** The choice that differs only in case, spaces or separators. */
function nearest(text: string, shape: Extract<Shape, { kind: 'choice' }>): string | undefined {
  const plain = (spelling: string): string => spelling.toLowerCase().replace(/[^a-z]/gu, '');
  const alias = Object.entries(shape.aliases ?? {}).find(([name]) => plain(name) === plain(text))?.[1];
  return alias ?? shape.choices.find((choice) => plain(choice.value) === plain(text))?.value;
}
