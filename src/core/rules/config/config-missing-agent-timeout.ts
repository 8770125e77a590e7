import { valueAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { insertFix, sourceOf, tableRange } from './toml-places';

export const configMissingAgentTimeout: Rule = {
  id: 'config-missing-agent-timeout',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'Without a limit an agent may run for ever, and results of runs with different patience cannot be compared.',
  docs: {
    finds: 'Neither the task nor some step sets `timeout_sec` for the agent.',
    silent: 'Every step sets its own.',
    bad: '[agent]',
    good: '[agent]\ntimeout_sec = 1200.0',
  },
  *check({ toml }) {
    const source = sourceOf(toml);
    if (source === null || valueAt(source.root, ['agent', 'timeout_sec'])) return;
    const steps = valueAt(source.root, ['steps']);
    const items = steps?.kind === 'array' ? steps.items : [];
    const open = items.flatMap((_, index) =>
      valueAt(source.root, ['steps', index, 'agent', 'timeout_sec']) ? [] : [index],
    );
    if (items.length > 0 && open.length === 0) return;
    const names = open.map((index) => {
      const name = valueAt(source.root, ['steps', index, 'name']);
      return name?.kind === 'string' ? JSON.stringify(name.value) : String(index + 1);
    });
    const where =
      names.length === 0
        ? 'The agent'
        : `The agent in ${names.length === 1 ? 'step' : 'the steps'} ${names.join(', ')}`;
    yield {
      path: ['agent', 'timeout_sec'],
      range: tableRange(source, ['agent']),
      message: `${where} has no time limit: agent.timeout_sec is not set.`,
      fixes: insertFix('Set a limit of 900 seconds', source, ['agent'], 'timeout_sec = 900.0 # adjust to the task'),
    };
  },
};
