import { baseName, folderOf } from '../../model/container-path';
import type { Image, ImageFile } from '../../model/image';
import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { Fix } from '../../finding';
import { claimAt, listed } from '../places';
import type { Claim, Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds, deleteInstruction } from './builds';
import type { Secret } from './copied-secrets';
import { imageText, isCodeFile, isTrivial, likeness, secretsOf } from './copied-secrets';

export const dockerCopiesTestsOrSolution: Rule = {
  id: 'docker-copies-tests-or-solution',
  severity: 'error',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction', 'shell:test', 'shell:solve', 'py:tests', 'texts'],
  needsDisk: true,
  why: 'An agent that finds the tests or the reference solution in its container needs to solve nothing.',
  docs: {
    finds:
      "A file of the agent's image whose content is that of a file of `solution/`, or of a file of `tests/` that the verifier runs, collects, imports or compares with. Comments and blanks make no difference. A test of the same name that shares four fifths of its lines is a warning.",
    silent:
      'Tests of the project under work that match nothing of the verifier, files that the instruction hands out, input data that lies in both places, files of a solution that are a copy of the unchanged project, files of a builder stage or removed again, and files of under 40 characters.',
    bad: 'COPY grade/ /opt/grade/   # grade/test_state.py is tests/test_state.py',
    good: 'COPY src/ /srv/src/',
  },
  *check(subject) {
    for (const { image, role } of subject.derive(builds)) {
      if (role !== 'agent' || image.files.size === 0) continue;
      const alike = alikeFiles(subject, image);
      if (alike.length === 0) continue;
      const leaks = new Map<string, Leak>();
      for (const view of subject.derive(stepViews))
        for (const leak of leaksOf(subject, view, alike)) leaks.set(`${leak.path.path}|${leak.secret.file}`, leak);
      yield* claimsOf(subject, image, [...leaks.values()]);
    }
  },
};

interface Alike {
  /** Of `tests/` or `solution/`, relative to the task folder. */
  readonly file: string;
  readonly path: ImageFile;
  readonly how: 'same' | 'part';
}

interface Leak {
  readonly secret: Secret;
  readonly path: ImageFile;
  readonly how: 'same' | 'part';
}

/** What looks like a leak by content alone; only then is it worth the reading of tests and instruction. */
function alikeFiles(subject: Subject, image: Image): Alike[] {
  const files = [...(subject.disk?.texts.keys() ?? [])].filter((file) => /(?:^|\/)(?:tests|solution)\//u.test(file));
  const texts = files.flatMap((file) => {
    const text = isBuildContext(image, file) ? null : subject.text(file);
    return text === null || isTrivial(file, text) ? [] : [{ file, text, isCode: isCodeFile(file) }];
  });
  const found: Alike[] = [];
  if (texts.length === 0) return found;
  for (const path of image.files.values()) {
    const text = imageText(subject, path);
    if (text === null) continue;
    for (const other of texts) {
      const how = likeness(other, path.path, text);
      if (how !== null) found.push({ file: other.file, path, how });
    }
  }
  return found;
}

/** A copy within `environment/` is compared with the original; the original below the context is one as well. */
function isBuildContext(image: Image, file: string): boolean {
  const dir = image.context?.dir ?? 'environment';
  return dir !== '' && file.startsWith(`${dir}/`);
}

function leaksOf(subject: Subject, view: StepView, alike: readonly Alike[]): Leak[] {
  const secrets = secretsOf(subject, view);
  const byFile = new Map(secrets.map((secret) => [secret.file, secret]));
  const leaks = alike.flatMap(({ file, path, how }): Leak[] => {
    const secret = byFile.get(file);
    return secret === undefined || isHandedOut(view, path, secret) ? [] : [{ secret, path, how }];
  });
  return withoutInputs(view, secrets, leaks);
}

/** The instruction names the file, its place, or the folder it lies in. */
function isHandedOut({ instruction }: StepView, { path }: ImageFile, secret: Secret): boolean {
  const name = baseName(path);
  if (instruction.includes(path) || instruction.includes(name)) return true;
  const folder = folderOf(path);
  if (folder.split('/').length > 2 && mentionsFolder(instruction, folder)) {
    // A folder at the top, such as /app, is named by every task; tests are given only with a folder of their own.
    return !secret.isCode || /(?:^|\/)(?:tests?|specs?|examples?)$/u.test(folder);
  }
  return false;
}

function mentionsFolder(instruction: string, folder: string): boolean {
  const short = `${baseName(folder)}/`;
  return instruction.includes(`${folder}/`) || instruction.includes(`${folder}\``) || instruction.includes(`${folder} `)
    ? true
    : /(?:^|\/)(?:tests?|specs?|examples?)$/u.test(folder) &&
        new RegExp(`(?:^|[\\s\`'"(])(?:\\./)?${short.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}`, 'u').test(instruction);
}

function withoutInputs(view: StepView, secrets: readonly Secret[], leaks: readonly Leak[]): Leak[] {
  const solution = secrets.filter(({ kind }) => kind === 'solution');
  const leaked = new Set(
    leaks.filter(({ secret, how }) => secret.kind === 'solution' && how === 'same').map(({ secret }) => secret.file),
  );
  const script = view.step.solveScript;
  const helpers = solution.filter(({ file }) => file !== script);
  // A solution may hold the whole project, of which what it does not change is in the image as well.
  const isLeak =
    (script !== null && leaked.has(script)) || (helpers.length > 0 && helpers.every(({ file }) => leaked.has(file)));
  return leaks.filter(({ secret, how }) => {
    if (secret.kind === 'solution')
      return how === 'same' && isLeak && (secret.isCode || secret.file === script || hasAnswerName(secret.file));
    // Data in both places is input, unless its name says that it is the expected side.
    return secret.isCode || (how === 'same' && hasAnswerName(secret.file));
  });
}

function hasAnswerName(file: string): boolean {
  return /expected|golden|answer|truth|oracle|solution|reference/iu.test(baseName(file));
}

function* claimsOf(subject: Subject, image: Image, leaks: readonly Leak[]): Generator<Claim> {
  const bySource = groupBy(leaks, ({ path }) => path.start);
  for (const group of bySource.values()) {
    const [first] = [...group].sort((a, b) => rank(a) - rank(b));
    if (first === undefined) continue;
    const others = [...new Set(group.map(({ secret }) => secret.file))].filter((file) => file !== first.secret.file);
    const what =
      first.secret.kind === 'solution'
        ? 'the reference solution'
        : first.secret.isCode
          ? 'the tests'
          : 'what the tests expect';
    const shares = first.how === 'part' ? ' for the most part' : '';
    const more = others.length === 0 ? '' : `, beside ${listed(others, 3)}`;
    const range = subject.lines(first.secret.file)?.range(0, 0);
    yield* claimAt(
      subject,
      { file: image.file, start: first.path.start, end: first.path.end },
      {
        severity: group.some(({ how }) => how === 'same') ? 'error' : 'warning',
        message: `${first.path.path} in the image is ${first.secret.file}${shares}${more}, so the agent can read ${what}.`,
        related: range === undefined ? [] : [{ file: first.secret.file, range, message: 'The same content.' }],
        fixes: fixesFor(subject, image, group),
        section: first.secret.file,
        supersedes: [
          'docker-occupies-harness-path',
          'docker-bakes-answer',
          'docker-leftover-generator',
          'docker-copy-whole-context',
        ],
      },
    );
  }
}

function rank({ secret, how }: Leak): number {
  return (how === 'same' ? 0 : 4) + (secret.kind === 'solution' ? 0 : 1) + (secret.isCode ? 0 : 2);
}

/** Deletes the instruction where it brings nothing else, or leaves the files out by the ignore file. */
function fixesFor(subject: Subject, image: Image, group: readonly Leak[]): readonly Fix[] {
  const by = group[0]?.path.by;
  if (by === undefined || by.keyword === 'RUN') return [];
  const leaked = new Set(group.map(({ path }) => path.path));
  const brings = [...image.files.values()].filter((file) => file.by === by);
  if (brings.every(({ path }) => leaked.has(path))) return deleteInstruction(subject, image, by);
  const { context } = image;
  const ignore = context?.ignoreFile ?? null;
  const text = ignore === null ? null : subject.text(ignore);
  if (context === null || ignore === null || text === null) return [];
  const prefix = context.dir === '' ? '' : `${context.dir}/`;
  const files = group.flatMap(({ path: { origin } }) =>
    origin.kind === 'context' ? [origin.file.slice(prefix.length)] : [],
  );
  const newText = `${text === '' || text.endsWith('\n') ? '' : '\n'}${[...new Set(files)].join('\n')}\n`;
  return files.length === 0
    ? []
    : fixIn(subject, ignore, `Leave it out by ${ignore}`, [{ start: text.length, end: text.length, newText }]);
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
