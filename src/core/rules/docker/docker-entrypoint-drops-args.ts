import { absolutePath } from '../../model/container-path';
import type { Image } from '../../model/image';
import type { Subject } from '../../model/subject';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { builds } from './builds';
import { mainOverrides } from './main-service';
import type { Started } from './started';
import { startedBy } from './started';

/** Programs that take arguments for their own and run nothing of them. */
const deaf = new Set(
  (
    'node java perl php ruby nginx redis-server mysqld postgres gunicorn uvicorn flask npm yarn pnpm cargo go tail sleep cat ' +
    'sshd supervisord mongod httpd apache2ctl jupyter streamlit celery'
  ).split(' '),
);

export const dockerEntrypointDropsArgs: Rule = {
  id: 'docker-entrypoint-drops-args',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'texts'],
  needsDisk: true,
  why: 'Harbor gives the entrypoint a sleep to run; one that does not run it ends at once, and the container with it, or keeps to itself.',
  docs: {
    finds:
      'An ENTRYPOINT in shell form, one whose program takes the arguments for its own, or a script of the task that never runs `"$@"`.',
    silent: '`tini --`, `dumb-init` and the like, entrypoints of base images, programs about which nothing is known.',
    bad: 'ENTRYPOINT redis-server',
    good: 'ENTRYPOINT ["tini", "--"]',
  },
  *check(subject) {
    for (const { image, role } of subject.derive(builds)) {
      const { entrypoint } = image;
      if (role !== 'agent' || entrypoint === null || mainOverrides(subject).entrypoint) continue;
      const started = startedBy(image, entrypoint);
      const message = started === null ? null : reason(subject, image, started);
      if (message === null) continue;
      yield* claimAt(subject, { file: image.file, start: entrypoint.start, end: entrypoint.end }, { message });
    }
  },
};

function reason(subject: Subject, image: Image, started: Started): string | null {
  const { program, args, isShellForm } = started;
  if (isShellForm)
    return 'An ENTRYPOINT in shell form gets no arguments, so the sleep that keeps the container up is dropped.';
  if (/^(?:ba|da|z)?sh$/u.test(program)) return shellReason(subject, image, started);
  if (deaf.has(program) || /^python[\d.]*$/u.test(program)) {
    const file = args.find((arg) => !arg.startsWith('-'));
    // A script may run what it is given.
    if (
      file !== undefined &&
      !['tail', 'sleep', 'cat'].includes(program) &&
      runsArguments(subject, image, file) !== false
    ) {
      const text = textAt(subject, image, file);
      if (text !== null) return null;
    }
    return `${program} takes the sleep that Harbor gives it for arguments of its own.`;
  }
  return runsArguments(subject, image, started.path) === false
    ? `${started.path} never runs the arguments it is given (\`exec "$@"\`).`
    : null;
}

function shellReason(subject: Subject, image: Image, { program, args }: Started): string | null {
  const at = args.findIndex((arg) => /^-\w*c$/u.test(arg));
  if (at >= 0) {
    const script = args[at + 1] ?? '';
    return /\$[@*]|\$\{@\}|\$[01]/u.test(script)
      ? null
      : `${program} -c runs its own text and drops the sleep that keeps the container up.`;
  }
  const file = args.find((arg) => !arg.startsWith('-'));
  if (file === undefined) return `${program} takes the sleep that Harbor gives it for the name of a script.`;
  return runsArguments(subject, image, file) === false
    ? `${file} never runs the arguments it is given (\`exec "$@"\`).`
    : null;
}

/** Does a shell script of the image run its arguments? null when it is not known, or no shell script. */
function runsArguments(subject: Subject, image: Image, path: string): boolean | null {
  const text = textAt(subject, image, path);
  if (text === null || !/^#!.*\b(?:ba|da|z)?sh\b/u.test(text)) return null;
  if (/\$[@*]|\$\{[@*]|\$1\b|\bshift\b/u.test(text)) return true;
  // Something else may keep the container up, such as a sleep of its own.
  return /\b(?:sleep\s+inf|tail\s+-f|wait\b|exec\b|supervisord|source\s|^\.\s)/mu.test(text) ? null : false;
}

function textAt(subject: Subject, image: Image, path: string): string | null {
  const place = absolutePath(path, image.workdir);
  const origin = place === null ? undefined : image.files.get(place)?.origin;
  if (origin?.kind === 'text') return origin.text;
  return origin?.kind === 'context' ? subject.text(origin.file) : null;
}
