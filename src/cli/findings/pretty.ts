import type { Finding, Severity } from '../../core/finding';
import pc from 'picocolors';
import type { CheckedFile, CheckedTask } from './checked-task';
import { filesOf, summarizeFindings, withoutPossible, type CheckReport, type FindingSummary } from './report';

export interface PrettyOptions {
  readonly color: boolean;
  readonly pathOf: (checked: CheckedFile, file: string) => string;
  /** The text of a line (from 0) of a task's file; null when it cannot be read. */
  readonly lineOf: (checked: CheckedFile, file: string, line: number) => string | null;
  /** Are findings shown, too, of which reading cannot be sure? */
  readonly showsPossible: boolean;
}

type Colors = ReturnType<typeof pc.createColors>;

/** Findings as compilers show theirs: place, severity, sentence, rule, and the line with its range marked. */
export function prettyFindings(full: CheckReport, options: PrettyOptions): string {
  const colors = pc.createColors(options.color);
  const report = options.showsPossible ? full : withoutPossible(full);
  const explained = new Set<string>();
  const blocks = filesOf(report).flatMap((checked) => [
    ...('harbor' in checked ? harborNote(checked as CheckedTask, colors) : []),
    ...checked.findings.map((finding) => {
      const isFirst = !explained.has(finding.ruleId);
      explained.add(finding.ruleId);
      return [block(checked, finding, options, colors), ...notes(finding, isFirst, colors)].join('\n');
    }),
  ]);
  const count = (one: CheckReport): number => filesOf(one).reduce((sum, { findings }) => sum + findings.length, 0);
  const hidden = count(full) - count(report);
  return [...blocks, summaryLine(summarizeFindings(report), report, hidden)].join('\n') + '\n';
}

/** Why it matters, with the first finding of a rule, and what would mend it. */
function notes(finding: Finding, isFirst: boolean, colors: Colors): readonly string[] {
  const fix = finding.fixes.find(({ preferred }) => preferred === true) ?? finding.fixes[0];
  return [
    ...(isFirst ? [`  ${colors.dim('why:')} ${printable(finding.why)}`] : []),
    ...(fix === undefined ? [] : [`  ${colors.dim('fix:')} ${printable(fix.title)}`]),
  ];
}

/** The reason is a whole sentence, which says whether Harbor refuses the folder or leaves it out without a word. */
function harborNote({ path, harbor, failure }: CheckedTask, colors: Colors): readonly string[] {
  if (failure !== null)
    return [`${colors.bold(printable(path))}: ${colors.red('not checked')}: It ${printable(failure)}.`];
  if (harbor.outcome === 'loads') return [];
  return [`${colors.bold(printable(path))}: ${colors.red('not loadable')}: ${printable(harbor.reason ?? '')}`];
}

function block(task: CheckedFile, finding: Finding, options: PrettyOptions, colors: Colors): string {
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

function summaryLine(summary: FindingSummary, report: CheckReport, hidden: number): string {
  const counts = (['error', 'warning', 'information', 'hint'] as const)
    .filter((severity) => summary[severity] > 0 || severity === 'error' || severity === 'warning')
    .map((severity) => counted(summary[severity], severity));
  const all = filesOf(report).flatMap(({ findings }) => findings);
  const fixable = all.filter((one) => one.fixes.some((fix) => fix.preferred)).length;
  return [
    `${counted(summary.tasks, 'task')}, ${summary.loadable} of them loadable: ${counts.join(', ')}.`,
    ...(summary.suppressed > 0 ? [`${counted(summary.suppressed, 'finding')} let pass with a reason.`] : []),
    ...(hidden > 0 ? [`${counted(hidden, 'possible finding')} not shown (--possible).`] : []),
    ...(fixable > 0 ? [`${counted(fixable, 'finding')} with a fix at hand.`] : []),
  ].join(' ');
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
