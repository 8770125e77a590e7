import { describe, expect, it, test } from 'vitest';
import type { PathMention } from '../../../../src/core/text/markdown/instruction-text';
import { readInstruction } from '../../../../src/core/text/markdown/read-instruction';

const mentions = (text: string): ReturnType<typeof readInstruction>['mentions'] => readInstruction(text).mentions;
const paths = (text: string): readonly PathMention[] => mentions(text).paths;

/** `path role flags`, for a compact look at what was found. */
const shown = (text: string): readonly string[] =>
  paths(text).map((mention) => {
    const { form, path, folder, pattern, command, joined, context } = mention;
    const flags = Object.entries({
      folder,
      pattern,
      command,
      joined,
      example: context.example,
      optional: context.optional,
      negated: context.negated,
    });
    return [path, form, context.role, ...flags.flatMap(([name, value]) => (value ? [name] : []))].join(' ');
  });

describe('paths', () => {
  it.each([
    ['Write the plan to `/srv/out/plan.json`.', ['/srv/out/plan.json absolute output']],
    ['Read /srv/in.csv, then stop.', ['/srv/in.csv absolute input']],
    ['Fix the bug in /srv/app.py.', ['/srv/app.py absolute edited']],
    ['Do not modify `/srv/vendor/`.', ['/srv/vendor absolute protected folder negated']],
    ['`/srv/in.csv` is read-only.', ['/srv/in.csv absolute protected']],
    ['`/srv/out.json` must contain one row.', ['/srv/out.json absolute output']],
    ['The data is stored in /srv/db.sqlite.', ['/srv/db.sqlite absolute input']],
    ['Copy `/srv/a.txt` to `/srv/b.txt`.', ['/srv/a.txt absolute input', '/srv/b.txt absolute output']],
    ['You may write notes to `/srv/notes.md`.', ['/srv/notes.md absolute output optional']],
    ['Write logs such as `/srv/a.log`.', ['/srv/a.log absolute output example']],
    [
      'Write `/srv/part-N.log` and `/srv/*.csv`.',
      ['/srv/part-N.log absolute output pattern', '/srv/*.csv absolute output pattern'],
    ],
    [
      'Run `./build.sh` and `python3 /srv/x.py --out=/srv/y.json`.',
      ['build.sh relative input command', '/srv/x.py absolute input command', '/srv/y.json absolute input command'],
    ],
    ['Inputs are in `~/data/a.csv`.', ['~/data/a.csv absolute input']],
  ])('%s', (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it('joins a folder and a name of one sentence, item or list', () => {
    expect(shown('In `/srv/x`, write a file `y.json`.')).toEqual([
      '/srv/x absolute unclear',
      'y.json name output',
      '/srv/x/y.json absolute output joined',
    ]);
    const list = shown('Create in `/srv/out`:\n\n- `a.csv`: rows\n- `sub/b.csv`: sums\n');
    expect(list.filter((line) => line.includes('joined'))).toEqual([
      '/srv/out/a.csv absolute output joined',
      '/srv/out/sub/b.csv absolute output joined',
    ]);
  });

  it('reads drawings of folders', () => {
    const text = 'Write to `/srv/out`:\n\n```\n├── plan.json   # the plan\n├── sub/\n│   └── a.csv\n└── b.csv\n```\n';
    expect(
      paths(text)
        .filter(({ context }) => context.place === 'fence')
        .map(({ path }) => path),
    ).toEqual(['/srv/out/plan.json', '/srv/out/sub', '/srv/out/sub/a.csv', '/srv/out/b.csv']);
  });

  it.each([
    'Use and/or, TCP/IP, 24/7, n/a, km/h, 1/2 and read/write.',
    'Answer with `application/json`, from `owner/name`, by `python:3.12-slim`.',
    'See e.g. Node.js, example.com, v1.2.3 and `obj.attr`.',
    'A `.csv` or `.tar.gz` file.',
  ])('sees none in %j', (text) => {
    expect(shown(text)).toEqual([]);
  });

  it('takes what belongs to an HTTP interface for routes', () => {
    const found = mentions('`GET /items` and the endpoint `/health` answer; `/srv/app.py` serves them.');
    expect(found.routes.map(({ name }) => name)).toEqual(['/items', '/health']);
    expect(found.paths.map(({ path }) => path)).toEqual(['/srv/app.py']);
  });

  it('knows the folder that work is done in', () => {
    expect(mentions('The repository is cloned in `/srv/app`. Fix `src/a.py`.').base?.path).toBe('/srv/app');
    expect(mentions('Write `/srv/app/x.txt`.').base).toBeNull();
  });

  it('takes comments for text of the agent', () => {
    expect(
      paths('Do it.\n\n<!-- the input is /srv/in.csv -->\n').map(({ path, context }) => [path, context.place]),
    ).toEqual([['/srv/in.csv', 'comment']]);
  });
});

test('addresses', () => {
  const { urls, ports } = mentions(
    'Serve http://localhost:8080/items?a=1, on port 9000, or `ports 80 and 443`; `redis:7`, 10:30.\n\n```\ncurl 127.0.0.1:5000/x\n```\n',
  );
  expect(urls.map(({ scheme, host, port, path }) => [scheme, host, port, path])).toEqual([
    ['http', 'localhost', 8080, '/items?a=1'],
  ]);
  expect(ports.map(({ port, host }) => [port, host])).toEqual(
    expect.arrayContaining([
      [9000, null],
      [80, null],
      [443, null],
      [5000, '127.0.0.1'],
    ]),
  );
  expect(ports.some(({ port }) => port === 7 || port === 30)).toBe(false);
});

test('numbers with units', () => {
  const { numbers } = mentions(
    'Wait at most 2.5 seconds, 10 MB, 1,000 rows, 5% or `0.05`; v1.2.3, 2024-01-02 and /srv/3.txt are none.',
  );
  expect(numbers.map(({ value, unit }) => [value, unit])).toEqual([
    [2.5, 'second'],
    [10, 'mb'],
    [1000, 'row'],
    [5, '%'],
    [0.05, null],
  ]);
});

test('functions and variables', () => {
  const { functions, variables } = mentions(
    'Provide `build_plan(stops)` and load(). Set `$LOG_DIR`, MAX_ROWS and the environment variable `PORT`; NASA and USA are none.',
  );
  expect(functions.map(({ name }) => name)).toEqual(['build_plan', 'load']);
  expect(variables.map(({ name }) => name)).toEqual(['LOG_DIR', 'MAX_ROWS', 'PORT']);
});

test('keys of examples and of prose', () => {
  const { keys } = mentions(
    'Each object has the keys `line` and "late".\n\n- `total`: sum\n\n```json\n{"a": {"b-c": 1}}\n```\n\n```csv\nhive,weight kg\n1,2\n```\n\n```yaml\nx:\n  - y: 1\n```\n',
  );
  expect(keys.map(({ key, source }) => `${key} ${source}`)).toEqual([
    'line prose',
    'late prose',
    'total prose',
    'a json',
    'b-c json',
    'hive csv',
    'weight kg csv',
    'x yaml',
    'y yaml',
  ]);
});
