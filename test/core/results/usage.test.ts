import { describe, expect, it } from 'vitest';
import { readUsage } from '../../../src/core/results/usage';

const nothing = { inputTokens: null, cacheTokens: null, outputTokens: null, costUsd: null };
const trajectory = (metrics: unknown): string =>
  JSON.stringify({ agent: { name: 'a', version: '3', model_name: 'small' }, final_metrics: metrics });

describe('tokens and cost of an agent', () => {
  it('come from the trajectory', () => {
    const read = readUsage(trajectory({ total_prompt_tokens: 5, total_cost_usd: 0.25 }), '{"n_input_tokens": 9}');
    expect(read).toEqual({
      usage: { inputTokens: 5, cacheTokens: null, outputTokens: null, costUsd: 0.25 },
      version: '3',
      model: { name: 'small', provider: null },
      from: 'trajectory.json',
      remarks: [],
    });
  });

  it('else from the small file', () => {
    const text = '{"n_input_tokens": 9, "n_cache_tokens": 1, "n_output_tokens": 2, "cost_usd": 1}';
    const usage = { inputTokens: 9, cacheTokens: 1, outputTokens: 2, costUsd: 1 };
    expect(readUsage(null, text)).toMatchObject({ usage, from: 'usage.json', model: null });
    expect(readUsage(trajectory(null), text)).toMatchObject({ usage, from: 'usage.json', version: '3' });
  });

  it.each<[string | null, string | null, string[]]>([
    [null, null, []],
    ['{', null, ['trajectory.json is no JSON object.']],
    ['[]', '3', ['trajectory.json is no JSON object.', 'usage.json is no JSON object.']],
    [null, '{"n_input_tokens": -1}', ['usage.json: "n_input_tokens" is no whole number from 0, and was left out.']],
    [null, '{"n_input_tokens": 1.5}', ['usage.json: "n_input_tokens" is no whole number from 0, and was left out.']],
    [null, '{"cost_usd": "1"}', ['usage.json: "cost_usd" is no number from 0, and was left out.']],
    [null, '{"tokens": 1}', ['usage.json: "tokens" is not known.']],
  ])('are nothing for %s and %s', (one, two, remarks) => {
    expect(readUsage(one, two)).toMatchObject({ usage: nothing, remarks });
  });
});
