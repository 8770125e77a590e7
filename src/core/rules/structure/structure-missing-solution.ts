import { scriptExtension } from '../../task/layout';
import { startOfFile } from '../../text/position';
import type { Rule } from '../rule';
import { firstLine } from '../config/toml-places';

export const structureMissingSolution: Rule = {
  id: 'structure-missing-solution',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['tree', 'toml'],
  needsDisk: true,
  why: 'Without a reference solution nobody can show that the task can be solved.',
  docs: {
    finds: 'The task has no solve script, or one of its steps has none while others have.',
    silent: 'A solution at the root serves every step without one, and a profile may say that solutions are withheld.',
    bad: 'tram-delay/\n  tests/test.sh',
    good: 'tram-delay/\n  tests/test.sh\n  solution/solve.sh',
  },
  *check({ toml, disk, layout }) {
    if (disk === null || !toml?.config || layout?.solveScript !== null) return;
    const name = `solve.${scriptExtension(layout.os)}`;
    const range = firstLine(toml);
    if (layout.steps.length === 0 || layout.steps.every((step) => step.solveScript === null)) {
      const file = `solution/${name}`;
      const newText =
        layout.os === 'windows'
          ? '@echo off\r\necho The reference solution is not written yet. 1>&2\r\nexit /b 1\r\n'
          : '#!/bin/bash\necho "The reference solution is not written yet." >&2\nexit 1\n';
      yield {
        range,
        message: `There is no reference solution (${file}), so the oracle has nothing to run.`,
        fixes: [{ title: `Create ${file}`, edits: [{ file, range: startOfFile, newText }] }],
      };
      return;
    }
    for (const step of layout.steps) {
      if (step.solveScript !== null || !disk.entries.has(step.dir)) continue;
      yield {
        range,
        message: `The step ${JSON.stringify(step.name)} has no reference solution (${step.dir}/solution/${name}).`,
      };
    }
  },
};
