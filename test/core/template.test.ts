import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPackageName, nameTask, packageNameFor } from '../../src/core/template';

describe('package names', () => {
  it.each(['a/b', 'A/B', 'a_b/c.d', '0/1'])('%s is one', (name) => {
    expect(isPackageName(name)).toBe(true);
  });
  it.each(['a', 'a/b/c', '-a/b', 'a/.b', 'a/b..c', 'a/b ', '', '/', 'a/b\n'])('%j is none', (name) => {
    expect(isPackageName(name)).toBe(false);
  });

  it.each([
    ['order-totals', 'local/order-totals'],
    ['My Task', 'local/my-task'],
    ['…tide 🌊 table…', 'local/tide-table'],
    ['a..b', 'local/a.b'],
    ['🌊', null],
  ])('of the folder %j is %j', (folder, name) => {
    expect(packageNameFor(folder)).toBe(name);
    if (name !== null) expect(isPackageName(name)).toBe(true);
  });
});

describe('naming a task', () => {
  it('changes nothing else in the template', () => {
    const text = readFileSync(join(import.meta.dirname, '../../media/template/task.toml'), 'utf8');
    const named = nameTask(text, 'acme/$&-x');
    expect(named?.split('\n').filter((line, index) => line !== text.split('\n')[index])).toEqual([
      'name = "acme/$&-x"',
    ]);
  });

  it('says so when there is no place for the name', () => {
    expect(nameTask('[agent]\n', 'a/b')).toBeNull();
  });
});
