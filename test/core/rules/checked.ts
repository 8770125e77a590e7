import { checkTask } from '../../../src/core/rules/check';
import type { Finding } from '../../../src/core/finding';
import { applyEdits } from '../../../src/core/text/edits';
import { linesOf } from '../../../src/core/text/lines';
import { grammars } from '../grammars';
import type { Tree } from '../memory-files';
import { memoryFiles, taskTree } from '../memory-files';

/** A sound task with some files replaced, added, or (by undefined) left out. */
export type Changes = Readonly<Record<string, Tree[string] | undefined>>;

/** What all rules say of a sound task with these changes; a rule that throws fails the test. */
export async function findingsFor(changes: Changes): Promise<readonly Finding[]> {
  return checkTask(memoryFiles(taskTree('/tasks/sound', changes)), '/tasks/sound', {
    grammars,
    onTrouble: (ruleId, error) => {
      throw new Error(`${ruleId} threw`, { cause: error });
    },
  });
}

/** One rule's findings as `severity file:line:"text" message [fix | preferred fix*]`, lines from 1. */
export async function shown(ruleId: string, changes: Changes): Promise<readonly string[]> {
  return (await findingsFor(changes))
    .filter((finding) => finding.ruleId === ruleId)
    .map(({ severity, file, range, message, fixes }) => {
      const text = textOf(changes, file);
      const lines = linesOf(text);
      const covered = text.slice(lines.offset(range.start), lines.offset(range.end));
      const titles = fixes.map((fix) => fix.title + (fix.preferred === true ? '*' : '')).join(' | ');
      const place = `${file}:${range.start.line + 1}:${JSON.stringify(covered)}`;
      return `${severity} ${place} ${message}${titles === '' ? '' : ` [${titles}]`}`;
    });
}

/** A file after the named fix of the rule's first finding that has it. */
export async function mended(ruleId: string, changes: Changes, title: string, file: string): Promise<string> {
  for (const finding of await findingsFor(changes)) {
    const fix = finding.ruleId === ruleId ? finding.fixes.find((one) => one.title === title) : undefined;
    if (fix === undefined) continue;
    const edits = fix.edits.filter((edit) => edit.file === file);
    return applyEdits(textOf(changes, file), edits) ?? 'overlapping edits';
  }
  return 'no such fix';
}

function textOf(changes: Changes, file: string): string {
  const content = taskTree('', changes)[`/${file}`];
  return typeof content === 'string' ? content : '';
}
