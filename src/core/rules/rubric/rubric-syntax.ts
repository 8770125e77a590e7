import type { Rule } from '../rule';
import { rubrics } from './rubrics';

export const rubricSyntax: Rule = {
  id: 'rubric-syntax',
  severity: 'error',
  confidence: 'certain',
  inputs: ['rubric'],
  needsDisk: true,
  why: 'A judge cannot be asked by a rubric that cannot be read to the end.',
  docs: {
    finds: 'A rubric that is no TOML, YAML or JSON, has no list of criteria, or has a criterion without id or text.',
    silent: 'Other fields, such as guidance and tags.',
    bad: '[[criteria]]\nweight = 3',
    good: '[[criteria]]\nid = "cause"\ntext = "Names the full disk as the cause"\nweight = 3',
  },
  *check(subject) {
    for (const { file, problems } of subject.derive(rubrics))
      for (const { message, range } of problems.slice(0, 30)) yield { file, range, message };
  },
};
