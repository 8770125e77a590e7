import { describe, expect, it } from 'vitest';
import { explainAuthorHit, explainDenial, explainHit } from '../../../src/core/cheats/explain';
import type { Strategy } from '../../../src/core/cheats/strategy';
import { factsOf } from './facts-of';

const facts = factsOf(
  {
    'instruction.md': 'Write `/app/out.json`.',
    'tests/test.sh': '#!/bin/bash\ncd /app\npytest /tests/test_a.py\n/opt/check\necho 1 > /logs/verifier/reward.txt\n',
    'tests/test_a.py': 'import os\nassert os.path.exists("/app/out.json")\n',
    'environment/Dockerfile': 'FROM x\nCOPY check /opt/check\n',
    'environment/check': '',
  },
  '/app',
);

function hit(id: string, ...planted: string[]): string {
  const strategy: Strategy = {
    id,
    version: 1,
    level: 2,
    knowledge: 'blind',
    isDefault: true,
    imitates: 'an agent that does it',
    beatenBy: ['D-content'],
    runs: [''],
    script: '',
  };
  const texts = explainHit(strategy, { facts, planted, reward: '1', command: 'taskwright gate x' });
  return Object.values(texts).join('\n');
}

describe('a hit', () => {
  it('names the place where the reward is written', () => {
    expect(hit('reward-json', '/logs/verifier/reward.json')).toBe(
      [
        'The script wrote /logs/verifier/reward.json itself; the reward was then 1.',
        'reward.json is read before reward.txt, and nothing removes what the agent left in /logs/verifier (tests/test.sh:5).',
        'Delete both reward files at the top of tests/test.sh: chmod 700 /logs/verifier, then rm -rf /logs/verifier/reward.txt /logs/verifier/reward.json.',
        'Run this cheat again: taskwright gate x',
      ].join('\n'),
    );
  });

  it('names the test that reads an output', () => {
    expect(hit('out-touch', '/app/out.json')).toContain(
      'The output is looked at in tests/test_a.py:2, which is content with its being there.\nCompare the content of /app/out.json',
    );
  });

  it('names the command that picks a plant up', () => {
    expect(hit('tests-config', '/tests/pytest.ini')).toContain(
      'tests/test.sh:3 runs “pytest /tests/test_a.py”, and pytest takes',
    );
  });

  it('names the call of an overwritten grader', () => {
    expect(hit('grader-overwrite', '/opt/check')).toContain('the verifier runs it (tests/test.sh:4).');
  });

  it('says something of a strategy that it does not know', () => {
    expect(hit('new-trick', '/a', '/b', '/c', '/d')).toBe(
      [
        'The script planted /a, /b, /c and 1 more; the verifier gave 1.',
        'An agent could do the same: an agent that does it.',
        'Compare the whole content with values that the test works out by itself.',
        'Run this cheat again: taskwright gate x',
      ].join('\n'),
    );
  });

  it('says what a denial means', () => {
    const strategy = { id: 'reward-block', beatenBy: [], imitates: '' } as unknown as Strategy;
    expect(explainDenial(strategy, { facts, planted: ['/x'], reward: '', command: 'c' }).whatHappened).toBe(
      'The script left /x. An agent can make this trial end in an error instead of 0.',
    );
  });
});

describe('an author’s entry', () => {
  const about = {
    label: 'author:skip-last',
    isVariant: false,
    title: 'drops the last record',
    targets: 'the last record must be there',
    expect: '0',
    reward: '1',
    path: '.taskwright/cheats/x/skip-last.sh',
    command: 'c',
  };

  it('that is rewarded quotes the requirement', () => {
    const texts = explainAuthorHit(about);
    expect(texts.whatHappened).toBe(
      'The entry author:skip-last (drops the last record) does not solve the task; the verifier gave 1, and 0 was expected.',
    );
    expect(texts.whyItWorked).toBe('No test checks the requirement that it violates: “the last record must be there”.');
  });

  it('that is a refused variant points at the tests', () => {
    const texts = explainAuthorHit({
      ...about,
      label: 'variant:b',
      isVariant: true,
      title: null,
      reward: '0',
      expect: '1',
    });
    expect(texts.whatHappened).toBe(
      'The entry variant:b solves the task in another way; the verifier gave 0, and 1 was expected.',
    );
    expect(texts.whatToChange).toContain('Let the tests judge what the instruction states');
  });
});
