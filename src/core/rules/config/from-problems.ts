import type { Fix } from '../../finding';
import type { ConfigRuleId, Problem } from '../../task/problem';
import type { Subject } from '../../model/subject';
import type { Claim, Rule } from '../rule';

/** A rule whose findings come out of reading and decoding task.toml by the table of keys. */
export function ruleFromProblems(rule: Omit<Rule, 'check' | 'inputs'> & { readonly id: ConfigRuleId }): Rule {
  return {
    ...rule,
    inputs: ['toml'],
    *check({ toml }: Subject) {
      for (const problem of toml?.problems ?? []) if (problem.ruleId === rule.id) yield claimOf(problem);
    },
  };
}

function claimOf({ severity, confidence, path, range, message, related, fixes }: Problem): Claim {
  return {
    severity,
    ...(confidence && { confidence }),
    ...(related && { related }),
    path,
    range,
    message,
    fixes: (fixes ?? []).map(({ title, edits, preferred }): Fix => ({
      title,
      edits: edits.map((edit) => ({ file: 'task.toml', ...edit })),
      ...(preferred !== undefined && { preferred }),
    })),
  };
}
