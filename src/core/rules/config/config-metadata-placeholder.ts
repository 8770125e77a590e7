import type { TomlPath, TomlValue } from '../../text/toml-tree';
import { tableAt } from '../../text/toml-tree';
import type { Claim, Rule } from '../rule';
import { sourceOf } from './toml-places';

export const configMetadataPlaceholder: Rule = {
  id: 'config-metadata-placeholder',
  severity: 'information',
  confidence: 'likely',
  inputs: ['toml'],
  why: 'Reviewers and reports rely on these values, and a placeholder looks like an answer.',
  docs: {
    finds:
      'A value in `[metadata]` that stands for one to come: an empty text, `TODO`, `your name`, an `example.com` address, an estimate of zero, an expert who needs longer than a beginner, minutes that were surely meant as seconds.',
    silent: 'A task without `[metadata]`.',
    bad: 'expert_time_estimate_min = 0',
    good: 'expert_time_estimate_min = 45',
  },
  *check({ toml }) {
    const source = sourceOf(toml);
    const metadata = source && tableAt(source.root, ['metadata']);
    if (!metadata) return;
    for (const { key, value } of metadata.entries.values()) yield* claimsFor(key, value, ['metadata', key]);
    yield* orderOfEstimates(metadata.entries);
  },
};

const isEstimate = (key: string): boolean =>
  /(?:time_estimate|estimated_time|duration|time)_?(?:min|minutes|sec|h|hours)?$/iu.test(key);
const isExpert = (key: string): boolean => /expert|senior/iu.test(key);
const isBeginner = (key: string): boolean => /junior|beginner|novice/iu.test(key);
// Sixty times the length of a working day: seconds that were written as minutes.
const mostMinutes = 60 * 480;

function* claimsFor(key: string, value: TomlValue, path: TomlPath): Generator<Claim> {
  switch (value.kind) {
    case 'string': {
      const what = placeholder(value.value);
      if (what !== null) yield { path, range: value.range, message: `${key} is ${what}.` };
      return;
    }
    case 'array':
      for (const [index, item] of value.items.entries()) {
        const own = [...path, index];
        if (item.kind !== 'string') continue;
        const isVague = key === 'tags' && /^(?:general|misc|other|tag\d*|example)$/iu.test(item.value);
        const what = isVague ? `${JSON.stringify(item.value)}, which says nothing` : placeholder(item.value);
        if (what !== null) yield { path: own, range: item.range, message: `An entry of ${key} is ${what}.` };
      }
      return;
    case 'integer':
    case 'float': {
      const number = Number(value.value);
      if (!isEstimate(key) || !(isExpert(key) || isBeginner(key) || /estimate/iu.test(key))) return;
      if (number === 0) yield { path, range: value.range, message: `${key} is 0, which is no estimate.` };
      else if (/_min(?:utes)?$/iu.test(key) && number > mostMinutes) {
        yield { path, range: value.range, message: `${key} is ${number} minutes; were seconds meant?` };
      }
      return;
    }
    case 'boolean':
    case 'date':
    case 'table':
  }
}

function placeholder(text: string): string | null {
  if (text.trim() === '') return 'empty';
  // In lower case the words may start a sentence that means them.
  if (
    /^\W*(?:TODO|TBD|FIXME|XXX+)\b/u.test(text) ||
    /^\W*(?:todo|tbd|fixme|xxx+|placeholder|lorem ipsum.*)\W*$/iu.test(text)
  ) {
    return `the placeholder ${JSON.stringify(text)}`;
  }
  if (/^<?(?:your|author)[ _-]?(?:full[ _-]?)?(?:name|e-?mail)>?$/iu.test(text.trim()))
    return `the placeholder ${JSON.stringify(text)}`;
  if (/@(?:[\w-]+\.)*example\.(?:com|org|net)$/i.test(text.trim())) return `the sample address ${JSON.stringify(text)}`;
  return null;
}

/** An expert does not need longer than a beginner. */
function* orderOfEstimates(entries: ReadonlyMap<string, { key: string; value: TomlValue }>): Generator<Claim> {
  const numbers = [...entries.values()].flatMap(({ key, value }) =>
    isEstimate(key) && (value.kind === 'integer' || value.kind === 'float')
      ? [{ key, number: Number(value.value), range: value.range }]
      : [],
  );
  const expert = numbers.find(({ key }) => isExpert(key));
  const beginner = numbers.find(({ key }) => isBeginner(key));
  if (!expert || !beginner || expert.number <= beginner.number || beginner.number === 0) return;
  yield {
    path: ['metadata', expert.key],
    range: expert.range,
    message: `${expert.key} is ${expert.number}, more than ${beginner.key} with ${beginner.number}.`,
  };
}
