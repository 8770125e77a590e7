import type { Changes } from '../checked';
import { mended, shown } from '../checked';

/** A task whose only test file is this text. */
export const pythonTask = (python: string, changes: Changes = {}): Changes => ({
  'tests/test.sh':
    '#!/bin/bash\nrm -f /logs/verifier/reward.*\nif pytest /tests/test_tram.py; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
  'tests/test_tram.py': python,
  'instruction.md': 'Write the tram table to `/srv/out.csv` and the report to `/srv/report.txt`.\n',
  ...changes,
});

/** What a rule says of a test file: `severity line:"text" message`. */
export async function said(ruleId: string, python: string, changes: Changes = {}): Promise<readonly string[]> {
  const lines = await shown(ruleId, pythonTask(python, changes));
  return lines.map((line) => line.replace('tests/test_tram.py:', ''));
}

export async function fixed(ruleId: string, python: string, title: string): Promise<string> {
  return mended(ruleId, pythonTask(python), title, 'tests/test_tram.py');
}
