import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../../src/core/rules/catalogue';

const families =
  'structure config suppression docker compose instruction verifier tests solution consistency hygiene rubric';
const folder = path.join(import.meta.dirname, '../../../src/core/rules');

test('every rule has an identity, a file, a reason, inputs and a page of its own', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, why, inputs, docs } of rules) {
    const family = id.slice(0, id.indexOf('-'));
    expect(families.split(' '), id).toContain(family);
    expect(existsSync(path.join(folder, family, `${id}.ts`)), id).toBe(true);
    expect(why, id).toMatch(/^\S.*\.$/u);
    expect(inputs.length, id).toBeGreaterThan(0);
    for (const text of [docs?.finds, docs?.silent]) expect(text, id).toMatch(/^\S.*[.:]$/u);
    for (const example of [docs?.bad, docs?.good]) expect(example?.trim(), id).toBeTruthy();
    expect(docs?.bad, id).not.toBe(docs?.good);
  }
});

test('every rule is tried out by a test', () => {
  const tests = path.join(import.meta.dirname, '..');
  const texts = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(tests, name), 'utf8'))
    .join('\n');
  const named = new Set(texts.match(/\b[a-z]+(?:-[a-z]+)+\b/gu));
  expect(rules.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
});
