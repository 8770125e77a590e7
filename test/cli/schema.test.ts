import { describe, expect, it } from 'vitest';
import { registerSchema } from '../../src/cli/schema';
import { call, temporaryFolder } from './call';

describe('schema', () => {
  it('prints one document, with every table of the format in it', async () => {
    const { code, stdout, stderr } = await call(registerSchema, ['schema'], { cwd: temporaryFolder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const schema = JSON.parse(stdout) as { readonly properties: Readonly<Record<string, { readonly type?: string }>> };
    const tables = ['task', 'metadata', 'agent', 'verifier', 'environment', 'solution'];
    expect(tables.map((name) => schema.properties[name]?.type)).toEqual(tables.map(() => 'object'));
  });

  it('takes no argument', async () => {
    const { code, stdout } = await call(registerSchema, ['schema', 'x'], { cwd: temporaryFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
