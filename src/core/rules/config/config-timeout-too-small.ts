import { walkShell } from '../../model/shell-walk';
import { solutionViews } from '../../model/solution-view';
import { stepViews } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PythonModule } from '../../text/python/module';
import type { ShellScript } from '../../text/shell/script';
import type { TomlPath } from '../../text/toml-tree';
import { entryAt } from '../../text/toml-tree';
import { once } from '../places';
import type { Claim, Rule } from '../rule';
import { sourceOf, tomlFix } from './toml-places';

export const configTimeoutTooSmall: Rule = {
  id: 'config-timeout-too-small',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['toml', 'shell:test', 'shell:solve', 'py:tests', 'tree'],
  needsDisk: true,
  why: 'A right answer would be cut off by the clock and count as wrong.',
  docs: {
    finds: 'The pauses that a verifier or a solution always makes add up to more than four fifths of its limit.',
    silent:
      'Pauses in branches, in loops, in functions that are not surely called, and in the background; limits of programs.',
    bad: '[verifier]\ntimeout_sec = 60.0      # test.sh sleeps for 55 seconds',
    good: '[verifier]\ntimeout_sec = 110.0',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  const config = subject.toml?.config;
  if (!config) return;
  for (const { step, reach } of subject.derive(stepViews)) {
    const own = step.index === null ? config.verifier : config.steps[step.index]?.verifier;
    let seconds = 0;
    for (const { shell, python, via } of reach.files) {
      if (via === 'start' && shell !== null) seconds += pauses(shell);
      if (via === 'pytest' && python !== null) seconds += testPauses(python);
    }
    yield* judge(subject, 'verifier', step.index, own?.timeout_sec ?? null, seconds);
  }
  for (const { view, script } of subject.derive(solutionViews)) {
    if (script === null) continue;
    const { index } = view.step;
    const own = index === null ? null : (config.steps[index]?.agent.timeout_sec ?? null);
    yield* judge(subject, 'agent', own === null ? null : index, own ?? config.agent.timeout_sec, pauses(script));
  }
}

/** Seconds that a script sleeps on every way through it. */
function pauses(script: ShellScript): number {
  let seconds = 0;
  walkShell(script, null, ({ command }) => {
    const { program, args, context } = command;
    if (program !== 'sleep' || context.conditional || context.background || context.loop || context.rightOf !== null)
      return;
    for (const { value } of args) seconds += secondsOf(value);
  });
  return seconds;
}

function secondsOf(value: string | null): number {
  const found = /^(\d+(?:\.\d+)?)([smhd]?)$/u.exec(value ?? '');
  if (found === null) return 0;
  const unit = { s: 1, m: 60, h: 3_600, d: 86_400 }[found[2] ?? ''] ?? 1;
  return Number(found[1]) * unit;
}

/** Seconds that the tests of a file sleep at the top of their bodies, each test once. */
function testPauses(module: PythonModule): number {
  return module.sleeps
    .filter(({ block }) => module.tests.some((test) => test.function.body === block))
    .reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
}

function* judge(
  { toml }: Subject,
  phase: 'verifier' | 'agent',
  step: number | null,
  limit: number | null,
  seconds: number,
): Generator<Claim> {
  const source = sourceOf(toml);
  if (source === null || limit === null || seconds === 0 || !(limit > 0) || seconds <= limit * 0.8) return;
  const path: TomlPath = step === null ? [phase, 'timeout_sec'] : ['steps', step, phase, 'timeout_sec'];
  const entry = entryAt(source.root, path);
  if (entry === undefined) return;
  const whose = phase === 'verifier' ? 'verifier' : 'solution';
  const better = `${Math.ceil(seconds * 2)}.0`;
  yield {
    path,
    range: entry.value.range,
    message: `The ${whose} always sleeps for ${round(seconds)} s, and its limit is ${round(limit)} s.`,
    fixes: tomlFix(`Allow ${better} seconds`, [{ range: entry.value.range, newText: better }]),
  };
}

function round(seconds: number): string {
  return String(Math.round(seconds * 10) / 10);
}
