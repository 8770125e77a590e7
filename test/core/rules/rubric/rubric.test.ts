import { describe, expect, test } from 'vitest';
import { mended, shown } from '../checked';

interface Sample {
  readonly id?: string;
  readonly text: string;
  readonly weight?: number | string;
}

/** A rubric of seven plain criteria and some more. */
function rubric(...more: readonly Sample[]): string {
  const plain: readonly Sample[] = [
    { text: 'Names the full disk as the cause' },
    { text: 'Says that the port is 8443' },
    { text: 'Gives the command that frees the disk' },
    { text: 'States the time zone of every timestamp' },
    { text: 'Lists at least two of the three failing hosts' },
    { text: 'Names host and port of the database' },
    { text: 'Claims support that was not tested', weight: -3 },
  ];
  return [...plain, ...more]
    .map(
      ({ id, text, weight = 2 }, index) =>
        `[[criteria]]\nid = "${id ?? `c${index + 1}`}"\ntext = '${text}'\nweight = ${weight}\n`,
    )
    .join('\n');
}

const about = (ruleId: string, ...more: readonly Sample[]): Promise<readonly string[]> =>
  shown(ruleId, { 'rubric.toml': rubric(...more) });
/** The words at the range of each finding of a rule about one more criterion. */
async function words(ruleId: string, text: string, weight = 2): Promise<readonly string[]> {
  return (await about(ruleId, { text, weight })).map((line) => /:\d+:"((?:[^"\\]|\\.)*)"/u.exec(line)?.[1] ?? '');
}

describe('rubric-syntax', () => {
  test.each([
    [
      'rubric.toml',
      '[[criteria]]\nweight = 3\n',
      [
        'error rubric.toml:1:"[[criteria]]" Criterion 1 has no id.',
        'error rubric.toml:1:"[[criteria]]" Criterion 1 has no text.',
      ],
    ],
    ['rubric.toml', 'criteria = 3\n', ['error rubric.toml:1:"criteria" criteria is not a list.']],
    ['rubric.toml', 'a = \n', [expect.stringMatching(/^error rubric\.toml:1:/u)]],
    ['rubric.yaml', 'rules: []\n', ['error rubric.yaml:1:"rules: []" The rubric has no list named criteria.']],
    [
      'rubric.yaml',
      'criteria:\n  - id: a\n    text: ""\n    weight: 1\n',
      ['error rubric.yaml:3:"\\"\\"" The text of criterion a is empty.'],
    ],
    [
      'rubric.json',
      '{"criteria": [{"id": "a", "text": "x", "weight": 1},]}',
      ['error rubric.json:1:"]" This is no JSON.'],
    ],
  ])('%s %j', async (file, text, expected) => {
    expect(await shown('rubric-syntax', { [file]: text })).toEqual(expected);
  });

  test.each([
    ['rubric.toml', rubric()],
    ['rubric.yaml', 'criteria:\n  - { id: a, text: Names it, weight: 1, guidance: more, tags: [x] }\n'],
    ['rubric.json', '{"criteria": [{"id": "a", "text": "Names it", "weight": 1}]}'],
    ['notes.toml', 'a = 1\n'],
  ])('is silent about %s %#', async (file, text) => {
    expect(await shown('rubric-syntax', { [file]: text })).toEqual([]);
  });
});

describe('rubric-weight', () => {
  test.each([
    [0, 'is 0, so that it counts for nothing. [Write 1]'],
    [2.5, 'is 2.5, which is no whole number. [Write 3]'],
    [11, 'is 11, which is not from -10 to 10. [Write 10]'],
    ['"3"', 'is no number. [Write 3]'],
  ])('%s', async (weight, expected) => {
    const [finding] = await about('rubric-weight', { text: 'Names it', weight });
    expect(finding).toContain(`The weight of c8 ${expected}`);
  });

  test('a missing weight, a legal one, and the fix', async () => {
    expect(await shown('rubric-weight', { 'rubric.yaml': 'criteria:\n  - id: a\n    text: Names it\n' })).toEqual([
      'error rubric.yaml:2:"id: a" a has no weight.',
    ]);
    expect(await about('rubric-weight', { text: 'x', weight: -10 })).toEqual([]);
    expect(
      await mended(
        'rubric-weight',
        { 'rubric.json': '{"criteria": [{"id": "a", "text": "x", "weight": "7"}]}' },
        'Write 7',
        'rubric.json',
      ),
    ).toBe('{"criteria": [{"id": "a", "text": "x", "weight": 7}]}');
  });
});

test('rubric-no-positive', async () => {
  const only = (weight: number): string => `criteria:\n  - { id: a, text: Claims it, weight: ${weight} }\n`;
  expect(await shown('rubric-no-positive', { 'rubric.yaml': only(-2) })).toEqual([
    'error rubric.yaml:1:"criteria" No criterion of the rubric has a positive weight.',
  ]);
  expect(await shown('rubric-no-positive', { 'rubric.yaml': only(2) })).toEqual([]);
});

test('rubric-size', async () => {
  expect(
    await shown('rubric-size', { 'rubric.yaml': 'criteria:\n  - { id: a, text: Names it, weight: 1 }\n' }),
  ).toEqual(['information rubric.yaml:1:"criteria" The rubric has 1 criterion, fewer than 7.']);
  expect(await about('rubric-size')).toEqual([]);
});

test('rubric-duplicate-id', async () => {
  expect(await about('rubric-duplicate-id', { id: 'C1', text: 'Names the owner' })).toEqual([
    'error rubric.toml:37:"\\"C1\\"" The id "C1" is taken already, as "c1". [Rename to C1-2]',
  ]);
  expect(await about('rubric-duplicate-id', { text: 'names the  full disk as the cause' })).toEqual([
    'error rubric.toml:38:"\'names the  full disk as the cause\'" Another criterion has the same text.',
  ]);
  expect(await about('rubric-duplicate-id', { text: 'Names the full disk' })).toEqual([]);
});

describe('rubric-compound', () => {
  test.each([
    ['Explains the cause and adds a test', 'and'],
    ['The answer explains the cause, as well as proposes a fix', 'as well as'],
    ['Removes the stale lock; restores the service', ';'],
    ['Covers both the client and the server', 'and'],
    ['Names the cause and states why it came back', 'and'],
  ])('%s', async (text, expected) => {
    expect(await words('rubric-compound', text)).toEqual([expected]);
  });

  test.each([
    'Names host and port',
    'Names the cause and therefore the fix',
    'Uses a lock or an equivalent method',
    'Names limits and tests',
    'Says that it reads and writes the file',
  ])('is silent about %s', async (text) => {
    expect(await words('rubric-compound', text)).toEqual([]);
  });
});

describe('rubric-not-binary', () => {
  test.each([
    ['Rate the clarity', 'Rate'],
    ['Judges how well the cause is explained', 'how well'],
    ['To what extent is the fix safe', 'To what extent'],
    ['Quality of the explanation', 'Quality of'],
    ['Clarity, scored 1-5', '1-5'],
    ['The explanation is clear', 'clear'],
    ['Gives a good explanation', 'good'],
  ])('%s', async (text, expected) => {
    expect(await words('rubric-not-binary', text)).toEqual([expected]);
  });

  test.each([
    'Rates of at least two hosts are given',
    'States the rate of requests',
    'Explains how the lock is clear of races',
    'Gives a good reason why the cache of ship.py is stale',
  ])('is silent about %s', async (text) => {
    expect(await words('rubric-not-binary', text)).toEqual([]);
  });
});

describe('rubric-not-self-contained', () => {
  test.each([
    ['Gives the correct port', 'the correct port'],
    ['Fixes it as described above', 'as described above'],
    ['Agrees with the reference answer', 'the reference answer'],
    ['Same as the previous criterion, for writes', 'the previous criterion'],
  ])('%s', async (text, expected) => {
    expect(await words('rubric-not-self-contained', text)).toEqual([expected]);
  });

  test.each([
    'Gives the correct port, 8443',
    'Says that the right answer is no',
    'Puts the note above the table',
    'Reads the value in plan.json',
  ])('is silent about %s', async (text) => {
    expect(await words('rubric-not-self-contained', text)).toEqual([]);
  });
});

describe('rubric-polarity', () => {
  test.each([
    ['Does not claim untested support', -3, 'c8 takes 3 points from answers of which “Does not …” is true.'],
    ['Correctly names the port', -1, 'c8 takes 1 point from answers of which “Correctly …” is true.'],
    ['Fails to name the port', 2, 'c8 gives 2 points for a mistake (“Fails to …”).'],
    ['The answer fabricates a port', 2, 'c8 gives 2 points for a mistake (“fabricates …”).'],
  ])('%s at %i', async (text, weight, expected) => {
    expect((await about('rubric-polarity', { text, weight })).map((line) => line.split('" ').at(-1))).toEqual([
      expected,
    ]);
  });

  test.each([
    ['Claims support that was not tested', -3],
    ['Does not touch the vendored code', 2],
    ['Deletes data that does not belong to it', -4],
    ['Fails to name the port', -2],
  ])('is silent about %s at %i', async (text, weight) => {
    expect(await about('rubric-polarity', { text, weight })).toEqual([]);
  });
});

test('rubric-dominant-weight', async () => {
  const weights = (...all: readonly number[]): string =>
    `criteria:\n${all.map((weight, index) => `  - { id: c${index}, text: Names thing ${index}, weight: ${weight} }\n`).join('')}`;
  expect(await shown('rubric-dominant-weight', { 'rubric.yaml': weights(10, 1, 1, -13) })).toEqual([
    'information rubric.yaml:1:"criteria" The pitfalls take 13 points together, more than the 12 that can be reached.',
    'information rubric.yaml:2:"10" c0 has 10 of the 12 points of the rubric.',
  ]);
  expect(await shown('rubric-dominant-weight', { 'rubric.yaml': weights(4, 3, 3, -2) })).toEqual([]);
});

test('rubric-overlap', async () => {
  expect(await about('rubric-overlap', { text: 'Names the full disk as the root cause' })).toEqual([
    'information rubric.toml:38:"\'Names the full disk as the root cause\'" c8 says nearly the same as c1.',
  ]);
  expect(await about('rubric-overlap', { text: 'Says that the port is 9443' })).toEqual([]);
});

test('rubric-testable', async () => {
  expect(await words('rubric-testable', 'The output has 31 rows')).toEqual(['has 31 rows']);
  expect(await words('rubric-testable', 'The program exits with code 0')).toEqual(['exits with code 0']);
  expect(await words('rubric-testable', 'Says that the report has 31 rows')).toEqual([]);
  const untested = { 'rubric.toml': rubric({ text: 'The output has 31 rows' }), 'tests/test.sh': undefined };
  expect(await shown('rubric-testable', untested)).toEqual([]);
});
