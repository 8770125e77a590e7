import { baseName } from '../../model/container-path';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';

export const solutionBackgroundProcess: Rule = {
  id: 'solution-background-process',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:solve', 'tree', 'toml'],
  needsDisk: true,
  why: 'A background process that keeps the script’s output open can keep the whole run waiting, and a server in the foreground never lets the script end.',
  docs: {
    finds:
      'The solve script starts a process with `&` that still writes to the script’s own output, or starts a well-known server in the foreground.',
    silent:
      'Output that goes to a file or to `/dev/null`, also for the whole script; processes that the script waits for or ends; `--daemonize` forms.',
    bad: 'python3 srv.py &',
    good: 'nohup python3 srv.py > /tmp/srv.log 2>&1 &',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { file, script } of subject.derive(solutionViews)) {
    if (file === null || script === null || redirectsAll(script)) continue;
    const isAwaited = script.commands.some(
      ({ program }) => program === 'wait' || program === 'kill' || program === 'pkill',
    );
    for (const command of script.commands) {
      if (command.context.substitution) continue;
      const place = { file, start: command.start, end: command.end };
      if (command.context.background) {
        if (isAwaited || command.program === null || isQuiet(command)) continue;
        yield* claimAt(subject, place, {
          message: `${baseName(file)} starts ${command.program} in the background with its output still open, so the run may wait for it.`,
        });
      } else if (blocks(command)) {
        yield* claimAt(subject, place, {
          message: `${baseName(file)} starts ${command.program ?? ''} in the foreground, so the script never ends.`,
        });
      }
    }
  }
}

function isQuiet({ redirects, context, wrappers }: ShellCommand): boolean {
  if (context.pipeline !== null) return true;
  // A shell around it may redirect for it.
  if (wrappers.some(({ name }) => name === 'nohup') && redirects.length > 0) return true;
  return redirects.some(
    ({ operator, descriptor }) => operator.startsWith('&>') || (operator.startsWith('>') && descriptor !== 2),
  );
}

function redirectsAll({ commands }: ShellScript): boolean {
  return commands.some(({ program, args, redirects, wrappers, programWord }) => {
    const isExec = program === 'exec' || wrappers.some(({ name }) => name === 'exec');
    return isExec && redirects.length > 0 && (args.length === 0 || programWord === null);
  });
}

function blocks({ program, args, context, wrappers }: ShellCommand): boolean {
  if (program === null || context.pipeline !== null || wrappers.some(({ name }) => name === 'timeout')) return false;
  const words = args.map(({ value }) => value ?? '');
  switch (program) {
    case 'nginx':
      return words.some((word) => /daemon\s+off/u.test(word));
    case 'uvicorn':
    case 'gunicorn':
      return words.length > 0 && !words.some((word) => ['--daemon', '-D', '--version', '--help'].includes(word));
    case 'redis-server':
      return (
        !words.some((word) => /daemonize|--version|^-v$/u.test(word)) && !words.some((word) => word.endsWith('.conf'))
      );
    case 'python3':
    case 'python':
      return words[0] === '-m' && words[1] === 'http.server';
    default:
      return false;
  }
}
