import { valueAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { insertFix, sourceOf, tableRange } from './toml-places';

export const configMissingResources: Rule = {
  id: 'config-missing-resources',
  severity: 'information',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'What is not set is whatever the host gives, so results depend on the machine.',
  *check({ toml }) {
    const source = sourceOf(toml);
    if (source === null) return;
    if (['cpus', 'memory_mb', 'memory'].some((key) => valueAt(source.root, ['environment', key]))) return;
    const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
    yield {
      path: ['environment'],
      range: tableRange(source, ['environment']),
      message: 'The environment sets neither cpus nor memory_mb, so the container gets all that the host has.',
      fixes: insertFix('Set 2 cores and 2048 MiB', source, ['environment'], `cpus = 2${eol}memory_mb = 2048`),
    };
  },
};
