import type { Finding, Severity } from '../../core/finding';
import pc from 'picocolors';
import { summarizeFindings, type CheckedTask, type FindingSummary } from './checked-task';

export interface PrettyOptions {
  readonly color: boolean;
  readonly pathOf: (task: CheckedTask, file: string) => string;
  /** The text of a line (from 0) of a task's file; null when it cannot be read. */
  readonly lineOf: (task: CheckedTask, file: string, line: number) => string | null;
}

type Colors = ReturnType<typeof pc.createColors>;

/** Findings as compilers show theirs: place, severity, sentence, rule, and the line with its range marked. */
export function prettyFindings(tasks: readonly CheckedTask[], options: PrettyOptions): string {
  const colors = pc.createColors(options.color);
  const blocks = tasks.flatMap((task) => [
    ...harborNote(task, colors),
    ...task.findings.map((finding) => block(task, finding, options, colors)),
  ]);
  return [...blocks, summaryLine(summarizeFindings(tasks), tasks)].join('\n') + '\n';
}

/** The reason is a whole sentence, which says whether Harbor refuses the folder or leaves it out without a word. */
function harborNote({ path, harbor }: CheckedTask, colors: Colors): readonly string[] {
  if (harbor.outcome === 'loads') return [];
  return [`${colors.bold(printable(path))}: ${colors.red('not loadable')}: ${printable(harbor.reason ?? '')}`];
}

function block(task: CheckedTask, finding: Finding, options: PrettyOptions, colors: Colors): string {
  const { start, end } = finding.range;
  const place = `${printable(options.pathOf(task, finding.file))}:${start.line + 1}:${start.character + 1}`;
  const word = severityColor(finding.severity, colors)(finding.severity);
  const head = `${colors.bold(place)}: ${word}: ${printable(finding.message)} ${colors.dim(`[${finding.ruleId}]`)}`;
  const line = options.lineOf(task, finding.file, start.line);
  if (line === null || line.trim() === '') return head;
  return `${head}\n${codeFrame(line, start, end.line === start.line ? end.character : line.length, colors)}`;
}

function codeFrame(
  line: string,
  start: { readonly line: number; readonly character: number },
  end: number,
  colors: Colors,
): string {
  const number = String(start.line + 1);
  const margin = ' '.repeat(number.length);
  // A very long line is cut around its range, so that the mark stays in sight.
  const from = start.character > 100 ? start.character - 40 : 0;
  const shown = printable(line.slice(from, from + 160));
  const before = ' '.repeat(widthOf(printable(line.slice(from, start.character))));
  const marked = printable(line.slice(start.character, Math.min(end, from + 160)));
  const mark = '^'.repeat(Math.max(1, widthOf(marked)));
  return `  ${colors.dim(`${number} |`)} ${shown}\n  ${colors.dim(`${margin} |`)} ${before}${colors.cyan(mark)}`;
}

function severityColor(severity: Severity, colors: Colors): (text: string) => string {
  switch (severity) {
    case 'error':
      return colors.red;
    case 'warning':
      return colors.yellow;
    case 'information':
      return colors.blue;
    case 'hint':
      return colors.dim;
  }
}

function summaryLine(summary: FindingSummary, tasks: readonly CheckedTask[]): string {
  const counts = (['error', 'warning', 'information', 'hint'] as const)
    .filter((severity) => summary[severity] > 0 || severity === 'error' || severity === 'warning')
    .map((severity) => counted(summary[severity], severity));
  const fixable = tasks.flatMap((task) => task.findings).filter((one) => one.fixes.some((fix) => fix.preferred)).length;
  const hint = fixable > 0 ? ` ${counted(fixable, 'finding')} can be mended with --fix.` : '';
  return `${counted(summary.tasks, 'task')}, ${summary.loadable} of them loadable: ${counts.join(', ')}.${hint}`;
}

function counted(count: number, noun: string): string {
  const many = noun === 'information' ? 'information' : `${noun}s`;
  return `${count} ${count === 1 ? noun : many}`;
}

/** Tabs become spaces, and what would steer a terminal is shown in place of being done. */
function printable(text: string): string {
  return text
    .replaceAll('\t', '    ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
      character === '\u200d' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
}

/** Columns of a terminal: marks take none, East Asian and pictorial characters two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/^[\p{M}\u200d]$/u.test(character)) continue;
    width +=
      /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60]$/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
