import { absolutePath, baseName } from '../../model/container-path';
import type { SolutionView } from '../../model/solution-view';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import type { Substitution } from '../../text/shell/sed';
import { applySubstitution, readSed } from '../../text/shell/sed';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionEditWithoutEffect: Rule = {
  id: 'solution-edit-without-effect',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:solve', 'docker', 'texts', 'tree', 'toml'],
  needsDisk: true,
  why: 'An edit whose pattern is not in the file changes nothing and says nothing, so the oracle passes by luck or not at all.',
  docs: {
    finds:
      'A `sed -i` substitution of the solve script whose pattern does not occur in the file as the image has it. Earlier edits of the same file are followed.',
    silent:
      'Files whose content is not known, patterns that are more than simple, edits that something else stands in for (`||`) or that are looked at afterwards with `grep`, and several edits of which one fits.',
    bad: "sed -i 's/retries=3/retries=5/' /srv/bee.conf      # the file says: retries = 3",
    good: "sed -i 's/retries = 3/retries = 5/' /srv/bee.conf",
  },
  *check(subject) {
    yield* once(subject.derive(solutionViews).flatMap((one) => [...claims(subject, one)]));
  },
};

function* claims(subject: Subject, { view, file, visits }: SolutionView): Generator<Claim> {
  const { image } = view.space;
  if (file === null || image === null) return;
  /** The text as the solution has made it so far; null once that is unknown. */
  const texts = new Map<string, string | null>();
  const textAt = (path: string): string | null => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const origin = image.files.get(path)?.origin;
    if (origin?.kind === 'text') return origin.text;
    return origin?.kind === 'context' ? subject.text(origin.file) : null;
  };
  const checked = new Set(
    visits.flatMap(({ command, folder }) =>
      command.program === 'grep' ? command.args.map(({ value }) => absolutePath(value ?? '', folder)) : [],
    ),
  );
  for (const { command, folder, script } of visits) {
    const sed = readSed(command);
    const { context } = command;
    if (sed === null) {
      // Whatever else names the file, or might change any file, may have changed this one.
      if (isHarmless(command.program)) {
        for (const { file: written } of command.writes)
          if (written !== null) texts.set(absolutePath(written, folder) ?? '', null);
      } else for (const path of image.files.keys()) texts.set(path, null);
      continue;
    }
    for (const target of sed.files) {
      const path = target.value === null ? null : absolutePath(target.value, folder);
      if (path === null) continue;
      const before = textAt(path);
      if (before === null || sed.substitutions === null) {
        texts.set(path, null);
        continue;
      }
      const { text, vain } = edit(before, sed.substitutions);
      texts.set(path, text);
      const isCertain = !context.conditional && !context.loop && context.leftOf !== '||' && context.rightOf === null;
      if (!isCertain || script.file !== file || checked.has(path) || vain.length < sed.substitutions.length) continue;
      for (const { pattern, word } of vain) {
        const origin = image.files.get(path);
        yield* claimAt(
          subject,
          { file, start: word.start, end: word.end },
          {
            message: `${JSON.stringify(pattern)} does not occur in ${path}, so this edit of ${baseName(file)} changes nothing.`,
            related:
              origin?.origin.kind === 'context'
                ? relatedTo(subject, { file: origin.origin.file, start: 0, end: 0 }, 'The file as the image has it.')
                : [],
          },
        );
      }
    }
  }
}

/** The text after some substitutions, null once one of them is more than simple, and those that changed nothing. */
function edit(
  before: string,
  substitutions: readonly Substitution[],
): { readonly text: string | null; readonly vain: readonly Substitution[] } {
  let text = before;
  const vain: Substitution[] = [];
  for (const substitution of substitutions) {
    const after = applySubstitution(text, substitution);
    if (after === null) return { text: null, vain: [] };
    if (!after.matched) vain.push(substitution);
    text = after.text;
  }
  return { text, vain };
}

/** Programs that change no file but those they are told to write. */
function isHarmless(program: string | null): boolean {
  return (
    program === null ||
    (
      'echo printf cat grep egrep cd pwd ls test [ [[ true : set export mkdir chmod chown head tail sort uniq wc diff cmp tee touch ' +
      'which command sleep date env id whoami stat file find cp mv'
    )
      .split(' ')
      .includes(program)
  );
}
