import { describe, expect, test } from 'vitest';
import { hasWord, isNamed, mentionOf } from '../../../src/core/model/path-words';

describe('mentionOf', () => {
  test.each([
    ['Write `/srv/out.json`.', '/srv/out.json', 'path'],
    ['Write /srv/out.json.', '/srv/out.json', 'path'],
    ['Write `out.json` there.', '/srv/out.json', 'name'],
    ['Write a late report.', '/srv/late_report.json', 'stem'],
    ['Write the Late-Report.', '/srv/late_report.json', 'stem'],
    ['Write `part-N.log`.', '/srv/part-3.log', 'pattern'],
    ['One file each in `/srv/out/<name>.csv`.', '/srv/out/a.csv', 'pattern'],
    ['Put it into /srv/out.', '/srv/out/a.csv', 'folder'],
    ['Write `/srv/out.json.bak`.', '/srv/out.json', null],
    ['Write `layout.json`.', '/srv/out.json', null],
    ['In /srv.', '/srv/x1.csv', null],
    ['', '/srv/out.json', null],
    ['Write `a+b (1).txt`.', '/srv/[c*d.txt', null],
  ])('%j of %s: %s', (text, path, mention) => {
    expect(mentionOf(text, path)).toBe(mention);
  });

  test('a word that is only like the name hands nothing out', () => {
    expect(isNamed('the expected values', '/srv/expected.json')).toBe(false);
    expect(isNamed('`expected.json`', '/srv/expected.json')).toBe(true);
  });
});

test.each([
  ['a-b', 'b', false],
  ['a b', 'b', true],
  ['b.', 'b', true],
  ['b.c', 'b', false],
  ['/x/b/c', '/x/b', true],
  ['y/x/b', '/x/b', false],
  ['8080', '808', false],
])('hasWord(%j, %j) is %s', (text, word, found) => {
  expect(hasWord(text, word)).toBe(found);
});
