import { expect, test } from 'vitest';
import { startedBy } from '../../../src/core/model/started-program';

const shown = (line: string, folder: string | null = '/srv'): unknown => {
  const started = startedBy(
    line.split(' ').map((word) => (word === '?' ? null : word)),
    folder,
  );
  if (started?.kind !== 'pytest') return started;
  const targets = started.targets.map(({ path, node }) => (node === null ? path : `${path} ${node}`));
  return [...targets, ...(started.certain ? [] : ['?']), ...(started.selects ? ['selects'] : [])];
};

test.each([
  ['pytest', []],
  ['pytest /tests -q -rA', ['/tests']],
  ['pytest -c /dev/null --rootdir=/tests -p no:cacheprovider /tests/a.py', ['/tests/a.py']],
  ['pytest --ctrf /logs/verifier/ctrf.json /tests/a.py::TestA::test_b', ['/tests/a.py TestA::test_b']],
  ['pytest tests -k late', ['/srv/tests', 'selects']],
  ['pytest ?', ['?']],
  ['python3 -m pytest /tests', ['/tests']],
  ['python3 -I -m pytest a.py', ['/srv/a.py']],
  ['/usr/bin/python3.11 -Im pytest a.py', ['/srv/a.py']],
  ['uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /x.json /tests -rA', ['/tests']],
  ['uvx --with pytest pytest /tests', ['/tests']],
  ['uv run pytest /tests', ['/tests']],
  ['uv run --with pytest==8.4.1 python -m pytest /tests', ['/tests']],
  ['poetry run pytest a.py', ['/srv/a.py']],
])('%s runs pytest', (line, expected) => {
  expect(shown(line)).toEqual(expected);
});

test.each([
  ['python3 /tests/grade.py --all', { kind: 'python', path: '/tests/grade.py' }],
  ['python3 -u -X dev grade.py', { kind: 'python', path: '/srv/grade.py' }],
  ['python3 -c pass', { kind: 'other', path: null }],
  ['python3 -m http.server', { kind: 'other', path: null }],
  ['python3 -m unittest discover', { kind: 'unittest', certain: true }],
  ['bash -eu /tests/a.sh', { kind: 'shell', path: '/tests/a.sh' }],
  ['bash -c ls', { kind: 'shell', path: null }],
  ['/tests/a.sh', { kind: 'shell', path: '/tests/a.sh' }],
  ['./a.py', { kind: 'python', path: '/srv/a.py' }],
  ['node /tests/a.js', { kind: 'other', path: '/tests/a.js' }],
  ['echo pytest', null],
  ['pip install pytest', null],
  ['?', null],
])('%s', (line, expected) => {
  expect(shown(line)).toEqual(expected);
});

test('without a folder a relative path is unknown', () => {
  expect(shown('pytest a.py', null)).toEqual(['?']);
  expect(shown('python3 a.py', null)).toEqual({ kind: 'python', path: null });
});
