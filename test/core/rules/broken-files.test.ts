import { expect, test } from 'vitest';
import { findingsFor } from './checked';

const files = {
  'environment/Dockerfile': 'FROM python:3.13-slim\nWORKDIR /srv\nCOPY data.csv /srv/\nRUN echo 731598 > /opt/sum\n',
  'environment/data.csv': 'line,late\n1,4\n',
  'instruction.md':
    'Read `/srv/data.csv` and write `/srv/plan.json`:\n\n```json\n{"late": 1}\n```\n\nListen on port 8080.\n',
  'tests/test.sh':
    '#!/bin/bash\ncp -r /tests /srv/t && cd /srv/t\nif pytest test_a.py && sha256sum -c /srv/sums; then\n  echo 1\nelse\n  echo 0\nfi > /logs/verifier/reward.txt\n',
  'tests/test_a.py':
    'import json, subprocess\nfrom pathlib import Path\n\ndef load(name):\n    with open(Path("/srv") / name) as file:\n        return json.load(file)\n\ndef test_a():\n    want = load("want.json")\n    assert load("plan.json")["late"] == want["late"]\n    subprocess.run(["python3", "/srv/check.py", f"{want}"], check=True)\n',
  'solution/solve.sh': "#!/bin/bash\ncat > /srv/plan.json <<'EOF'\n{}\nEOF\n",
} as const;

// `findingsFor` fails when a rule throws.
test('no rule throws on a file that is cut off, torn or of another kind', async () => {
  const names = Object.keys(files) as (keyof typeof files)[];
  for (const name of names) {
    const text = files[name];
    const step = Math.ceil(text.length / 8);
    for (let at = 1; at < text.length; at += step) {
      await findingsFor({ ...files, [name]: text.slice(0, at) });
      await findingsFor({ ...files, [name]: `${text.slice(0, at)}\0"'(\`{[<<🙂${text.slice(at + 3)}` });
    }
    await findingsFor({ ...files, [name]: files[names[(names.indexOf(name) + 1) % names.length] ?? name] });
  }
  expect(await findingsFor(files)).not.toEqual([]);
}, 120_000);
