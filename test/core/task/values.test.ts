import { describe, expect, test } from 'vitest';
import { toBoolean, toFloat, toInteger } from '../../../src/core/task/coerce';
import { parseAllowedHost } from '../../../src/core/task/hosts';
import { agentInstruction } from '../../../src/core/task/instruction';
import { guessSize, parseSize } from '../../../src/core/task/sizes';
import { parseTemplate, resolveEnv, resolveTemplate } from '../../../src/core/task/templates';
import { readToml } from '../../../src/core/text/toml';
import type { TomlValue } from '../../../src/core/text/toml-tree';
import { valueAt } from '../../../src/core/text/toml-tree';

function value(toml: string): TomlValue {
  const result = readToml(`v = ${toml}`);
  const found = result.ok ? valueAt(result.root, ['v']) : undefined;
  if (found === undefined) throw new Error(toml);
  return found;
}

/** As pydantic 2 converts them in lax mode; `-` is a refusal. Observed by running it. */
test.each([
  // TOML, integer, float, boolean
  ['"2"', 2, 2, '-'],
  ['" 2 "', 2, 2, '-'],
  ['"+002.00"', 2, 2, '-'],
  ['"1_0"', 10, 10, '-'],
  ['"1__0"', '-', '-', '-'],
  ['"_1"', '-', '-', '-'],
  ['"2."', '-', 2, '-'],
  ['"1e3"', '-', 1000, '-'],
  ['"1_.5"', '-', 1.5, '-'],
  ['"iNf"', '-', Infinity, '-'],
  ['"-nan"', '-', NaN, '-'],
  ['"٣"', '-', '-', '-'],
  ['"2\\u001c"', '-', '-', '-'],
  ['"2\\u0085"', 2, 2, '-'],
  ['""', '-', '-', '-'],
  ['"0"', 0, 0, false],
  ['"1"', 1, 1, true],
  ['"On"', '-', '-', true],
  ['" on"', '-', '-', '-'],
  ['2.0', 2, 2, '-'],
  ['1.0', 1, 1, true],
  ['1.5', '-', 1.5, '-'],
  ['nan', '-', NaN, '-'],
  ['1e19', '-', 1e19, '-'],
  ['true', 1, 1, true],
  ['2', 2, 2, '-'],
  ['0x10', 16, 16, '-'],
  ['1979-05-27', '-', '-', '-'],
  ['[]', '-', '-', '-'],
  ['{}', '-', '-', '-'],
])('%s', (toml, integer, float, boolean) => {
  const shown = [toInteger, toFloat, toBoolean].map((convert) => {
    const result = convert(value(toml));
    return result.ok ? result.value : '-';
  });
  expect(shown).toEqual([integer, float, boolean]);
});

describe('sizes', () => {
  test.each([
    ['4G', 4096],
    [' 1.5g ', 1536],
    ['1536K', 1],
    ['1_0M', 10],
    ['-1G', -1024],
    ['4GB', '-'],
    ['4096', '-'],
    ['', '-'],
    ['nanM', '-'],
    ['infG', '-'],
    ['1e400G', '-'],
    ['1e308G', '-'],
  ])('%j', (text, expected) => {
    const size = parseSize(text);
    expect(size.ok ? size.mebibytes : '-').toBe(expected);
  });

  test('what was most likely meant', () => {
    expect(['4GB', '4 GiB', '512mb', '4096', 'lots'].map(guessSize)).toEqual([4096, 4096, 512, null, null]);
  });
});

/** As Python's `ipaddress` and harbor-task.md, section 8.4, have it. */
test.each([
  [' Example.COM. ', 'example.com'],
  ['*.example.com', '*.example.com'],
  ['localhost', 'localhost'],
  ['999.1.1.1', '999.1.1.1'],
  ['10.0.0.0/255.0.0.0', '10.0.0.0/8'],
  ['1.2.3.0/0.0.0.255', '1.2.3.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['::ffff:1.2.3.4', '::ffff:102:304'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['a\n', 'a'],
  ['1.2.3.4/24', null],
  ['2001:db8::1/32', null],
  ['01.2.3.0/24', null],
  ['10.0.0.0/255.0.255.0', null],
  ['fe80::%1/64', null],
  ['1::2::3', null],
  ['1:2:3:4:5:6:7:8:9', null],
  ['::1:', null],
  ['a.com:80', null],
  ['https://a.com', null],
  ['a.com/x', null],
  ['[::1]', null],
  ['*', null],
  ['a.*.com', null],
  ['*.1.2.3.4', null],
  ['a..b', null],
  ['a_b.com', null],
  ['exämple.com', null],
  [`${'x'.repeat(64)}.com`, null],
  ['.', null],
])('host %j', (entry, expected) => {
  const host = parseAllowedHost(entry);
  expect(host.ok ? host.value : null).toBe(expected);
});

describe('templates', () => {
  const lookup = (name: string): string | undefined => ({ SET: 'yes', EMPTY: '' })[name];

  test.each([
    ['${SET}', 'yes'],
    ['${EMPTY:-d}', ''],
    ['${NONE:-d}', 'd'],
    ['${NONE:-}', ''],
    ['${NONE:-a}b}', 'a}b'],
    ['a${SET}', 'a${SET}'],
    ['$SET', '$SET'],
    ['${SET:d}', '${SET:d}'],
    ['${NONE:-a\nb}', '${NONE:-a\nb}'],
    ['${}', '${}'],
  ])('%j is %j', (text, expected) => {
    expect(resolveTemplate(text, lookup)).toEqual({ ok: true, value: expected });
  });

  test('a variable without value and default is named', () => {
    expect(resolveTemplate('${NONE}', lookup)).toEqual({ ok: false, missing: 'NONE' });
    expect(parseTemplate('${ NONE :-x}')).toEqual({ name: ' NONE ', default: 'x' });
    expect(resolveEnv({ B: '${SET}', A: '1' }, lookup)).toEqual({ ok: true, env: { B: 'yes', A: '1' } });
    expect(resolveEnv({ A: '${X}', B: '${Y}', C: '${X}' }, lookup)).toEqual({ ok: false, missing: ['X', 'Y'] });
  });
});

test.each([
  ['Do it.\n', 'Do it.\n'],
  ['\n \nDo it.', 'Do it.'],
  ['<!-- harbor-canary GUID 1 -->\r\n# CANARY two\r\n\r\nDo it.\r\n', 'Do it.\n'],
  ['# Canary deployment\nDo it.', 'Do it.'],
  ['Do it.\n# canary\n', 'Do it.\n# canary\n'],
  ['\n# canary\nDo it.', '# canary\nDo it.'],
  ['<!--\ncanary -->\nDo it.', '<!--\ncanary -->\nDo it.'],
  ['# canary\n', ''],
])('instruction %j', (text, expected) => {
  expect(agentInstruction(text)).toBe(expected);
});
