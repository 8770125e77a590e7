import { describe, expect, test } from 'vitest';
import { findingsFor } from '../checked';

// What broke earlier linters (task-rules.md, section 18), and the shapes of test scripts that public tasks have.

const R = '/logs/verifier/reward.txt';

/** Rules that judge how the reward comes about; what the surroundings allow is not the subject here. */
const judging = [
  'verifier-reward-not-always-written',
  'verifier-errexit-skips-reward',
  'verifier-wrong-status',
  'verifier-failure-swallowed',
  'verifier-reward-unconditional',
  'verifier-reward-path',
  'verifier-reward-value',
  'verifier-relative-path',
  'verifier-sources-agent-file',
];

async function judged(script: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const findings = await findingsFor({
    'tests/test.sh': script,
    'tests/test_outputs.py':
      'from pathlib import Path\ndef test_a(): assert Path("/app/answer.txt").read_text() == "42\\n"\n',
    ...more,
  });
  return findings
    .filter(({ ruleId }) => judging.includes(ruleId))
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const verdict = `if [ $? -eq 0 ]; then
  echo 1 > ${R}
else
  echo 0 > ${R}
fi`;

describe('shapes that are right', () => {
  test.each([
    [
      'the classic: install, environment file, working directory, uvx',
      `#!/bin/bash

apt-get update
apt-get install -y curl

curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh

source $HOME/.local/bin/env

# Check if we're in a valid working directory
if [ "$PWD" = "/" ]; then
    echo "Error: No working directory set. Please set a WORKDIR in your Dockerfile before running this script."
    exit 1
fi

uvx \\
  -p 3.13 \\
  -w pytest==8.4.1 \\
  -w pytest-json-ctrf==0.3.5 \\
  pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA

${verdict}
`,
    ],
    [
      'uv with a project of its own, in a folder of its own',
      `#!/bin/bash
set -euo pipefail
TEST_DIR="\${TEST_DIR:-/tests}"
uv init --quiet /tmp/run
cd /tmp/run
uv add --quiet pytest==8.4.1
set +e
uv run pytest "$TEST_DIR/test_outputs.py" -rA
code=$?
set -e
[ "$code" -eq 0 ] && echo 1 > ${R} || echo 0 > ${R}
exit "$code"
`,
    ],
    [
      'the status kept with ||, written as JSON',
      `#!/bin/bash
set -euo pipefail
rc=0
python3 -m pytest /tests/test_outputs.py || rc=$?
if (( rc == 0 )); then reward=1; else reward=0; fi
printf '{"reward": %d}\\n' "$reward" > /logs/verifier/reward.json
`,
    ],
    [
      'a trap that gives the default',
      `#!/usr/bin/env bash
set -Eeuo pipefail
REWARD=0
write() { echo "$REWARD" > ${R}; }
trap write EXIT
pytest /tests/test_outputs.py
REWARD=1
`,
    ],
    [
      'a function that fails',
      `#!/bin/bash
fail() {
  echo "$1" >&2
  echo 0 > "$OUT/reward.txt"
  exit 0
}
OUT=/logs/verifier
mkdir -p "$OUT"
[ -f /app/answer.txt ] || fail "no answer"
timeout 300 pytest /tests/test_outputs.py > "$OUT/log.txt" 2>&1 || fail "tests failed"
echo 1 > "$OUT/reward.txt"
`,
    ],
    [
      'a sum over several runs',
      `#!/bin/bash
total=0
for t in one two three; do
  if python3 /tests/check_"$t".py; then total=$((total + 1)); fi
done
if [ "$total" -eq 3 ]; then echo 1; else echo 0; fi > ${R}
`,
    ],
    [
      'the report decides, not the status',
      `#!/bin/bash
pytest --junitxml=/tmp/report.xml /tests/test_outputs.py || true
passed=$(grep -c '<testcase' /tmp/report.xml)
if [ "$passed" -eq 4 ] && ! grep -q '<failure' /tmp/report.xml; then echo 1 > ${R}; else echo 0 > ${R}; fi
`,
    ],
    ['one line for both values', `#!/bin/bash\npytest /tests/test_outputs.py && r=1 || r=0; echo $r > ${R}\n`],
    [
      'Windows line ends and a byte-order mark',
      `\uFEFF#!/bin/bash\r\npytest /tests/test_outputs.py\r\nif [ $? -eq 0 ]; then\r\n  echo 1 > ${R}\r\nelse\r\n  echo 0 > ${R}\r\nfi\r\n`,
    ],
  ])('%s', async (_, script) => {
    expect(await judged(script)).toEqual([]);
  });
});

describe('text that is no code of the script', () => {
  test.each([
    [
      'code in a heredoc that writes a file',
      `#!/bin/bash
cat > /tmp/helper.sh <<'EOF'
set -e
pytest /tests || true
echo 1 > /logs/reward.txt
exit 0
EOF
pytest /tests/test_outputs.py
${verdict}
`,
    ],
    [
      'commands that are only shown',
      `#!/bin/bash
echo "Run: pytest tests/ || true; echo 1 > reward.txt"
printf '%s\\n' 'source ~/.bashrc && pytest | tee log'
pytest /tests/test_outputs.py
${verdict}
`,
    ],
    [
      'comments',
      `#!/bin/bash
# pytest /tests || true
# set -e; rm -rf /logs/verifier; echo 1 > rewards.json
pytest /tests/test_outputs.py # exit 1 || true
${verdict}
`,
    ],
    [
      'a usage text in a heredoc for cat',
      `#!/bin/bash
if [ "\${1:-}" = "--help" ]; then
  cat <<EOF
usage: $0   (exit 1 when the tests fail; pytest | tee log)
EOF
fi
pytest /tests/test_outputs.py
${verdict}
`,
    ],
    [
      'Python that writes the reward',
      `#!/bin/bash
pytest --ctrf /tmp/ctrf.json /tests/test_outputs.py
python3 - <<'PY'
import json
r = json.load(open("/tmp/ctrf.json"))["results"]["summary"]
open("${R}", "w").write("1" if r["failed"] == 0 else "0")
PY
`,
    ],
  ])('%s', async (_, script) => {
    expect(await judged(script)).toEqual([]);
  });
});

test('rewards written in helpers that are sourced', async () => {
  const script = `#!/bin/bash
set -u
. "$(cd "$(dirname "$0")" && pwd)/lib/common.sh"
begin
pytest /tests/test_outputs.py
finish $?
`;
  const helper = `begin() { rm -f ${R}; }
finish() {
  if [ "$1" -eq 0 ]; then echo 1 > ${R}; else echo 0 > ${R}; fi
}
`;
  expect(await judged(script, { 'tests/lib/common.sh': helper })).toEqual([]);
});

test('a helper that is not there is unknown, so nothing follows', async () => {
  expect(await judged('#!/bin/bash\nsource /opt/grading/lib.sh\nfinish 1\n')).toEqual([]);
});

test('a status that a sourced helper ends with echo is the echo’s', async () => {
  const script = `#!/bin/bash\n. /tests/lib.sh\nrun_tests\n${verdict}\n`;
  const right = await judged(script, { 'tests/lib.sh': 'run_tests() { pytest /tests/test_outputs.py; }\n' });
  expect(right).toEqual([]);
});

test('bounded on a script with a hundred decisions', async () => {
  const script = `#!/bin/bash\n${'if grep -q a /app/x; then A=$((A + 1)); else B=2; fi\n'.repeat(100)}pytest /tests\n${verdict}\n`;
  const started = performance.now();
  await judged(script);
  expect(performance.now() - started).toBeLessThan(10_000);
});
