import { valueAt } from '../../text/toml-tree';
import type { Rule } from '../rule';
import { insertFix, sourceOf, tableRange } from './toml-places';

export const configMissingResources: Rule = {
  id: 'config-missing-resources',
  severity: 'information',
  confidence: 'certain',
  inputs: ['toml'],
  why: 'What is not set is whatever the host gives, so results depend on the machine.',
  docs: {
    finds: '`[environment]` sets neither `cpus` nor `memory_mb`.',
    silent: 'One of them is set; the environment of a separate verifier.',
    bad: '[environment]\nbuild_timeout_sec = 600.0',
    good: '[environment]\nbuild_timeout_sec = 600.0\ncpus = 2\nmemory_mb = 2048',
  },
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
