import type { Image } from '../../model/image';
import { officialName } from '../../model/base-image';
import type { Subject } from '../../model/subject';
import type { Dockerfile, Instruction } from '../../text/dockerfile/dockerfile';
import { flagOf } from '../../text/dockerfile/dockerfile';
import { editDistance } from '../../text/edit-distance';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds } from './builds';

const keywords =
  'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(
    ' ',
  );

export const dockerSyntax: Rule = {
  id: 'docker-syntax',
  severity: 'error',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'A Dockerfile that the builder refuses makes no image, and without an image there is no trial.',
  docs: {
    finds:
      'An instruction that Docker does not know, a first instruction other than FROM or ARG, a COPY without a destination, a here-document or list that never ends, and a stage that does not exist.',
    silent: '`ARG` before `FROM`, parser directives, and files that ask for another front end by `# syntax=`.',
    bad: 'FROM debian:12.8-slim\nCOPY orchard.csv',
    good: 'FROM debian:12.8-slim\nCOPY orchard.csv /srv/',
  },
  *check(subject) {
    for (const { image } of subject.derive(builds)) {
      const { dockerfile } = image;
      if (dockerfile.syntax !== null && !/^(?:docker\.io\/)?docker\/dockerfile(?:[:@-]|$)/u.test(dockerfile.syntax))
        continue;
      let before: Instruction | null = null;
      for (const instruction of dockerfile.instructions) {
        // Several in a row are one text that was not meant for the builder.
        if (isKnown(instruction) || before === null || isKnown(before))
          yield* problemsOf(subject, image, instruction, before);
        before = instruction;
      }
    }
  },
};

function isKnown({ keyword }: Instruction): boolean {
  return keywords.includes(keyword);
}

/** `python3 << 'END'`: for the builder no here-document, since the name does not follow at once. */
function spacedHeredoc({ text }: Dockerfile, before: Instruction | null): string | null {
  if (before === null || !/^(?:RUN|COPY|ADD)$/u.test(before.keyword)) return null;
  return /<<-?[ \t]+(?:\w+|'\w+'|"\w+")/u.exec(text.slice(before.start, before.end))?.[0] ?? null;
}

function* problemsOf(
  subject: Subject,
  image: Image,
  instruction: Instruction,
  before: Instruction | null,
): Generator<Claim> {
  const { dockerfile, file } = image;
  const { keyword, start, keywordEnd, end, words, stage } = instruction;
  const whole = { file, start, end };
  if (!isKnown(instruction)) {
    const shown = dockerfile.text.slice(start, Math.min(keywordEnd, start + 40));
    const spaced = spacedHeredoc(dockerfile, before);
    if (spaced !== null) {
      yield* claimAt(
        subject,
        { file, start, end: keywordEnd },
        {
          message: `Docker takes ${shown} for an instruction: \`${spaced}\` begins no here-document, because of the space.`,
        },
      );
      return;
    }
    const near = nearest(keyword, keywords);
    yield* claimAt(
      subject,
      { file, start, end: keywordEnd },
      {
        message: `Docker knows no instruction ${shown}${near === null ? ', so the image cannot be built' : `; ${near} is meant, it seems`}.`,
        fixes:
          near === null
            ? []
            : fixIn(subject, file, `Change to ${near}`, [{ start, end: keywordEnd, newText: near }], true),
      },
    );
    return;
  }
  if (stage < 0 && keyword !== 'ARG') {
    const isFirst = dockerfile.instructions.find((one) => one.keyword !== 'ARG') === instruction;
    if (isFirst)
      yield* claimAt(subject, whole, {
        message: `${keyword} stands before any FROM, so the builder does not know what image to start from.`,
      });
    return;
  }
  const open = instruction.heredocs.find(({ closed }) => !closed);
  if (open !== undefined) {
    yield* claimAt(
      subject,
      { file, start: open.start, end: open.end },
      {
        message: `No line with ${open.name} alone ends this here-document.`,
      },
    );
    return;
  }
  if (keyword === 'FROM') yield* fromProblems(subject, image, instruction);
  else if (keyword === 'COPY' || keyword === 'ADD') {
    if (words.length < 2)
      yield* claimAt(subject, whole, {
        message:
          words.length === 0
            ? `${keyword} needs a source and a destination.`
            : `${keyword} has one argument, ${words[0]?.raw ?? ''}, and needs a source and a destination.`,
      });
    yield* fromFlagProblems(subject, image, instruction);
  } else if (isEmpty(instruction)) {
    yield* claimAt(subject, whole, { message: `${keyword} has nothing behind it.` });
  } else if (keyword === 'ENV' && words.length === 1 && words[0]?.raw.includes('=') === false) {
    yield* claimAt(subject, whole, { message: `ENV has a name, ${words[0].raw}, and no value.` });
  }
  const { shell } = instruction;
  if (instruction.form === 'shell' && shell !== null && /^\[\s*["']/u.test(shell.text) && keyword !== 'HEALTHCHECK') {
    const isBuilt = keyword === 'RUN';
    yield* claimAt(
      subject,
      { file, start: shell.start, end },
      {
        severity: isBuilt ? 'error' : 'warning',
        message: `This is no JSON list of texts in double quotes, so the shell gets it as one command.`,
      },
    );
  }
}

function isEmpty({ keyword, words, assignments }: Instruction): boolean {
  if (keyword === 'ENV' || keyword === 'ARG') return assignments.length === 0;
  return ['WORKDIR', 'USER', 'EXPOSE'].includes(keyword) && words.length === 0;
}

function* fromProblems(subject: Subject, image: Image, { words, start, end }: Instruction): Generator<Claim> {
  const { file, dockerfile } = image;
  const reference = words[0];
  if (
    reference === undefined ||
    (words.length !== 1 && words.length !== 3) ||
    (words.length === 3 && words[1]?.raw.toUpperCase() !== 'AS')
  ) {
    yield* claimAt(
      subject,
      { file, start, end },
      { message: 'FROM takes an image, and then nothing or AS and a name.' },
    );
    return;
  }
  const index = dockerfile.stages.findIndex((one) => one.reference === reference);
  yield* stageProblem(subject, image, reference, index, `FROM ${reference.raw}`);
}

function* fromFlagProblems(subject: Subject, image: Image, instruction: Instruction): Generator<Claim> {
  const from = flagOf(instruction, 'from');
  if (from === null) return;
  if (/^\d+$/u.test(from.value ?? '') && Number(from.value) >= instruction.stage) {
    if (!image.needed.has(instruction.stage)) return;
    yield* claimAt(
      subject,
      { file: image.file, ...spanOf(from) },
      {
        message: `There is no stage ${from.raw} before this one.`,
      },
    );
    return;
  }
  yield* stageProblem(subject, image, from, instruction.stage, `--from=${from.raw}`);
}

/** A name that is no earlier stage and, by its looks, no image either. */
function* stageProblem(
  subject: Subject,
  { file, dockerfile, needed }: Image,
  word: { readonly raw: string; readonly value: string | null; readonly start: number; readonly end: number },
  before: number,
  shown: string,
): Generator<Claim> {
  const name = word.value?.toLowerCase();
  // A stage that nothing needs is not built.
  if (!needed.has(before)) return;
  if (name === undefined || /[/:@.]/u.test(name) || officialName(name) !== null || name === 'scratch') return;
  const earlier = namesBefore(dockerfile, before);
  if (earlier.includes(name)) return;
  if (dockerfile.stages.some((stage) => stage.index >= before && stage.name === name)) {
    yield* claimAt(
      subject,
      { file, start: word.start, end: word.end },
      {
        message: `${shown} names a stage that begins only here or further down.`,
      },
    );
    return;
  }
  const near = nearest(name, earlier, 1);
  if (near === null || name.length < 4) return;
  yield* claimAt(
    subject,
    { file, start: word.start, end: word.end },
    {
      confidence: 'likely',
      message: `There is no stage ${word.raw}; ${near} is meant, it seems.`,
      fixes: fixIn(subject, file, `Change to ${near}`, [{ start: word.start, end: word.end, newText: near }], true),
    },
  );
}

function namesBefore(dockerfile: Dockerfile, before: number): string[] {
  return dockerfile.stages.flatMap((stage) => (stage.index < before && stage.name !== null ? [stage.name] : []));
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }): { start: number; end: number } {
  return { start, end };
}

function nearest(name: string, among: readonly string[], most = 2): string | null {
  if (name.length > 30) return null;
  const close = among
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return close[0]?.one ?? null;
}
