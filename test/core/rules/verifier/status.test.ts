import { describe, expect, test } from 'vitest';
import { mended, shown } from '../checked';

const R = '/logs/verifier/reward.txt';
const J = '/logs/verifier/reward.json';
const bash = (text: string): Record<string, string> => ({
  'tests/test.sh': `#!/bin/bash\n${text}\n`,
  'tests/test_a.py': 'def test_a(): assert 1 == 2\n',
});
const decide = `if [ $? -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`;

describe('verifier-wrong-status', () => {
  const id = 'verifier-wrong-status';

  test('is at the status or the pipeline, and names what it is the status of', async () => {
    expect(await shown(id, bash(`pytest /tests\necho finished\n${decide}`))).toEqual([
      'error tests/test.sh:4:"$?" This is the status of `echo finished`, not that of pytest.',
    ]);
    expect(await shown(id, bash(`pytest /tests | tee /tmp/log\n${decide}`))).toEqual([
      'error tests/test.sh:2:"pytest /tests | tee /tmp/log" The status of this pipeline is that of `tee /tmp/log`, so it succeeds whatever pytest finds. [Add set -o pipefail*]',
    ]);
  });

  test.each([
    ['after cd', `pytest /tests\ncd /\n${decide}`],
    ['after set', `pytest /tests\nset -e\nrc=$?\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    ['after an assignment', `pytest /tests\nEND=now\n${decide}`],
    ['after a closing fi', `pytest /tests\nif [ -n "$V" ]; then echo v; fi\n${decide}`],
    ['after a subshell that ends with something else', `(cd /srv; pytest /tests; echo done)\n${decide}`],
    [
      'after a function that ends with echo',
      `run() { pytest /tests; echo done; }\nrun\nrc=$?\necho $((rc == 0)) > ${R}`,
    ],
    ['a pipeline as condition', `if pytest /tests | tee /tmp/log; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['a pipeline before &&', `pytest /tests 2>&1 | tail -n 20 && echo 1 > ${R} || echo 0 > ${R}`],
    ['local', `f() { local out=$(pytest /tests); rc=$?; }\nf\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    ['behind !', `rc=0\nif ! pytest /tests; then rc=$?; fi\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    ['in the background', `pytest /tests &\n${decide}`],
  ])('finds: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toHaveLength(1);
  });

  test.each([
    ['read at once', `pytest /tests\n${decide}`],
    ['kept', `pytest /tests\nrc=$?\necho finished\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    [
      'PIPESTATUS',
      `pytest /tests | tee /tmp/log\nif [ \${PIPESTATUS[0]} -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['pipefail', `set -o pipefail\npytest /tests | tee /tmp/log\n${decide}`],
    [
      'a pipeline that looks for something',
      `if pytest /tests | grep -q ' 3 passed'; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    [
      'a pipeline whose status nobody asks for',
      `pytest /tests | tee /tmp/log\nif grep -q passed /tmp/log; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['wait', `pytest /tests & pid=$!\nwait $pid\n${decide}`],
    ['a function that returns it', `run() { pytest /tests; rc=$?; echo done; return $rc; }\nrun\n${decide}`],
    ['the status of a preparation', `mkdir -p /srv/x\nif [ $? -ne 0 ]; then exit 1; fi\npytest /tests\n${decide}`],
    ['only printed', `pytest /tests\necho done\necho "status $?"\nr=0`],
    [
      'an if around the graders',
      `if [ -f /tests/a.sh ]; then bash /tests/test_a.sh; else pytest /tests; fi\n${decide}`,
    ],
    [
      'set +e before',
      `set +e\npytest /tests\nEXIT_CODE=$?\nset -e\nif [ $EXIT_CODE -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['message behind !', `if ! pytest /tests; then echo "failed: $?"; echo 0 > ${R}; else echo 1 > ${R}; fi`],
  ])('is silent: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });

  test('pipefail goes before the first statement', async () => {
    const fixed = await mended(
      id,
      bash(`pytest /tests | tee /tmp/log\n${decide}`),
      'Add set -o pipefail',
      'tests/test.sh',
    );
    expect(fixed).toContain('#!/bin/bash\nset -o pipefail\npytest');
    expect(await shown(id, { 'tests/test.sh': fixed })).toEqual([]);
  });

  test('a declaration is taken apart', async () => {
    const text = bash(`f() { local out=$(pytest /tests); rc=$?; }\nf\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`);
    expect(await mended(id, text, 'Declare first, then set', 'tests/test.sh')).toContain(
      'local out; out=$(pytest /tests); rc=$?',
    );
  });
});

describe('verifier-failure-swallowed', () => {
  const id = 'verifier-failure-swallowed';

  test('is at the operator', async () => {
    expect(await shown(id, bash(`pytest /tests || true\n${decide}`))).toEqual([
      'error tests/test.sh:2:"|| true" `|| true` makes a success of a failure of pytest. [Remove it]',
    ]);
    expect(await shown('verifier-reward-unconditional', bash(`pytest /tests || true\n${decide}`))).toEqual([]);
  });

  test.each([
    ['||:', `pytest /tests || :\n${decide}`],
    ['echo', `pytest /tests 2>/dev/null || echo ok\nrc=$?\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    ['in a condition', `if pytest /tests || true; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['a 1 whatever came out', `pytest /tests || true\necho 1 > ${R}`],
    ['listing only', `pytest --collect-only /tests\n${decide}`],
  ])('finds: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toHaveLength(1);
  });

  test.each([
    ['on an install', `pip install pytest==8.4.1 || true\npytest /tests\n${decide}`],
    ['the status is kept', `pytest /tests || rc=$?\n[ \${rc:-0} -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`],
    [
      'the verdict is in a report',
      `pytest --junitxml=/tmp/r.xml /tests || true\nif grep -q 'failures="0"' /tmp/r.xml; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['the verdict is computed', `pytest --ctrf /tmp/c.json /tests || true\npython3 /tests/score.py /tmp/c.json > ${R}`],
    ['a comment', `pytest /tests # || true\n${decide}`],
    ['listed, then run', `pytest --collect-only /tests\npytest /tests\n${decide}`],
    ['a failure that counts', `pytest /tests || { echo 0 > ${R}; exit 0; }\necho 1 > ${R}`],
  ])('is silent: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });
});

describe('verifier-reward-path', () => {
  const id = 'verifier-reward-path';

  test('is at the path', async () => {
    expect(
      await shown(id, bash('if pytest /tests; then echo 1 > reward.txt; else echo 0 > /logs/reward.txt; fi')),
    ).toEqual([
      'error tests/test.sh:2:"reward.txt" Harbor reads no reward at `reward.txt`, so it reports that none was written. [Write to /logs/verifier/reward.txt*]',
      'error tests/test.sh:2:"/logs/reward.txt" Harbor reads no reward at `/logs/reward.txt`, so it reports that none was written. [Write to /logs/verifier/reward.txt*]',
    ]);
    expect(await shown('verifier-reward-not-always-written', bash('pytest /tests; echo 0 > /logs/reward.txt'))).toEqual(
      [],
    );
  });

  test.each([
    [`pytest /tests && echo '{"reward": 1}' > /logs/verifier/rewards.json`, 'error'],
    ['pytest /tests && echo 1 | tee /logs/verifier/score.txt', 'error'],
    ['D=/srv\npytest /tests && echo 1 > "$D/reward.txt"', 'error'],
    [`pytest /tests && echo 1 > ${R}; echo 1 > /logs/reward.txt`, 'information'],
  ])('%s: %s', async (text, severity) => {
    const found = await shown(id, bash(text));
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(severity)).toBe(true);
  });

  test.each([
    `pytest --ctrf /logs/verifier/ctrf.json /tests; echo x > /logs/verifier/details.json; ${decide}`,
    `cd /logs/verifier\npytest /tests && echo 1 > reward.txt || echo 0 > reward.txt`,
    `pytest /tests && echo 1 > /tmp/reward.txt || echo 0 > /tmp/reward.txt\nmv /tmp/reward.txt /logs/verifier/`,
    `pytest /tests > /logs/verifier/result.txt\n${decide}`,
    `pytest /tests && echo 1 > "$OUT/reward.txt"`,
  ])('is silent: %s', async (text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });
});

describe('verifier-reward-value', () => {
  const id = 'verifier-reward-value';

  test.each([
    [
      `pytest /tests && echo PASS > ${R}`,
      'warning',
      '"PASS" test.sh writes `PASS` to reward.txt, which Harbor cannot read as a number.',
    ],
    [`pytest /tests && echo '[1]' > ${J}`, 'warning', 'which Harbor cannot read as an object of numbers.'],
    [
      `pytest /tests && echo '{"reward": "yes"}' > ${J}`,
      'warning',
      'which Harbor cannot read as an object of numbers.',
    ],
    [`pytest /tests && echo 100 > ${R}`, 'warning', 'writes the reward `100`, which is not from 0 to 1.'],
    [`pytest /tests && echo 0.5 > ${R}`, 'information', 'writes the fraction `0.5`, neither pass nor fail.'],
    [`pytest /tests > ${R}`, 'warning', '"/logs/verifier/reward.txt" What pytest prints goes into reward.txt'],
    [
      `pytest /tests\necho $? > ${R}`,
      'warning',
      '"$?" reward.txt gets the exit status of pytest, which is 0 when the tests pass.',
    ],
    [`pytest /tests; rc=$?\necho $rc > ${R}`, 'warning', 'reward.txt gets the exit status of pytest'],
    [
      `pytest /tests\necho "$SCORE" > ${R}`,
      'warning',
      'Nothing sets `SCORE`, so reward.txt stays empty. [Fall back on 0*]',
    ],
    [
      `if pytest /tests; then echo 1; else echo 0; fi > ${R}`,
      'warning',
      '"/logs/verifier/reward.txt" What pytest prints goes into reward.txt',
    ],
    [`if pytest /tests; then echo true > ${R}; else echo false > ${R}; fi`, 'warning', '"true" test.sh writes `true`'],
  ])('%s', async (text, severity, message) => {
    const [found = ''] = await shown(id, bash(text));
    expect(found).toContain(message);
    expect(found.startsWith(severity)).toBe(true);
  });

  test.each([
    `pytest /tests && echo 1 > ${R} || echo 0 > ${R}`,
    `pytest /tests && echo 1.0 > ${R} || echo -n 0 > ${R}`,
    `pytest /tests && r=1 || r=0\necho "$r" > ${R}`,
    `pytest /tests && echo '{"reward": 1, "other": 0.0}' > ${J}`,
    `score=$(python3 /tests/score.py)\necho "\${score:-0}" > ${R}`,
    `python3 /srv/score.py > ${R}`,
    `pytest /tests; echo $(( $? == 0 )) > ${R}`,
    `cat > ${J} <<E\n{"reward": 1}\nE`,
  ])('is silent: %s', async (text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });

  test('the fix falls back on 0', async () => {
    expect(await mended(id, bash(`pytest /tests\necho "$SCORE" > ${R}`), 'Fall back on 0', 'tests/test.sh')).toContain(
      'echo "${SCORE:-0}" > /logs',
    );
  });
});
