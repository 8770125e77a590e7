import type { Subject } from '../../model/subject';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import { insertBeforeFirst } from './fixes';
import { rewardFiles, rewardJson, rewardText } from '../../model/harbor-paths';
import { nameOf, testScripts } from './test-scripts';
import type { TestScript } from './test-scripts';

export const verifierStaleReward: Rule = {
  id: 'verifier-stale-reward',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'texts'],
  needsDisk: true,
  why: 'In a shared container the log folder is the agent’s to write, nothing empties it before the tests, and reward.json is read before reward.txt: a planted file can be the reward.',
  docs: {
    finds: 'A test script of a shared, single-step verifier that does not remove both reward files before it grades.',
    silent: 'A separate verifier, a task with several steps, and a script that itself writes reward.json on every way.',
    bad: '#!/bin/bash\npytest /tests/test_hives.py',
    good: '#!/bin/bash\nrm -rf /logs/verifier/reward.txt /logs/verifier/reward.json\npytest /tests/test_hives.py',
  },
  *check(subject) {
    for (const test of subject.derive(testScripts)) yield* once(claimsOf(subject, test));
  },
};

function* claimsOf(subject: Subject, test: TestScript): Generator<Claim> {
  if (test.step.verifier !== 'shared' || test.step.dir !== '') return;
  const { flow, script } = test;
  const [first] = script.body;
  if (!flow.complete || first === undefined || test.mayWriteElsewhere) return;
  const paths = flow.paths.filter(({ written, graded }) => written.size > 0 || graded.length > 0);
  if (paths.every(({ unsure }) => unsure)) return;
  const sure = paths.filter(({ unsure }) => !unsure);
  // What never writes a reward has a worse trouble than an old one.
  if (sure.every(({ written }) => written.size === 0)) return;
  if (sure.every(({ written }) => written.has(rewardJson))) return;
  const left = rewardFiles.filter((file) => sure.some(({ cleared }) => !cleared.has(file)));
  const planted = left.filter((file) => !(file === rewardText && sure.every(({ written }) => written.has(rewardText))));
  if (planted.length === 0) return;
  const command = script.commands.find(({ program }) => program !== 'set') ?? first;
  yield* claimAt(
    subject,
    { file: test.file, start: command.start, end: command.end },
    {
      message: planted.includes(rewardJson)
        ? `${nameOf(test)} leaves a reward.json that the agent may have put into /logs/verifier, and Harbor reads it before reward.txt.`
        : `${nameOf(test)} leaves a reward.txt that the agent may have put into /logs/verifier, and some ways through it write none.`,
      fixes: insertBeforeFirst(
        subject,
        test,
        'Remove both files first',
        'rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json',
        true,
      ),
    },
  );
}
