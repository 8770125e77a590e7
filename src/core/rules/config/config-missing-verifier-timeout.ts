import { valueAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { insertFix, sourceOf, tableRange } from './toml-places';

const statement = 'timeout_sec = 300.0 # adjust to the task';

export const configMissingVerifierTimeout: Rule = {
  id: 'config-missing-verifier-timeout',
  severity: 'information',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'Without a value the limit is 600 seconds, and a step never takes the value of the task.',
  docs: {
    finds:
      'The task, or a step, sets no `timeout_sec` for its verifier. It rises to a warning where the task gives its verifier more than 600 seconds and a step would fall back to them.',
    silent: 'Every step sets its own.',
    bad: '[[steps]]\nname = "survey"',
    good: '[[steps]]\nname = "survey"\n[steps.verifier]\ntimeout_sec = 300.0',
  },
  *check({ toml }) {
    const source = sourceOf(toml);
    if (source === null) return;
    const own = valueAt(source.root, ['verifier', 'timeout_sec']);
    const steps = valueAt(source.root, ['steps']);
    if (steps?.kind !== 'array' || steps.items.length === 0) {
      if (own) return;
      yield {
        path: ['verifier', 'timeout_sec'],
        range: tableRange(source, ['verifier']),
        message: 'verifier.timeout_sec is not set, so the verifier has 600 seconds.',
        fixes: insertFix('Set a limit of 300 seconds', source, ['verifier'], statement),
      };
      return;
    }
    const ownLimit = toml?.config?.verifier.timeout_sec ?? 0;
    for (const [index] of steps.items.entries()) {
      const path = ['steps', index, 'verifier'];
      if (valueAt(source.root, [...path, 'timeout_sec'])) continue;
      const name = valueAt(source.root, ['steps', index, 'name']);
      const step = name?.kind === 'string' ? JSON.stringify(name.value) : String(index + 1);
      const isCut = own !== undefined && ownLimit > 600;
      yield {
        path: [...path, 'timeout_sec'],
        severity: isCut ? 'warning' : 'information',
        range: tableRange(source, valueAt(source.root, path) ? path : ['steps', index]),
        message: isCut
          ? `The verifier of step ${step} has 600 seconds, not the ${ownLimit} of [verifier]: a step does not take that value.`
          : `The verifier of step ${step} has no limit of its own, so it has 600 seconds.`,
        fixes: insertFix('Set a limit of 300 seconds', source, path, statement),
      };
    }
  },
};
