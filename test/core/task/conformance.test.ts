import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseTaskConfig } from '../../../src/core/task/parse';

/** One line of test/conformance/task-toml.jsonl: an input, and what Harbor's own loader said. */
interface Case {
  readonly id: string;
  readonly group: string;
  readonly toml: string;
  readonly valid: boolean;
  readonly stage?: 'syntax' | 'schema' | 'crash';
  readonly errors?: readonly { readonly path: readonly (string | number)[]; readonly type: string }[];
}

const lines = readFileSync(path.join(import.meta.dirname, '../../conformance/task-toml.jsonl'), 'utf8').split('\n');
const cases = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Case);

// Names of union branches stand between or behind the keys; they are no part of the place.
const isBranch = (part: string | number): boolean =>
  typeof part === 'string' && /^(?:str|int|float|(?:dict|list|function-after)\[.*\])$/u.test(part);

test('every case of the conformance file agrees with Harbor', () => {
  expect(cases).toHaveLength(2849);
  const disagreements: string[] = [];
  for (const { id, group, toml, valid, stage, errors = [] } of cases) {
    const parsed = parseTaskConfig(toml);
    const complain = (what: string): void => void disagreements.push(`${id} ${group}: ${what}\n${toml}`);
    const found = parsed.findings.filter((finding) => finding.severity === 'error');
    if (parsed.valid !== valid) complain(`valid is ${parsed.valid}`);
    if ((parsed.config !== null) !== parsed.valid) complain('config and valid differ');
    if (found.length > 0 === valid) complain(`${found.length} errors`);
    if ((stage === 'syntax') !== found.some((finding) => finding.ruleId === 'config-syntax')) complain('stage');
    if (stage !== 'schema') continue;
    const paths = new Set(found.map((finding) => JSON.stringify(finding.path)));
    for (const error of errors) {
      const place = JSON.stringify(error.path.filter((part) => !isBranch(part)));
      if (!paths.has(place)) complain(`no error at ${place}, only at ${[...paths].join(' ')}`);
    }
  }
  expect(disagreements).toEqual([]);
});
