import type { Criterion, RubricFile, RubricText } from '../../rubric/rubric';
import { readRubric, rubricFormat } from '../../rubric/read-rubric';
import type { Derivation, Subject } from '../../model/subject';

export interface NamedRubric extends RubricFile {
  readonly file: string;
}

/** The rubrics of the task, by the names that the profile gives them. */
export const rubrics: Derivation<readonly NamedRubric[]> = {
  name: 'rubrics',
  derive: (subject) =>
    subject.profile.rubricFiles.flatMap((file): readonly NamedRubric[] => {
      const text = subject.text(file);
      const format = rubricFormat(file);
      return text === null || format === null ? [] : [{ ...readRubric(text, format), file }];
    }),
};

/** A criterion that can be judged by its words. */
export interface WordedCriterion {
  readonly file: string;
  readonly criterion: Criterion;
  /** For people: the id, else the number. */
  readonly name: string;
  readonly text: RubricText;
}

export function* worded(subject: Subject): Generator<WordedCriterion> {
  for (const { file, criteria } of subject.derive(rubrics)) {
    for (const [index, criterion] of criteria.entries()) {
      if (criterion.text === null || criterion.text.text.length > 5_000) continue;
      yield { file, criterion, name: nameOf(criterion, index), text: criterion.text };
    }
  }
}

export function nameOf({ id }: Criterion, index: number): string {
  return id === null || id.text === '' ? `criterion ${index + 1}` : id.text;
}
