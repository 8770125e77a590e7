import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { factFiles } from '../../../src/core/cheats/fact-files';
import { readStrategy } from '../../../src/core/cheats/header';
import { planCheats, unknownStrategies } from '../../../src/core/cheats/plan';
import { parseProbe } from '../../../src/core/cheats/probe';
import type { PlannedCheat, Strategy } from '../../../src/core/cheats/strategy';
import { factsOf } from './facts-of';

const folder = path.resolve(__dirname, '../../../media/cheats');
const catalogue: readonly Strategy[] = readdirSync(folder)
  .filter((name) => name !== 'probe.sh')
  .map((name) => {
    const read = readStrategy(name, readFileSync(path.join(folder, name), 'utf8'));
    if (!read.ok) throw new Error(read.message);
    return read.strategy;
  });

const pytestTask = factsOf(
  {
    'instruction.md': 'Read `/data/in.csv` and write `/app/out.csv`, like\n\n```\nid,n\na,1\n```\n',
    'tests/test.sh': 'pytest /tests/test_a.py\n/opt/check\n',
    'tests/test_a.py': 'import yaml\nassert "ALL OK" in x\n',
    'environment/Dockerfile': 'FROM x\nCOPY check /opt/check\n',
    'environment/check': '',
  },
  '/app',
);
const shellTask = factsOf({ 'instruction.md': 'Fix `/app/ship`.', 'tests/test.sh': 'grep -q x /app/ship\n' });

function shown(plan: readonly PlannedCheat[]): string[] {
  return plan.map((one) => (one.kind === 'run' ? one.label : `${one.strategy.id}: ${one.reason}`));
}

describe('the plan', () => {
  it('has every default cheat that may apply, the cheapest and most telling first', () => {
    expect(shown(planCheats(catalogue, pytestTask, null, { strategies: null }))).toEqual([
      'reward-json',
      'out-touch',
      'tests-conftest#1',
      'tests-conftest#2',
      'tests-config',
      'root-config',
      'workdir-shadow',
      'pytest-plugin',
      'user-site',
      'grader-overwrite',
      'reward-txt',
      'out-minimal',
      'out-duplicate#1',
      'out-duplicate#2',
      'reward-block#1',
      'reward-block#2',
      'reward-block#3',
    ]);
  });

  it('says why a cheat is left out', () => {
    expect(shown(planCheats(catalogue, shellTask, null, { strategies: null }))).toEqual([
      'reward-json',
      'out-touch: the instruction names no output file that is not there already',
      'tests-conftest: nothing in tests/ uses pytest',
      'tests-config: nothing in tests/ uses pytest',
      'root-config: nothing in tests/ uses pytest',
      'workdir-shadow: nothing in tests/ uses Python',
      'pytest-plugin: nothing in tests/ uses pytest',
      'user-site: nothing in tests/ uses Python',
      'grader-overwrite: the verifier runs no program that the task left in its image',
      'reward-txt',
      'out-minimal: the instruction names no output file that is not there already',
      'out-duplicate: the instruction names no output with records',
      'reward-block#1',
      'reward-block#2',
      'reward-block#3',
    ]);
  });

  it('leaves out what the probed agent cannot do, and trusts only a whole probe', () => {
    const probe = 'uid=1000\nworkdir=/app\nwritable=/app\nwritable=/logs/verifier\n';
    const ids = ['tests-config', 'root-config', 'workdir-shadow', 'user-site'];
    expect(shown(planCheats(catalogue, pytestTask, parseProbe(`${probe}end=1\n`), { strategies: ids }))).toEqual([
      'tests-config: the agent cannot write to /tests',
      'root-config: the agent cannot write to /',
      'workdir-shadow',
      'user-site: there is no Python in the image',
    ]);
    expect(shown(planCheats(catalogue, pytestTask, parseProbe(probe), { strategies: ids }))).toEqual(ids);
  });

  it('takes ids and labels of single runs', () => {
    const chosen = ['reward-block#2', 'reward-txt'];
    expect(shown(planCheats(catalogue, shellTask, null, { strategies: chosen }))).toEqual([
      'reward-txt',
      'reward-block#2',
    ]);
    expect(unknownStrategies(catalogue, [...chosen, 'reward-txt#1', 'reward-block#4', 'no-such'])).toEqual([
      'reward-txt#1',
      'reward-block#4',
      'no-such',
    ]);
  });

  it('runs level 3 and what is no default only when asked, and level 3 last', () => {
    const [first] = catalogue;
    if (first === undefined) throw new Error('no strategies');
    const third: Strategy = { ...first, id: 'a-third', level: 3 };
    const odd: Strategy = { ...first, id: 'odd', isDefault: false };
    const all = [third, odd, ...catalogue];
    const labels = shown(planCheats(all, pytestTask, null, { strategies: null }));
    expect(labels).not.toContain('a-third');
    expect(labels).not.toContain('odd');
    expect(shown(planCheats(all, pytestTask, null, { strategies: null, levels: [1, 2, 3] })).at(-1)).toBe('a-third');
    expect(shown(planCheats(all, pytestTask, null, { strategies: ['a-third', 'odd'] }))).toEqual(['odd', 'a-third']);
  });
});

describe('the files that a script reads', () => {
  const texts = (knowledge: 'blind' | 'informed'): Record<string, string> =>
    Object.fromEntries(factFiles(pytestTask, null, knowledge).map(({ name, text }) => [name.slice(6), text]));

  it('are lists', () => {
    const { 'facts.json': json, ...lists } = texts('informed');
    expect(lists).toEqual({
      'outputs.tsv': 'csv\t/app/out.csv\n',
      'inputs.txt': '/data/in.csv\n',
      'examples.tsv': '1.txt\t/app/out.csv\n',
      'examples/1.txt': 'id,n\na,1\n',
      'keys.txt': 'id\nn\n',
      'reward-key.json': '"reward"\n',
      'third-party-imports.txt': 'yaml\n',
      'graders.txt': '/opt/check\n',
      'success-words.txt': 'ALL OK\n',
    });
    expect(JSON.parse(json ?? '')).toEqual(pytestTask);
  });

  it('keep what was read in tests/ from a blind cheat', () => {
    const blind = JSON.stringify(texts('blind'));
    for (const secret of ['yaml', '/opt/check', 'ALL OK', 'test_a']) expect(blind).not.toContain(secret);
    expect(blind).toContain('/app/out.csv');
  });
});
