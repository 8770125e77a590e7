import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { plainValue } from '../../../src/core/task/decode-free';
import { taskSchema } from '../../../src/core/task/schema';
import { readToml } from '../../../src/core/text/toml';

const ajv = new Ajv({ strict: false, strictNumbers: false, allErrors: true });
const validate = ajv.compile(taskSchema());

interface ConformanceLine {
  readonly id: string;
  readonly toml: string;
  readonly valid: boolean;
}

const lines = readFileSync(join(import.meta.dirname, '../../conformance/task-toml.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ConformanceLine);

function accepts(text: string): boolean {
  const toml = readToml(text);
  if (!toml.ok) return false;
  return validate(plainValue(toml.root));
}

describe('the JSON Schema of task.toml', () => {
  it('refuses nothing that Harbor accepts', () => {
    const accepted = lines.filter(({ valid }) => valid);
    expect(accepted.length).toBeGreaterThan(500);
    expect(accepted.filter(({ toml }) => !accepts(toml)).map(({ toml }) => toml)).toEqual([]);
  });

  it('refuses most of what Harbor refuses', () => {
    const refused = lines.filter(({ valid }) => !valid);
    const found = refused.filter(({ toml }) => !accepts(toml));
    expect(found.length / refused.length).toBeGreaterThan(0.85);
  });

  it.each([
    ['a wrong type', '[environment]\ncpus = "two"\n'],
    ['a wrong choice', '[environment]\nos = "amiga"\n'],
    ['a missing key', '[task]\ndescription = "x"\n'],
    ['a bad name', '[task]\nname = "x"\n'],
    ['a number in a table of variables', '[verifier.env]\nPORT = 8080\n'],
  ])('refuses %s', (_what, text) => {
    expect(accepts(text)).toBe(false);
  });
});
