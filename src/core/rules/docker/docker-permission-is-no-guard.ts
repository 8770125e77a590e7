import { baseName } from '../../model/container-path';
import { pathOf } from '../../model/shell-walk';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { ShellWord } from '../../text/shell/script';
import { flagOf } from '../../text/dockerfile/dockerfile';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { buildCommands, builds, instructionTexts } from './builds';

export const dockerPermissionIsNoGuard: Rule = {
  id: 'docker-permission-is-no-guard',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'instruction', 'py:tests', 'shell:test'],
  needsDisk: true,
  why: 'Root reads and writes every file, whatever its mode says.',
  docs: {
    finds:
      'A mode such as `000`, `400` or `600` on a file that the tests read or whose name says answer, expected or grader, while the agent is root.',
    silent:
      'An agent without root, files that the instruction names, and ordinary modes, such as that of a key for SSH.',
    bad: 'RUN chmod 000 /opt/key.json',
    good: '# key.json is kept in tests/',
  },
  *check(subject) {
    let guarded: Guard | null = null;
    const told = instructionTexts(subject);
    const isGuarded = (path: string): boolean => {
      guarded ??= guardOf(subject);
      return (
        guarded.isRoot &&
        !told.includes(baseName(path)) &&
        (hasSecretName(path) || (guarded.tests.includes(path) && path.length > 5))
      );
    };
    for (const { made, image, instruction, command, folder } of subject.derive(buildCommands)) {
      if (made.role !== 'agent' || command.program !== 'chmod' || !image.lineage.has(instruction.stage)) continue;
      const [mode, ...words] = command.args.filter(({ prefix }) => !/^-(?:[A-Zcfv]|-)/u.test(prefix));
      const bits = mode?.value ?? null;
      if (mode === undefined || bits === null || !hides(bits)) continue;
      const path = words.map((word: ShellWord) => pathOf(word, folder)).find((one) => one !== null && isGuarded(one));
      if (path === undefined || path === null) continue;
      yield* claimAt(
        subject,
        { file: image.file, start: command.start, end: mode.end },
        {
          message: `The agent is root, so mode ${bits} keeps nothing of ${path} from it.`,
        },
      );
    }
    for (const { image, role } of subject.derive(builds)) {
      if (role !== 'agent') continue;
      for (const { path, by } of image.files.values()) {
        const mode = by.keyword === 'COPY' || by.keyword === 'ADD' ? flagOf(by, 'chmod') : null;
        const bits = mode?.value ?? null;
        if (mode === null || bits === null || !hides(bits) || !isGuarded(path)) continue;
        yield* claimAt(
          subject,
          { file: image.file, start: mode.start, end: mode.end },
          {
            message: `The agent is root, so mode ${bits} keeps nothing of ${path} from it.`,
            section: path,
          },
        );
      }
    }
  },
};

interface Guard {
  readonly isRoot: boolean;
  /** What the tests say, joined. */
  readonly tests: string;
}

function guardOf(subject: Subject): Guard {
  const views = subject.derive(stepViews);
  return {
    isRoot: views.length > 0 && views.every(({ space }) => space.isRoot === true),
    tests: views.map(({ tests }) => tests).join('\n'),
  };
}

/** Nothing for group and others. */
function hides(mode: string): boolean {
  return /^0?[0-7]00$/u.test(mode) || mode === '0' || /^(?:go|og|a)(?:-rwx|=)$/u.test(mode);
}

function hasSecretName(path: string): boolean {
  return /answer|grader|expected|golden|oracle|solution|truth|hidden/iu.test(baseName(path));
}
