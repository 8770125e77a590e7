import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const script = (lines: string): Changes => ({
  'tests/test.sh': `#!/bin/bash\n${lines}\n`,
  'tests/verify.py': 'assert open("/app/answer.txt").read()\n',
});
const reward = '> /logs/verifier/reward.txt';

describe('slips of shell that pay everyone', () => {
  test.each([
    ['[ $?=0 ]', '$?=0', '$? = 0'],
    ['[[ "$rc"==0 ]]', '"$rc"==0', '"$rc" == 0'],
  ])('%s is one word', async (condition, word, better) => {
    const changes = script(
      `python3 /tests/verify.py\nif ${condition}; then echo 1 ${reward}; else echo 0 ${reward}; fi`,
    );
    expect(await shown('verifier-wrong-status', changes)).toEqual([
      `error tests/test.sh:3:${JSON.stringify(word)} ${word} is one word here, and a word that is not empty is always true: ${better.includes('==') ? '==' : '='} needs blanks around it. [Put blanks around it*]`,
    ]);
    expect(await mended('verifier-wrong-status', changes, 'Put blanks around it', 'tests/test.sh')).toContain(better);
  });

  test('an assignment with blanks starts a program', async () => {
    const changes = script(
      `python3 /tests/verify.py\nrc = $?\nif [ "$rc" = 0 ]; then echo 1 ${reward}; else echo 0 ${reward}; fi`,
    );
    expect(await shown('verifier-wrong-status', changes)).toContain(
      'error tests/test.sh:3:"rc = $?" This starts a program named rc: an assignment has no blanks around its =. [Take the blanks out*]',
    );
  });

  test.each(['[ $? = 0 ]', '[ $? -eq 0 ]', '[ "$a" ]', 'test "$a=b" = "$c"', '[ -n "$a=b" ]'])(
    '%s is sound',
    async (condition) => {
      const found = await shown(
        'verifier-wrong-status',
        script(`python3 /tests/verify.py\nif ${condition}; then echo 1 ${reward}; else echo 0 ${reward}; fi`),
      );
      expect(found.filter((line) => line.includes('one word'))).toEqual([]);
    },
  );
});

describe('sound scripts that a constant of another way must not spoil', () => {
  test.each([
    `python3 -I /tests/verify.py && reward=1\necho "\${reward:-0}" ${reward}`,
    `if python3 /tests/verify.py; then r=1; fi\necho "\${r:-0}" ${reward}`,
    `finish() { echo "\${reward:-0}" ${reward}; }\ntrap finish EXIT\npython3 /tests/verify.py && reward=1`,
  ])('%j', async (lines) => {
    expect(await shown('verifier-reward-unconditional', script(lines))).toEqual([]);
  });

  test.each([
    'python3 -m venv /tmp/v || exit 1',
    'python3 -m venv /tmp/v && /tmp/v/bin/pip install -q pytest==8.4.1 || exit 1',
  ])('a failed preparation is no wrong answer: %j', async (line) => {
    const lines = `${line}\nif /tmp/v/bin/pytest /tests; then r=1; else r=0; fi\necho $r ${reward}`;
    expect(await shown('verifier-reward-not-always-written', script(lines))).toEqual([]);
  });
});
