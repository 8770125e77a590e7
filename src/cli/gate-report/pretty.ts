import { createColors } from 'picocolors';
import type { GateDocument, GateTaskResult } from '../../core/gates/document';
import { tallyCheats } from '../../core/gates/judge-cheat';
import { sentence, splitMessage } from '../../core/gates/message';
import { isVariant, type AttemptResult, type GateResult, type Verdict } from '../../core/gates/verdict';
import { cut, duration, plainLine, wrap } from '../plain-text';

export interface PrettyOptions {
  readonly color: boolean;
  /** Where long sentences are broken; null leaves each on one line, as files and pipes want it. */
  readonly width: number | null;
  /** The cheats that were chosen; null when the gate tried all that apply. */
  readonly strategies?: readonly string[] | null;
  /** The job's folder as shown to people; null when no trial was made. */
  readonly jobDir: string | null;
}

/** The gates of every task, for people. State is told by sign and word, then by colour. */
export function prettyReport(document: GateDocument, options: PrettyOptions): string {
  const paint = painter(options);
  const chosen = options.strategies ?? null;
  const parts = document.tasks.map((task) => taskLines(task, chosen, paint).join('\n'));
  return `${[...parts, summaryLines(document, options, paint).join('\n')].join('\n\n')}\n`;
}

type Colors = ReturnType<typeof createColors>;

interface Paint {
  readonly colors: Colors;
  /** A sentence with its lines below each other, at an indent. */
  sentence(text: string, indent: number): string[];
}

function painter(options: PrettyOptions): Paint {
  return {
    colors: createColors(options.color),
    sentence: (text, indent) => {
      const line = plainLine(text);
      const width = options.width === null ? Infinity : Math.max(40, Math.min(options.width, 110) - indent);
      return wrap(line, width).map((part) => ' '.repeat(indent) + part);
    },
  };
}

function taskLines(task: GateTaskResult, chosen: readonly string[] | null, paint: Paint): string[] {
  const { colors } = paint;
  const name = plainLine(task.name);
  const path = plainLine(task.path);
  const lines = [path === name ? colors.bold(name) : `${colors.bold(name)}  ${colors.dim(path)}`];
  for (const gate of task.gates) lines.push(...gateLines(task, gate, paint));
  if (chosen !== null && task.gates.some(({ gate }) => gate === 'cheat'))
    lines.push(
      ...paint.sentence(
        `Only ${chosen.map(plainLine).join(', ')} tried: this proves nothing of the cheat gate as a whole, and the receipt keeps what it had for it. Run the gate without --strategy to renew it.`,
        2,
      ),
    );
  if (task.receipt !== null) lines.push(`  ${colors.dim(`receipt ${plainLine(task.receipt)}`)}`);
  return lines;
}

const textIndent = 4;

function gateLines(task: GateTaskResult, gate: GateResult, paint: Paint): string[] {
  const { colors } = paint;
  const took = gate.attempts.reduce((sum, { durationSec }) => sum + durationSec, 0);
  const facts = [
    rewardText(gate),
    ...(gate.reason === null ? [] : [reasonText(gate)]),
    ...(gate.attempts.length > 0 ? [colors.dim(duration(took))] : []),
  ].filter((fact) => fact !== '');
  const head = `  ${sign(gate.verdict, colors)} ${gate.gate.padEnd(6)}  ${word(gate.verdict, colors)}`;
  const lines = [facts.length === 0 ? head : `${head}${' '.repeat(12 - gate.verdict.length)}${facts.join('  ')}`];
  if (gate.gate === 'cheat' && gate.attempts.length > 0)
    lines.push(...tallyLines(gate).map((line) => ' '.repeat(textIndent) + line));
  const told = gate.attempts.some((attempt) => isRewarded(attempt) && attempt.explanation !== undefined);
  // The account of a hit below says the same, and more.
  if (gate.message !== null && !(gate.verdict === 'failed' && told)) {
    const own = gate.message.startsWith(`${task.name}: `) ? gate.message.slice(task.name.length + 2) : gate.message;
    const same = earlierWithSame(task, gate);
    lines.push(...(same === null ? paint.sentence(sentence(own), textIndent) : [`    As for ${same.gate}.`]));
    if (same !== null) return lines;
  }
  if (gate.gate === 'cheat') {
    for (const attempt of gate.attempts) if (isRewarded(attempt)) lines.push(...hitLines(attempt, paint));
  } else if (gate.verdict !== 'passed') {
    lines.push(...outputLines(gate, colors));
    const trial = gate.attempts.find(({ trial }) => trial !== null)?.trial;
    if (trial !== undefined && trial !== null) lines.push(`    ${colors.dim('trial')}   ${plainLine(trial)}`);
  }
  return lines;
}

const mostOutput = 12;

/** The end of what a program printed before nothing could be decided. */
function outputLines(gate: GateResult, colors: Colors): string[] {
  const message = gate.attempts.find((attempt) => typeof attempt.message === 'string')?.message ?? '';
  const { output } = splitMessage(message);
  if (output === '') return [];
  const lines = output.split('\n');
  const shown = lines.slice(-mostOutput).map((line) => `    ${colors.dim('│')} ${cut(plainLine(line), 160)}`.trimEnd());
  const left = lines.length - shown.length;
  return [...(left > 0 ? [`    ${colors.dim(`│ … ${left} more ${left === 1 ? 'line' : 'lines'}`)}`] : []), ...shown];
}

/** The gate above that could not decide for the same reason: an image that does not build is told once. */
function earlierWithSame(task: GateTaskResult, gate: GateResult): GateResult | null {
  if (gate.verdict !== 'not-proven') return null;
  const plain = ({ gate: name, message }: GateResult): string =>
    (message ?? '').replace(`the ${name} gate`, 'the gate');
  const at = task.gates.indexOf(gate);
  return task.gates.slice(0, at).find((one) => one.reason === gate.reason && plain(one) === plain(gate)) ?? null;
}

/** With the cheat that decided: the first hit of the list. */
function reasonText(gate: GateResult): string {
  const reason = gate.reason ?? '';
  return typeof gate.strategy === 'string' ? `${reason} (${plainLine(gate.strategy)})` : reason;
}

function rewardText(gate: GateResult): string {
  if (gate.gate === 'cheat' || gate.reward === null) return '';
  const { key, value, file } = gate.reward;
  const name = key === 'reward' ? 'reward' : plainLine(key);
  const rewards = new Set(gate.attempts.map(({ reward }) => String(reward)));
  const often =
    gate.attempts.length > 1 ? (rewards.size === 1 ? `  ${gate.attempts.length} attempts` : `  ${spread(gate)}`) : '';
  return `${name} ${String(value)} (${file})${often}`;
}

/** `1 in 3 of 5 attempts`, where attempts differ. */
function spread(gate: GateResult): string {
  const value = gate.reward?.value ?? null;
  const same = gate.attempts.filter(({ reward }) => reward === value).length;
  return `in ${same} of ${gate.attempts.length} attempts`;
}

function tallyLines(gate: GateResult): string[] {
  const tally = tallyCheats(gate.attempts);
  const parts = [
    `${tally.resisted} resisted`,
    counted(tally.hit, 'hit'),
    ...(tally.denied.length > 0 ? [counted(tally.denied, 'denied')] : []),
    ...(tally.broken.length > 0 ? [counted(tally.broken, 'broken')] : []),
    ...(tally.late.length > 0 ? [counted(tally.late, 'late hit')] : []),
    ...(tally.notApplicable > 0 ? [`${tally.notApplicable} n/a`] : []),
  ];
  const lines = [`cheats: ${parts.join(', ')}`];
  const variants = tally.accepted + tally.rejected.length + tally.variantsBroken.length;
  if (variants > 0) {
    const judged = [
      `${tally.accepted} accepted`,
      counted(tally.rejected, 'rejected'),
      ...(tally.variantsBroken.length > 0 ? [counted(tally.variantsBroken, 'undecided')] : []),
    ];
    lines.push(`variants: ${judged.join(', ')}`);
  }
  return lines;
}

function counted(names: readonly string[], outcome: string): string {
  return names.length === 0 ? `0 ${outcome}` : `${names.length} ${outcome} (${names.map(plainLine).join(', ')})`;
}

function isRewarded(attempt: AttemptResult): boolean {
  return attempt.outcome === 'hit' || attempt.outcome === 'partial-hit';
}

/** A variant that was refused is a hit of the tests, not on them. */
function outcomeWord({ strategy, outcome }: AttemptResult): string {
  return isVariant(strategy) ? 'rejected' : (outcome ?? '');
}

function hitLines(attempt: AttemptResult, paint: Paint): string[] {
  const { colors } = paint;
  const lines = [
    `    ${colors.red('✗')} ${plainLine(attempt.strategy ?? 'cheat')}  reward ${String(attempt.reward)}  ${outcomeWord(attempt)}`,
  ];
  const field = (label: string, text: string): void => {
    const [first = '', ...rest] = paint.sentence(text, 15);
    lines.push(`      ${colors.dim(label.padEnd(9))}${first.trimStart()}`, ...rest);
  };
  const told = attempt.explanation;
  if (told !== undefined) {
    if (told.planted.length > 0) {
      const shown = told.planted.slice(0, 6).map((line) => cut(plainLine(line), 100));
      const more = told.planted.length - shown.length;
      field('planted', shown.join(', ') + (more > 0 ? ` and ${more} more` : ''));
    }
    field('what', told.whatHappened);
    field('why', told.whyItWorked);
    field('change', told.whatToChange);
    lines.push(`      ${colors.dim('again    ')}${plainLine(told.howToCheck.replace(/^Run this cheat again: /, ''))}`);
    if (told.reproduction !== null) lines.push(`      ${colors.dim('script   ')}${plainLine(told.reproduction)}`);
  }
  if (attempt.trial !== null) lines.push(`      ${colors.dim('trial    ')}${plainLine(attempt.trial)}`);
  return lines;
}

function summaryLines(document: GateDocument, options: PrettyOptions, paint: Paint): string[] {
  const { tasks, passed, failed, notProven } = document.summary;
  const { colors } = paint;
  const counts = [
    passed > 0 || failed + notProven === 0 ? colors.green(`${passed} passed`) : '0 passed',
    ...(failed > 0 ? [colors.red(`${failed} failed`)] : []),
    ...(notProven > 0 ? [colors.yellow(`${notProven} not proven`)] : []),
  ];
  const gates = passed + failed + notProven;
  const lines = [
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'}, ${gates} ${gates === 1 ? 'gate' : 'gates'}: ${counts.join(', ')}`,
  ];
  if (options.jobDir !== null) lines.push(colors.dim(`job ${plainLine(options.jobDir)}`));
  return lines;
}

function sign(verdict: Verdict, colors: Colors): string {
  switch (verdict) {
    case 'passed':
      return colors.green('✓');
    case 'failed':
      return colors.red('✗');
    case 'not-proven':
      return colors.yellow('?');
  }
}

function word(verdict: Verdict, colors: Colors): string {
  switch (verdict) {
    case 'passed':
      return colors.green(verdict);
    case 'failed':
      return colors.red(verdict);
    case 'not-proven':
      return colors.yellow(verdict);
  }
}
