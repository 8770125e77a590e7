// Writes a dataset of made-up tasks for the benchmarks: ten files each, of the sizes that real ones have, every text its
// own, and the same for the same seed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const syllables = 'ba ke lo mi nu ra se ti vo za dre fla gri plo sta tru che ner sol vin'.split(' ');

/** Mulberry32: 32 bits of state are enough to vary texts. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function wordsOf(random) {
  const int = (below) => Math.floor(random() * below);
  const pick = (list) => list[int(list.length)];
  const word = () => Array.from({ length: 2 + int(3) }, () => pick(syllables)).join('');
  const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  const sentence = () => {
    const text = list(6 + int(12), word).join(' ');
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  };
  return { int, pick, word, list, sentence, paragraph: () => list(2 + int(3), sentence).join(' ') };
}

/** The files of one task by path; scripts are marked to be executable by their name. */
export function taskFiles(index, seed = 1) {
  const { int, pick, word, list, sentence, paragraph } = wordsOf(randomOf(seed * 1_000_003 + index));
  const home = `/srv/${word()}`;
  const out = `${home}/out/${word()}.json`;
  const input = `${word()}.csv`;
  const module = word();
  const columns = [...new Set(list(4, word))];
  const keys = [...new Set(list(5, word))];
  const numbers = keys.map(() => int(90_000));

  const toml = `version = "1.0"

[task]
name = "${word()}/${word()}-${index}"
description = "${sentence()}"

[metadata]
author_name = "${word()} ${word()}"
author_email = "${word()}@${word()}.example"
difficulty = "${pick(['easy', 'medium', 'hard'])}"
category = "${pick(['data', 'security', 'systems', 'games'])}"
tags = [${list(3, () => `"${word()}"`).join(', ')}]

[verifier]
timeout_sec = ${300 + int(600)}.0

[agent]
timeout_sec = ${600 + int(3000)}.0

[environment]
build_timeout_sec = ${600 + int(600)}.0
cpus = ${1 + int(4)}
memory_mb = ${1024 * (1 + int(4))}
storage_mb = 10240
allow_internet = ${pick(['true', 'false'])}
`;

  const instruction = `# ${sentence()}

${paragraph()}

The file \`${home}/data/${input}\` holds one row for each ${word()}, with the columns
${columns.map((name) => `\`${name}\``).join(', ')}. ${paragraph()}

Read it and write \`${out}\`, a JSON object with these keys:

${keys.map((key) => `- \`${key}\`: ${sentence()}`).join('\n')}

\`\`\`json
{${keys.map((key) => `"${key}": 0`).join(', ')}}
\`\`\`

${list(3 + int(3), paragraph).join('\n\n')}

The program \`${home}/src/${module}.py\` is called with \`python3 ${home}/src/${module}.py --input FILE --limit ${int(900)}\`.
${paragraph()}
`;

  const dockerfile = `FROM python:3.${10 + int(4)}-slim-bookworm

RUN apt-get update && apt-get install -y --no-install-recommends \\
    ${[...new Set(list(4, () => pick(['curl', 'jq', 'git', 'tmux', 'make', 'gcc', 'tree', 'less'])))].join(' \\\n    ')} \\
    && rm -rf /var/lib/apt/lists/*

# ${sentence()}
RUN pip install --no-cache-dir numpy==1.26.${int(5)} pandas==2.2.${int(4)}

RUN useradd -m ${module} && mkdir -p ${home}/data ${home}/src ${home}/out
WORKDIR ${home}
COPY data/${input} ${home}/data/${input}
COPY src/${module}.py ${home}/src/${module}.py
COPY src/notes.txt ${home}/src/
ENV ${word().toUpperCase()}=${int(5000)} ${word().toUpperCase()}_DIR="${home}/out"
RUN chown -R ${module}:${module} ${home}
`;

  const csv = `${columns.join(',')}\n${list(60 + int(60), () => columns.map(() => `${word()}${int(9999)}`).join(',')).join('\n')}\n`;

  const functions = list(6 + int(4), () => {
    const [name, one, two] = list(3, word);
    return `def ${name}(${one}: dict, ${two}: int = ${int(99)}) -> list:
    """${sentence()}"""
    ${word()} = []
    for key, value in sorted(${one}.items()):
        if value is None or len(str(value)) > ${two}:
            continue  # ${sentence()}
        try:
            ${one}[key] = int(value) * ${int(40)} + ${two}
        except ValueError as error:
            raise RuntimeError(f"${word()} {key}: {error}") from error
    return [f"{key}={value}" for key, value in ${one}.items() if key != "${word()}"]
`;
  });
  const source = `import argparse
import csv
import json
from pathlib import Path

ROOT = Path("${home}")
DATA = ROOT / "data" / "${input}"

${functions.join('\n\n')}

def main() -> None:
    parser = argparse.ArgumentParser(description="${sentence()}")
    parser.add_argument("--input", default=str(DATA))
    parser.add_argument("--limit", type=int, default=${int(500)})
    options = parser.parse_args()
    with open(options.input, newline="") as handle:
        rows = list(csv.DictReader(handle))
    print(json.dumps({"count": len(rows[: options.limit])}))


if __name__ == "__main__":
    main()
`;

  const testScript = `#!/bin/bash
# ${sentence()}
set -u
mkdir -p /logs/verifier
cd ${home} || exit 1

${pick([
  `python3 -m pytest --tb=short -rA /tests/test_outputs.py /tests/test_${module}.py
status=$?
if [ "$status" -eq 0 ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi`,
  `if python3 -m pytest -q /tests; then
  reward=1
else
  reward=0
fi
echo "$reward" > /logs/verifier/reward.txt`,
  `log() { printf '%s %s\\n' "$(date +%s)" "$1" >> /logs/verifier/run.log; }
log "${sentence()}"
python3 -m pytest --junitxml=/logs/verifier/report.xml /tests && rc=0 || rc=$?
log "status $rc"
case "$rc" in
  0) echo 1 > /logs/verifier/reward.txt ;;
  *) echo 0 > /logs/verifier/reward.txt ;;
esac`,
])}
# ${sentence()}
`;

  const testOutputs = `"""${sentence()}"""
import json
from pathlib import Path

import pytest

OUT = Path("${out}")
EXPECTED = {${keys.map((key, at) => `"${key}": ${numbers[at]}`).join(', ')}}


@pytest.fixture(scope="module")
def report():
    assert OUT.is_file(), f"{OUT} is missing"
    return json.loads(OUT.read_text())


${keys
  .map(
    (key, at) => `def test_${key}_${at}(report):
    """${sentence()}"""
    assert "${key}" in report, "${sentence()}"
    assert report["${key}"] == EXPECTED["${key}"], f"got {report['${key}']}"
`,
  )
  .join('\n\n')}

@pytest.mark.parametrize("key, value", sorted(EXPECTED.items()))
def test_all(report, key, value):
    assert isinstance(report.get(key), int)
    assert report[key] == pytest.approx(value, abs=${int(9)})


def test_no_more_keys(report):
    assert set(report) == set(EXPECTED)
`;

  const testModule = `"""${sentence()}"""
import subprocess
import sys

PROGRAM = "${home}/src/${module}.py"
LINES = [
${list(12, () => `    ("${word()}", "${word()}", ${int(9999)}),`).join('\n')}
]


def run(*arguments):
    return subprocess.run(
        [sys.executable, PROGRAM, *arguments], capture_output=True, text=True, timeout=${20 + int(60)}, check=False
    )


${list(
  4 + int(3),
  (at) => `def test_${word()}_${at}(tmp_path):
    """${sentence()}"""
    table = tmp_path / "${word()}.csv"
    table.write_text("${columns.join(',')}\\n" + "\\n".join(",".join([a, b, str(c), a]) for a, b, c in LINES) + "\\n")
    done = run("--input", str(table), "--limit", "${int(99)}")
    assert done.returncode == 0, done.stderr
    lines = [line.strip() for line in done.stdout.splitlines() if line]
    assert len(lines) == 1
    assert '"count": ' in lines[0]
    for line in lines:
        assert line.startswith("{"), f"${word()} {line}"
`,
).join('\n\n')}`;

  const solve = `#!/bin/bash
set -euo pipefail
# ${sentence()}
cd ${home}
mkdir -p "$(dirname ${out})"
python3 - <<'PY'
import csv
import json

totals = {}
with open("${home}/data/${input}", newline="") as handle:
    for row in csv.DictReader(handle):
        for name in ${JSON.stringify(columns)}:
            totals[name] = totals.get(name, 0) + len(row[name])
result = {key: totals.get(key, 0) * ${1 + int(9)} for key in ${JSON.stringify(keys)}}
with open("${out}", "w") as handle:
    json.dump(result, handle)
PY
sed -i 's/default=${int(500)}/default=${int(500)}/' src/${module}.py
for name in ${list(3, word).join(' ')}; do
  [ -e "$name" ] && rm -f "$name"
done
echo "${sentence()}"
`;

  return {
    'task.toml': toml,
    'instruction.md': instruction,
    'environment/Dockerfile': dockerfile,
    [`environment/data/${input}`]: csv,
    [`environment/src/${module}.py`]: source,
    'environment/src/notes.txt': list(6 + int(10), paragraph).join('\n'),
    'tests/test.sh': testScript,
    'tests/test_outputs.py': testOutputs,
    [`tests/test_${module}.py`]: testModule,
    'solution/solve.sh': solve,
  };
}

/** Writes `count` tasks below `folder`; gives the number of files and bytes. */
export function writeDataset(folder, count, seed = 1) {
  let files = 0;
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    const dir = join(folder, `task-${String(index).padStart(5, '0')}`);
    for (const [path, text] of Object.entries(taskFiles(index, seed))) {
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
      files++;
      bytes += Buffer.byteLength(text);
    }
  }
  return { files, bytes };
}
