import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Derivation, FileReader } from '../../../src/core/model/subject';
import { readTaskFolder } from '../../../src/core/model/task-reading';
import { judgeReading } from '../../../src/core/rules/check';
import type { JudgedTask } from '../../../src/core/rules/check';
import { harborProfile } from '../../../src/core/rules/profile';
import { openSession } from '../../../src/core/rules/session';
import { defaultSettings } from '../../../src/core/settings/settings';
import { grammars } from '../grammars';
import type { Tree } from '../memory-files';
import { memoryFiles, taskTree } from '../memory-files';

const dir = '/tasks/edited';

const start: Readonly<Record<string, string>> = {
  'instruction.md':
    '# Totals\n\nRead `/app/data/orders.csv` and write the sum of `amount` to `/app/out/total.json`:\n\n```json\n{"total": 0}\n```\n\nThe service listens on port 8080.\n',
  'environment/Dockerfile':
    'FROM python:3.13-slim\nRUN apt-get update && apt-get install -y curl\nCOPY data/ /app/data/\nRUN useradd dev\nUSER dev\nWORKDIR /app\n',
  'environment/data/orders.csv': 'id,amount\n1,5\n2,7\n',
  'tests/test.sh':
    '#!/bin/bash\nset -u\npython3 -m pytest /tests/test_total.py\nif [ $? -eq 0 ]; then\n  echo 1 > /logs/verifier/reward.txt\nelse\n  echo 0 > /logs/verifier/reward.txt\nfi\n',
  'tests/test_total.py':
    'import json\nfrom pathlib import Path\n\nOUT = Path("/app/out/total.json")\n\n\ndef test_total():\n    assert json.loads(OUT.read_text())["total"] == 12\n',
  'solution/solve.sh': '#!/bin/bash\nset -e\nmkdir -p /app/out\necho \'{"total": 12}\' > /app/out/total.json\n',
};

const paths = ['task.toml', ...Object.keys(start), 'README.md', 'tests/new/more.py', 'steps/one/instruction.md'];

const snippets = [
  '',
  '\n',
  '# comment\n',
  'set -e\n',
  'exit 1\n',
  'cat <<EOF\n/tests/x\nEOF\n',
  'echo 1 > /logs/verifier/reward.txt\n',
  'def test_total():\n    assert True\n',
  'import missing\n',
  'COPY ../tests /tests\n',
  'FROM ubuntu:latest AS base\n',
  '[verifier]\nenvironment_mode = "separate"\n',
  '[[steps]]\nname = "one"\n',
  'user = "root"\n',
  'cpus = 0\n',
  '"""',
  "'",
  '(((',
  '🌊 /home/ida/x\r\n',
];

const edit = fc.record({
  path: fc.constantFrom(...paths),
  at: fc.nat(300),
  removed: fc.nat(30),
  added: fc.constantFrom(...snippets),
  kind: fc.constantFrom('type', 'type', 'type', 'close', 'save', 'remove'),
});

function tree(files: Readonly<Record<string, string | undefined>>): Tree {
  return taskTree(dir, { ...start, ...files });
}

function onTrouble(ruleId: string, error: unknown): void {
  throw new Error(`${ruleId} threw`, { cause: error });
}

async function fresh(files: Tree): Promise<JudgedTask> {
  return judgeReading(await readTaskFolder(memoryFiles(files), dir), { grammars, onTrouble });
}

describe('a session', () => {
  test('says after any edits what a fresh check says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
        const saved: Record<string, string | undefined> = {};
        const open = new Map<string, string>();
        const session = await openSession(memoryFiles(tree(saved)), dir, { grammars, onTrouble });
        await session.judge();
        for (const { path, at, removed, added, kind } of edits) {
          const onDisk = tree(saved)[`${dir}/${path}`];
          const now = open.get(path) ?? (typeof onDisk === 'string' ? onDisk : '');
          if (kind === 'type') {
            const text = now.slice(0, at) + added + now.slice(at + removed);
            open.set(path, text);
            session.update(path, text);
          } else if (kind === 'close') {
            open.delete(path);
            session.update(path, null);
          } else {
            saved[path] = kind === 'remove' ? undefined : now;
            await session.reload(memoryFiles(tree(saved)));
          }
          const expected = await fresh({
            ...tree(saved),
            ...Object.fromEntries([...open].map(([name, text]) => [`${dir}/${name}`, text])),
          });
          expect(await session.judge()).toEqual(expected);
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test('reads a file again only when it changed', async () => {
    const session = await openSession(memoryFiles(tree({})), dir, { grammars });
    const reads: string[] = [];
    const reader: FileReader<number> = {
      name: 'length',
      read: (text) => {
        reads.push(text.slice(0, 11));
        return text.length;
      },
    };
    const sum: Derivation<number> = {
      name: 'sum',
      derive: (subject) => (subject.read(reader, 'tests/test.sh') ?? 0) + (subject.disk?.texts.size ?? 0),
    };
    session.subject.derive(sum);
    session.update('instruction.md', 'New.\n');
    session.subject.derive(sum);
    expect(reads).toEqual(['#!/bin/bash']);
    session.update('tests/test.sh', 'exit 0\n');
    expect(session.subject.derive(sum)).toBe(7 + 7);
    expect(reads).toEqual(['#!/bin/bash', 'exit 0\n']);
  });

  test('keeps an open text over the disk, and forgets it when it is closed', async () => {
    const session = await openSession(memoryFiles(tree({})), dir, { grammars });
    session.update('task.toml', 'cpus = 1\n[agent]\ntimeout_sec = 0\n');
    await session.reload(memoryFiles(tree({ 'task.toml': '' })));
    expect(session.subject.text('task.toml')).toContain('timeout_sec = 0');
    session.update('task.toml', null);
    expect(session.subject.text('task.toml')).toBe('');
  });

  test('follows settings', async () => {
    const session = await openSession(memoryFiles(tree({ 'task.toml': '[agent]\nx = 1\n' })), dir, { grammars });
    const before = await session.judge();
    expect(before?.findings.map(({ ruleId }) => ruleId)).toContain('config-unknown-key');
    session.configure({
      ...defaultSettings,
      profile: harborProfile,
      rules: new Map([['config-unknown-key', 'off']]),
    });
    expect((await session.judge())?.findings.map(({ ruleId }) => ruleId)).not.toContain('config-unknown-key');
  });

  test('gives way between rules, and takes what changes meanwhile', async () => {
    const session = await openSession(memoryFiles(tree({})), dir, { grammars });
    let turns = 0;
    const judged = await session.judge({
      pause: async () => {
        turns++;
        if (turns === 5) session.update('task.toml', 'nonsense = 1\n');
      },
    });
    expect(judged).toEqual(await fresh(tree({ 'task.toml': 'nonsense = 1\n' })));
    const controller = new AbortController();
    controller.abort();
    session.update('task.toml', '');
    expect(await session.judge({ signal: controller.signal })).toBe(null);
  });
});
