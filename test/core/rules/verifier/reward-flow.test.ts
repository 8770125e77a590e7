import { describe, expect, test } from 'vitest';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const R = '/logs/verifier/reward.txt';
const J = '/logs/verifier/reward.json';
const bash = (text: string): Record<string, string> => ({
  'tests/test.sh': `#!/bin/bash\n${text}\n`,
  'tests/test_a.py': 'def test_a(): assert 1 == 2\n',
});

describe('verifier-reward-not-always-written', () => {
  const id = 'verifier-reward-not-always-written';

  test('says where the script can end without a reward, and where it writes one', async () => {
    expect(
      await shown(
        id,
        bash(`[ -f /srv/out.csv ] || exit 1\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`),
      ),
    ).toEqual([
      'error tests/test.sh:2:"exit 1" test.sh ends here without having written a reward. [Write 0 at the exit when nothing was written]',
    ]);
  });

  test.each([
    ['if without else', `if pytest /tests; then echo 1 > ${R}; fi`, 'pytest /tests'],
    ['and', `pytest /tests && echo 1 > ${R}`, 'pytest /tests'],
    [
      'an early exit with 0',
      `if [ ! -s /srv/a ]; then exit 0; fi\npytest /tests && echo 1 > ${R} || echo 0 > ${R}`,
      'exit 0',
    ],
    ['the status of the tests', `pytest /tests; rc=$?\n[ $rc -ne 0 ] && exit $rc\necho 1 > ${R}`, 'exit $rc'],
    [
      'in a function',
      `die() { echo "$1"; exit 1; }\ngrep -q x /srv/a || die no\npytest /tests && echo 1 > ${R} || echo 0 > ${R}`,
      'exit 1',
    ],
    ['removed again', `echo 0 > ${R}\npytest /tests && r=1\nrm ${R}\n[ -n "$r" ] && echo $r > ${R}`, '[ -n "$r" ]'],
    ['an empty file', `: > ${R}\npytest /tests && echo 1 > ${R}`, 'pytest /tests'],
  ])('finds: %s', async (_, text, place) => {
    const found = await shown(id, bash(text));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(JSON.stringify(place));
    expect(found[0]).toMatch(/^error/u);
  });

  test('a script that never writes one is named once, at its end', async () => {
    expect(await shown(id, bash('apt-get update\npytest /tests\nexit $?'))).toEqual([
      'error tests/test.sh:4:"exit $?" test.sh ends here without having written a reward: it writes neither reward.txt nor reward.json.',
    ]);
  });

  test.each([
    ['message to standard error', `grep -q x /srv/a || { echo "no python" >&2; exit 1; }`],
    ['a status above 1', `grep -q x /srv/a || exit 2`],
    ['a status that the runner gives when it is broken', `pytest /tests; case $? in 0|1) ;; *) exit 1;; esac`],
  ])('a verifier that says it is broken is information: %s', async (_, text) => {
    const found = await shown(id, bash(`${text}\npytest /tests && echo 1 > ${R} || echo 0 > ${R}`));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^information/u);
  });

  test.each([
    ['a default', `echo 0 > ${R}\n[ -f /srv/a ] || exit 1\npytest /tests && echo 1 > ${R}`],
    [
      'an exit trap',
      `trap '[ -s ${R} ] || echo 0 > ${R}' EXIT\n[ -f /srv/a ] || exit 1\npytest /tests && echo 1 > ${R}`,
    ],
    [
      'an exit trap that calls a function',
      `finish() { [ -s ${R} ] || echo 0 > ${R}; }\ntrap finish EXIT\npytest /tests && echo 1 > ${R}`,
    ],
    ['both arms', `if pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['one line', `pytest /tests && echo 1 > ${R} || echo 0 > ${R}`],
    ['the output of the condition', `if pytest /tests >/dev/null; then echo 1; else echo 0; fi > ${R}`],
    ['tee', `pytest /tests; echo $(( ! $? )) | tee ${R}`],
    ['JSON', `pytest /tests; rc=$?\nprintf '{"reward": %d}' $((rc == 0)) > ${J}`],
    ['a variable folder', `D=/logs/verifier; F="$D/reward.txt"\npytest /tests && r=1 || r=0\necho "$r" > "$F"`],
    ['a function for it', `reward() { echo "$1" > ${R}; exit 0; }\npytest /tests || reward 0\nreward 1`],
    ['copied from elsewhere', `pytest /tests; echo $? > /tmp/rc\ncp /tmp/rc ${R}`],
    ['an unknown path', `pytest /tests && echo 1 > "$(cat /tests/where)"`],
    [
      'only the surroundings',
      `if [ "$PWD" = "/" ]; then echo "no WORKDIR"; exit 1; fi\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    [
      'a failed preparation',
      `cd /srv || exit 1\npip install pytest==8.4.1 || exit 1\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['a heredoc that writes it', `pytest /tests\npython3 - <<'E'\nopen("${R}", "w").write("1")\nE`],
    ['python -c', `pytest /tests\npython3 -c "open('${R}', 'w').write('1')"`],
    ['a case with all statuses', `pytest /tests\ncase $? in 0) echo 1 > ${R};; *) echo 0 > ${R};; esac`],
    ['a construct that does not parse', `if pytest; then\nexit 1`],
  ])('is silent: %s', async (_, text) => {
    expect((await shown(id, bash(text))).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('a program of the tests that names the reward may write it', async () => {
    expect(
      await shown(id, { ...bash('python3 /tests/grade.py'), 'tests/grade.py': `open("${R}", "w").write("1")\n` }),
    ).toEqual([]);
  });

  test('a sourced helper of the tests counts as part of the script', async () => {
    const helper = { 'tests/lib.sh': `save() { echo "$1" > ${R}; }\n` };
    expect(
      await shown(id, { ...bash('. "$(dirname "$0")/lib.sh"\npytest /tests && save 1 || save 0'), ...helper }),
    ).toEqual([]);
    const found = await shown(id, { ...bash('source /tests/lib.sh\npytest /tests && save 1'), ...helper });
    expect(found).toEqual([expect.stringContaining('"pytest /tests"')]);
  });

  test('the trap goes before the first statement and writes the 0', async () => {
    const fixed = await mended(
      id,
      bash(`# Grades.\nset -u\n[ -f /srv/a ] || exit 1\npytest /tests && echo 1 > ${R} || echo 0 > ${R}`),
      'Write 0 at the exit when nothing was written',
      'tests/test.sh',
    );
    expect(fixed.split('\n').slice(1, 4)).toEqual(['# Grades.', 'set -u', `trap '[ -s ${R} ] || echo 0 > ${R}' EXIT`]);
    expect(await shown(id, { 'tests/test.sh': fixed })).toEqual([]);
  });
});

describe('verifier-errexit-skips-reward', () => {
  const id = 'verifier-errexit-skips-reward';

  test('is at the command that can end the script', async () => {
    expect(await shown(id, bash(`set -e\npytest /tests/test_a.py > /tmp/log\necho 1 > ${R}`))).toEqual([
      'error tests/test.sh:3:"pytest /tests/test_a.py" When this fails, `set -e` ends test.sh before it writes a reward. [Write 0 when it fails*]',
    ]);
  });

  test.each([
    ['of the shebang', `#!/bin/bash -e\npytest /tests\necho 1 > ${R}\n`],
    ['by its name', `set -o errexit\npytest /tests; rc=$?\necho $((rc == 0)) > ${R}\n`],
    ['in a pipeline with pipefail', `set -eo pipefail\npytest /tests | tee /tmp/log\necho 1 > ${R}\n`],
    ['in a function', `set -e\nrun() { pytest /tests; }\nrun\necho 1 > ${R}\n`],
    ['in a subshell', `set -e\n(cd /srv && pytest /tests)\necho 1 > ${R}\n`],
    ['as a value', `set -e\nout=$(pytest /tests)\necho 1 > ${R}\n`],
    ['with a runner in front', `set -e\nuvx -w pytest==8.4.1 pytest /tests\necho 1 > ${R}\n`],
    ['a script of the tests', `set -e\ntimeout 60 python3 /tests/check_all.py\necho 1 > ${R}\n`],
  ])('finds `set -e` %s', async (_, text) => {
    expect(await shown(id, { 'tests/test.sh': text.startsWith('#!') ? text : `#!/bin/bash\n${text}` })).toHaveLength(1);
    expect(await shown('verifier-reward-not-always-written', { 'tests/test.sh': text })).toEqual([]);
  });

  test.each([
    ['a condition', `set -e\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['|| rc=$?', `set -e\nrc=0\npytest /tests || rc=$?\nif [ $rc -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['&&', `set -e\npytest /tests && r=1\necho \${r:-0} > ${R}`],
    ['!', `set -e\n! pytest /tests\nrc=$?\necho $rc > ${R}`],
    [
      'set +e around it',
      `set -e\nset +e\npytest /tests\nrc=$?\nset -e\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`,
    ],
    ['a default', `set -e\necho 0 > ${R}\npytest /tests\necho 1 > ${R}`],
    ['an exit trap', `set -e\ntrap '[ -s ${R} ] || echo 0 > ${R}' EXIT\npytest /tests\necho 1 > ${R}`],
    [
      'a pipeline without pipefail',
      `set -e\npytest /tests | tee /tmp/log\nr=\${PIPESTATUS[0]}\n[ $r -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`,
    ],
    ['another command', `set -e\npip install x==1\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['an ERR trap', `set -e\ntrap 'echo 0 > ${R}' ERR\npytest /tests\necho 1 > ${R}`],
  ])('is silent: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });

  test.each([
    [
      'Keep the status with || rc=$?',
      `set -e\npytest /tests\nrc=$?\n[ $rc -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}`,
      `rc=0\npytest /tests || rc=$?`,
    ],
    [
      'Put the command into the condition',
      `set -e\npytest /tests -q\nif [ $? -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
      'if pytest /tests -q; then',
    ],
    [
      'Write 0 when it fails',
      `set -e\npytest /tests\necho 1 > ${R}`,
      `if pytest /tests; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi`,
    ],
  ])('fix: %s', async (title, text, expected) => {
    const fixed = await mended(id, bash(text), title, 'tests/test.sh');
    expect(fixed).toContain(expected);
    for (const rule of [
      id,
      'verifier-reward-not-always-written',
      'verifier-wrong-status',
      'verifier-reward-unconditional',
    ])
      expect(await shown(rule, { 'tests/test.sh': fixed })).toEqual([]);
  });
});

describe('verifier-reward-unconditional', () => {
  const id = 'verifier-reward-unconditional';

  test('is at the write', async () => {
    expect(await shown(id, bash(`python3 /tests/check.py\necho 1 > ${R}`))).toEqual([
      'error tests/test.sh:3:"echo 1 > /logs/verifier/reward.txt" test.sh writes this reward whether `/tests/check.py` succeeds or fails. [Write it only when the tests pass*]',
    ]);
  });

  test.each([
    ['without any test', `echo 1 > ${R}`],
    ['a variable', `r=1\npytest /tests\necho $r > ${R}`],
    ['first, and never replaced', `echo 1 > ${R}\npytest /tests`],
    ['on both ways', `pytest /tests && echo good\necho 1 > ${R}`],
    ['JSON', `pytest /tests\necho '{"reward": 1}' > ${J}`],
    ['on one of the ways', `if [ -x /usr/bin/pytest ]; then pytest /tests; fi\necho 1.0 > ${R}`],
  ])('finds: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toHaveLength(1);
  });

  test.each([
    ['in the branch', `if pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`],
    ['a variable that some way sets', `r=1\npytest /tests || r=0\necho $r > ${R}`],
    ['behind exits', `echo 0 > ${R}\npytest /tests || exit 1\necho 1 > ${R}`],
    ['under set -e', `set -e\necho 0 > ${R}\npytest /tests\necho 1 > ${R}`],
    ['behind a comparison', `echo 0 > ${R}\ndiff /srv/a /tests/a || exit 0\necho 1 > ${R}`],
    [
      'behind a count of its own',
      `n=$(grep -c ok /srv/a)\nif [ "$n" -eq 3 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi`,
    ],
    ['0', `pytest /tests\necho 0 > ${R}`],
    ['a loop', `r=1\nfor t in a b; do python3 /tests/test_$t.py || r=0; done\necho $r > ${R}`],
    ['replaced by a program', `echo 1 > ${R}\npython3 /tests/grade.py --out ${R}`],
  ])('is silent: %s', async (_, text) => {
    expect(await shown(id, bash(text))).toEqual([]);
  });

  test('the fix makes the write depend on the tests', async () => {
    const fixed = await mended(
      id,
      bash(`pytest /tests\necho 1 > ${R}`),
      'Write it only when the tests pass',
      'tests/test.sh',
    );
    expect(fixed).toContain(`if pytest /tests; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi`);
    expect(await shown(id, { 'tests/test.sh': fixed })).toEqual([]);
  });
});

describe('verifier-stale-reward', () => {
  const id = 'verifier-stale-reward';

  test('names the file that wins', async () => {
    expect(await shown(id, bash(`set -u\nif pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`))).toEqual([
      'warning tests/test.sh:3:"pytest /tests" test.sh leaves a reward.json that the agent may have put into /logs/verifier, and Harbor reads it before reward.txt. [Remove both files first*]',
    ]);
  });

  const graded = `if pytest /tests; then echo 1 > ${R}; else echo 0 > ${R}; fi`;
  test.each([
    [`rm -f ${R}\n${graded}`, 1],
    [`${graded}\nrm -f ${J}`, 1],
    [`echo 0 > ${R}\n${graded}`, 1],
    [`rm -rf ${R} ${J}\n${graded}`, 0],
    [`rm -rf /logs/verifier/*\n${graded}`, 0],
    [`rm -rf /logs/verifier/reward.*\n${graded}`, 0],
    [`rm -f /logs/verifier/reward.{txt,json}\n${graded}`, 0],
    [`rm -rf /logs/verifier && mkdir -p /logs/verifier\n${graded}`, 0],
    [`D=/logs/verifier\nrm -f "$D/reward.txt" "$D/reward.json"\n${graded}`, 0],
    [`cd /logs/verifier && rm -f reward.txt reward.json\n${graded}`, 0],
    [`find /logs/verifier -mindepth 1 -delete\n${graded}`, 0],
    [`rm -f ${J}\n${graded}`, 0],
    [`if pytest /tests; then echo '{"reward": 1}' > ${J}; else echo '{"reward": 0}' > ${J}; fi`, 0],
  ])('%s: %i', async (text, count) => {
    expect(await shown(id, bash(text))).toHaveLength(count);
  });

  test('is silent with a separate verifier', async () => {
    const config = '[agent]\ntimeout_sec = 1.0\n[verifier]\ntimeout_sec = 1.0\nenvironment_mode = "separate"\n';
    expect(await shown(id, { ...bash(graded), 'task.toml': config, 'tests/Dockerfile': 'FROM x:1\n' })).toEqual([]);
  });

  test('the fix removes both', async () => {
    const fixed = await mended(id, bash(graded), 'Remove both files first', 'tests/test.sh');
    expect(fixed.split('\n')[1]).toBe('rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json');
    expect(await shown(id, { 'tests/test.sh': fixed })).toEqual([]);
  });
});

describe('a program in a here-document that judges', () => {
  const script = (body: string): Changes => ({
    'tests/test.sh': `#!/bin/bash\nset -e\nmkdir -p /logs/verifier\npython3 <<'END'\n${body}\nEND\nif [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
  });

  test('ends the script before the reward', async () => {
    expect(await shown('verifier-errexit-skips-reward', script('import sys\nsys.exit(1)'))).toEqual([
      'error tests/test.sh:4:"python3" When this fails, `set -e` ends test.sh before it writes a reward.',
    ]);
  });

  test.each(['import sys\nopen("/logs/verifier/reward.txt", "w").write("0")\nsys.exit(1)', 'print(1)'])(
    'is silent: %j',
    async (body) => {
      expect(await shown('verifier-errexit-skips-reward', script(body))).toEqual([]);
    },
  );
});

describe('an object of rewards', () => {
  test.each([
    ['{"reward": 0, "error_code": 2}', 0],
    ['{"reward": 2, "error_code": 0}', 1],
    ['{"score": 7}', 1],
  ])('%s', async (json, count) => {
    const script = `#!/bin/bash\necho '${json}' > /logs/verifier/reward.json\n`;
    expect(await shown('verifier-reward-value', { 'tests/test.sh': script })).toHaveLength(count);
  });
});
