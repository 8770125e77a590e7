import { expect, test } from 'vitest';
import type { Changes } from '../checked';
import { shown } from '../checked';

const utf16 = new Uint8Array([0xff, 0xfe, 0x57, 0x00]);

test.each<[string, Changes, string]>([
  [
    'an instruction',
    { 'instruction.md': utf16 },
    'error instruction.md:1:"" instruction.md is not UTF-8 text: Harbor cannot read it.',
  ],
  ['task.toml', { 'task.toml': utf16 }, 'error task.toml:1:"" task.toml is not UTF-8 text: Harbor refuses it.'],
  [
    'a Python file of the tests',
    { 'tests/check.py': utf16 },
    'error tests/check.py:1:"" tests/check.py is not UTF-8 text: Python stops at its first such byte, unless a coding line names the encoding.',
  ],
  [
    'a script',
    { 'tests/test.sh': utf16 },
    'warning tests/test.sh:1:"" tests/test.sh is not UTF-8 text: what a shell makes of it is chance, and no rule has judged it.',
  ],
  [
    'a script that is too large',
    { 'tests/test.sh': `#!/bin/bash\n${'# long\n'.repeat(200_000)}` },
    'information tests/test.sh:1:"" tests/test.sh is larger than 1 MiB, so no rule has judged it.',
  ],
  [
    'a folder in the place of a script',
    { 'tests/test.sh': undefined, 'tests/test.sh/a': 'x' },
    'error tests/test.sh:1:"" tests/test.sh is a folder, and Harbor needs a file of that name.',
  ],
])('structure-unreadable-file: %s', async (_, changes, message) => {
  expect(
    (await shown('structure-unreadable-file', changes)).map((line) => line.replace(/:1:".*?" /u, ':1:"" ')),
  ).toEqual([message]);
});

test('structure-unreadable-file: data may be anything', async () => {
  expect(await shown('structure-unreadable-file', { 'environment/a.bin': utf16, 'tests/want.bin': utf16 })).toEqual([]);
});
