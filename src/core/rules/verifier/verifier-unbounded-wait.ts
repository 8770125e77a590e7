import { baseName } from '../../model/container-path';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { Call, PythonModule } from '../../text/python/module';
import type { ShellCommand, ShellNode } from '../../text/shell/script';
import { claimAt, once, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const verifierUnboundedWait: Rule = {
  id: 'verifier-unbounded-wait',
  severity: 'information',
  confidence: 'likely',
  inputs: ['shell:test', 'py:tests', 'tree', 'toml', 'texts'],
  needsDisk: true,
  why: 'One call that never answers uses up the whole limit of the verifier, and the trial ends without a reward.',
  docs: {
    finds:
      'Calls of the verifier that may wait for ever: `requests` and `urlopen` without `timeout=`, `curl` without `--max-time`, `nc` without `-w`, a loop that sleeps until something happens. Said once a file.',
    silent:
      'A limit for all tests (`--timeout`, `timeout =` in the configuration), `timeout N` in front, loops that count.',
    bad: 'requests.get(url)',
    good: 'requests.get(url, timeout=10)',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

interface Wait {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

function* claims(subject: Subject): Generator<Claim> {
  for (const { reach, tests } of subject.derive(stepViews)) {
    if (/--timeout[ =]|^\s*timeout\s*=|pytest\.mark\.timeout|faulthandler_timeout/mu.test(tests)) continue;
    const limited = reach.files.some(({ shell }) => shell?.commands.some(hasOuterLimit) === true);
    for (const { file, shell, python, via } of reach.files) {
      if (via === 'read') continue;
      const waits =
        shell !== null
          ? shellWaits(shell.body, shell.commands)
          : python !== null && !limited
            ? pythonWaits(python)
            : [];
      const [first, ...more] = waits;
      if (first === undefined) continue;
      const rest =
        more.length === 0 ? '' : `, and so may ${more.length} more ${more.length === 1 ? 'call' : 'calls'} of the file`;
      yield* claimAt(
        subject,
        { file, start: first.start, end: first.end },
        {
          message: `${first.what} in ${baseName(file)} may wait for ever${rest}.`,
          related: more.slice(0, 5).flatMap((wait) => relatedTo(subject, { file, ...wait }, `${wait.what} here.`)),
        },
      );
    }
  }
}

/** `timeout 60 pytest`. */
function hasOuterLimit({ wrappers }: ShellCommand): boolean {
  return wrappers.some(({ name }) => name === 'timeout');
}

function shellWaits(body: readonly ShellNode[], commands: readonly ShellCommand[]): readonly Wait[] {
  const waits = commands.flatMap((command): Wait[] => {
    const { program, programWord, args } = command;
    if (program === null || programWord === null || hasOuterLimit(command)) return [];
    const has = (pattern: RegExp): boolean => args.some(({ value, prefix }) => pattern.test(value ?? prefix));
    const { start, end } = programWord;
    const names = args.some(({ prefix }) => /^https?:/u.test(prefix) || prefix.startsWith('localhost'));
    if (program === 'curl' && names && !has(/^(?:-[a-zA-Z]*m\d*|--max-time.*|--speed-time.*)$/u))
      return [{ start, end, what: 'curl' }];
    if ((program === 'nc' || program === 'ncat') && !has(/^-[a-z]*[wzq]/u) && args.length > 1)
      return [{ start, end, what: program }];
    return [];
  });
  return [...waits, ...loops(body)].sort((a, b) => a.start - b.start);
}

/** Loops whose body only sleeps: nothing in them can end them but the condition. */
function loops(nodes: readonly ShellNode[]): readonly Wait[] {
  return nodes.flatMap((node): readonly Wait[] => {
    if (node.kind === 'loop') return isEndless(node) ? [waitOf(node)] : loops(node.body);
    if (node.kind === 'if')
      return [...node.branches.flatMap(({ body }) => loops(body)), ...loops(node.otherwise ?? [])];
    if (node.kind === 'group' || node.kind === 'subshell') return loops(node.body);
    return node.kind === 'function' ? loops([node.body]) : [];
  });
}

type Loop = Extract<ShellNode, { kind: 'loop' }>;

function waitOf({ start, word }: Loop): Wait {
  return { start, end: start + word.length, what: 'this loop' };
}

function isEndless({ word, condition, body }: Loop): boolean {
  if (word !== 'while' && word !== 'until') return false;
  const pauses = body.flatMap((node) => (node.kind === 'command' && isPause(node.command) ? [node.command] : []));
  if (pauses.length < body.length || !pauses.some(({ program }) => program === 'sleep')) return false;
  // What compares may count; what reads ends with its input.
  return !condition.some(
    (node) => node.kind === 'command' && /^(?:\[|\[\[|test|\(\(|read)$/u.test(node.command.program ?? ''),
  );
}

function isPause({ program, assignments }: ShellCommand): boolean {
  return assignments.length === 0 && ['sleep', 'echo', 'printf', ':', 'true'].includes(program ?? '');
}

const blocking = /^(?:requests\.(?:get|post|put|delete|head|patch|options|request)|urllib\.request\.urlopen|urlopen)$/u;

function pythonWaits(module: PythonModule): readonly Wait[] {
  return module.calls.filter(isBlocking).map(({ node, callee }) => {
    const open = module.text.indexOf('(', node.start);
    return {
      start: node.start,
      end: open > node.start ? Math.min(open, node.end) : node.end,
      what: callee ?? 'a call',
    };
  });
}

function isBlocking({ callee, keywords, spread, arguments: given }: Call): boolean {
  if (callee === null || !blocking.test(callee) || spread || keywords.has('timeout')) return false;
  return !(callee.endsWith('urlopen') && given.length > 2);
}
