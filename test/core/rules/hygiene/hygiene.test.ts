import { describe, expect, test } from 'vitest';
import { harborProfile } from '../../../../src/core/rules/profile';
import { hygieneCanary } from '../../../../src/core/rules/hygiene/hygiene-canary';
import { readTaskFolder, subjectOfReading } from '../../../../src/core/model/task-reading';
import { runRules } from '../../../../src/core/rules/run';
import { grammars } from '../../grammars';
import type { Tree } from '../../memory-files';
import { memoryFiles, taskTree } from '../../memory-files';
import type { Changes } from '../checked';
import { mended, shown } from '../checked';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('hygiene-junk-file', () => {
  test('tells what programs leave, a folder once', async () => {
    expect(
      await shown('hygiene-junk-file', {
        'tests/__pycache__/a.pyc': bytes(4),
        'tests/__pycache__/b.pyc': bytes(4),
        'environment/.DS_Store': bytes(4),
        'notes.txt~': 'x',
      }),
    ).toEqual([
      'warning environment/.DS_Store:1:"" environment/.DS_Store is left behind by a file manager, no part of the task.',
      'warning notes.txt~:1:"" notes.txt~ is a copy that an editor left, no part of the task.',
      'warning tests/__pycache__:1:"" tests/__pycache__ is Python\'s compiled files, no part of the task.',
    ]);
  });

  test('is information where Git leaves it out, and silent where the task means it', async () => {
    expect(
      await shown('hygiene-junk-file', { '.gitignore': '__pycache__/\n', 'tests/__pycache__/a.pyc': bytes(4) }),
    ).toEqual([
      'information tests/__pycache__:1:"" tests/__pycache__ is Python\'s compiled files, no part of the task.',
    ]);
    expect(
      await shown('hygiene-junk-file', {
        'environment/game.pyc': bytes(4),
        'instruction.md': 'Restore the source of /app/game.pyc as /app/game.py.\n',
        'tests/data.swap': 'x',
      }),
    ).toEqual([]);
  });
});

test('hygiene-large-file', async () => {
  const changes: Changes = {
    'environment/data.bin': bytes(6_000_000),
    'environment/data.csv': 'a'.repeat(1_200_000),
    'environment/model.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
    'environment/small.csv': 'a',
  };
  expect(await shown('hygiene-large-file', changes)).toEqual([
    'warning environment/data.bin:1:"" environment/data.bin has 6.0 MB.',
    'information environment/data.csv:1:"" environment/data.csv is a text of 1.2 MB.',
    'information environment/model.bin:1:"" environment/model.bin is a pointer of Git LFS; it ships as it is where LFS does not fetch the file.',
  ]);
  const many = Object.fromEntries(
    Array.from({ length: 13 }, (_, index) => [`environment/${index}.bin`, bytes(4_000_000)]),
  );
  expect(await shown('hygiene-large-file', many)).toEqual([
    'warning environment/0.bin:1:"" The files of the task have 52 MB together, environment/0.bin the most with 4.0 MB.',
  ]);
});

describe('hygiene-host-path', () => {
  test('tells paths of one machine', async () => {
    expect(
      await shown('hygiene-host-path', {
        'solution/solve.sh': '#!/bin/bash\ncp /Users/ida/kiln/in.csv /app/answer.txt\ncat /home/ida/x.txt\n',
        'tests/test_a.py': "DATA = 'C:\\\\Users\\\\ida\\\\x.csv'\n",
      }),
    ).toEqual([
      'warning solution/solve.sh:2:"/Users/ida/kiln/in.csv" /Users/ida/kiln/in.csv is a path of one person\'s machine.',
      'information solution/solve.sh:3:"/home/ida/x.txt" Nothing else in the task knows a user ida, whose home /home/ida/x.txt is in.',
      'warning tests/test_a.py:1:"C:\\\\\\\\Users\\\\\\\\ida\\\\\\\\x.csv" C:\\\\Users\\\\ida\\\\x.csv is a path of one person\'s machine.',
    ]);
  });

  test('is silent about users of the image, data, placeholders and examples', async () => {
    expect(
      await shown('hygiene-host-path', {
        'environment/Dockerfile': 'FROM python:3.13-slim\nRUN useradd -m ida\n',
        'solution/solve.sh': '#!/bin/bash\ncat /home/ida/x.txt /home/ubuntu/y /Users/<name>/z > /app/answer.txt\n',
        'environment/access.log': 'GET /Users/ida/profile 200\n',
        'README.md': '```\ncd /Users/ida/tasks\n```\n',
        'tests/test_a.py': 'URL = "http://x/Users/ida/"\n',
      }),
    ).toEqual([]);
  });
});

describe('hygiene-crlf', () => {
  test('tells it of scripts, and mends it', async () => {
    const changes: Changes = { 'environment/setup-db.sh': 'set -e\r\necho 1\r\n', 'tests/test_a.py': 'x = 1\r\n' };
    expect(await shown('hygiene-crlf', changes)).toEqual([
      'warning environment/setup-db.sh:1:"set -e" 2 lines of environment/setup-db.sh end in CRLF. [Convert to LF*]',
      'information tests/test_a.py:1:"x = 1" A line of tests/test_a.py ends in CRLF. [Convert to LF*]',
    ]);
    expect(await mended('hygiene-crlf', changes, 'Convert to LF', 'environment/setup-db.sh')).toBe('set -e\necho 1\n');
  });

  test('leaves #! lines to the rule about them, and data alone', async () => {
    expect(
      await shown('hygiene-crlf', { 'tests/test.sh': '#!/bin/bash\r\necho 0\r\n', 'environment/data.csv': 'a,b\r\n' }),
    ).toEqual([]);
  });
});

test('hygiene-symlink', async () => {
  // The editor's types take a property of this name for a method of strings that is out of date.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const to = (target: string): Tree[string] => ({ link: target });
  expect(
    await shown('hygiene-symlink', {
      'environment/a': to('/tasks/sound/environment/Dockerfile'),
      'environment/gone': to('/nowhere'),
    }),
  ).toEqual([
    'warning environment/a:1:"" environment/a leads to /tasks/sound/environment/Dockerfile, an absolute path, which another machine does not have.',
    'warning environment/gone:1:"" environment/gone leads to /nowhere, an absolute path, which another machine does not have.',
  ]);
});

test('hygiene-case-collision', async () => {
  expect(
    await shown('hygiene-case-collision', {
      'environment/Data.csv': 'a',
      'environment/data.csv': 'a',
      'environment/caf\u00e9': 'a',
      'environment/cafe\u0301': 'a',
      'tests/Data.csv': 'a',
    }),
  ).toEqual([
    expect.stringMatching(
      /^warning environment\/caf.*differs from environment\/caf.* only in the form of a letter\.$/u,
    ),
    'warning environment/data.csv:1:"" environment/data.csv differs from environment/Data.csv only in upper and lower case.',
  ]);
});

describe('hygiene-canary', () => {
  const canary = 'sample canary 1234';
  const found = async (changes: Changes): Promise<readonly string[]> => {
    const reading = await readTaskFolder(memoryFiles(taskTree('/tasks/sound', changes)), '/tasks/sound');
    const profile = { ...harborProfile, canary, canaryFiles: ['instruction.md', 'tests/**/*.py', '*.sh'] };
    const subject = subjectOfReading(reading, { profile, grammars });
    return runRules([hygieneCanary], subject).map(({ file, fixes }) => `${file} ${JSON.stringify(fixes[0]?.edits[0])}`);
  };

  test('asks for it in the files of the profile, as a comment of their kind', async () => {
    expect(
      await found({ 'tests/deep/test_a.py': 'x = 1\n', 'solution/solve.sh': `#!/bin/bash\n# ${canary}\n` }),
    ).toEqual([
      'instruction.md {"file":"instruction.md","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"<!-- sample canary 1234 -->\\n"}',
      'tests/deep/test_a.py {"file":"tests/deep/test_a.py","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"# sample canary 1234\\n"}',
      'tests/test.sh {"file":"tests/test.sh","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":0}},"newText":"# sample canary 1234\\n"}',
    ]);
  });

  test('is off in the default profile', async () => {
    expect(await shown('hygiene-canary', {})).toEqual([]);
  });
});
