import ignore from 'ignore';
import type { Finding } from '../finding';
import type { Subject } from '../model/subject';
import { applyOrder, findingOf } from '../rules/run';
import type { Claim, Rule } from '../rules/rule';
import { suppressionInvalid } from '../rules/suppression/suppression-invalid';
import { suppressionMisplaced } from '../rules/suppression/suppression-misplaced';
import { suppressionUnused } from '../rules/suppression/suppression-unused';
import type { Allowance, RuleLevel } from '../settings/settings';
import type { Range } from '../text/position';
import { agentSees } from './agent-sees';
import type { AllowComment } from './allow-comments';
import { allowCommentsIn } from './allow-comments';

export interface SuppressedFinding {
  readonly finding: Finding;
  readonly reason: string;
  /** The comment; null where taskwright.toml lets it pass. */
  readonly comment: { readonly file: string; readonly range: Range } | null;
}

export interface Conclusion {
  /** With what is to be said of the comments themselves. */
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  /** Indexes of the allowances that let something pass. */
  readonly usedAllowances: readonly number[];
}

export interface ConcludeOptions {
  readonly allow: readonly Allowance[];
  /** Relative to the workspace root; null: allowances of taskwright.toml do not apply. */
  readonly taskPath: string | null;
  readonly levels: ReadonlyMap<string, RuleLevel>;
  readonly ruleIds: ReadonlySet<string>;
}

/** Lets pass what comments and taskwright.toml allow, and says which comments are of no use. */
export function conclude(findings: readonly Finding[], subject: Subject, options: ConcludeOptions): Conclusion {
  const comments = commentsOf(subject);
  const used = new Set<AllowComment>();
  const usedAllowances = new Set<number>();
  const left: Finding[] = [];
  const suppressed: SuppressedFinding[] = [];
  const isAllowed = matcher(options);
  for (const finding of findings) {
    const { file, ruleId, range } = finding;
    const comment = comments.valid.find(
      (one) => one.rule === ruleId && one.file === file && one.lines.includes(range.start.line),
    );
    const index = comment === undefined ? isAllowed(finding) : null;
    if (comment !== undefined) {
      used.add(comment);
      suppressed.push({ finding, reason: comment.reason, comment: { file, range: rangeOf(comment, subject) } });
    } else if (index !== null) {
      usedAllowances.add(index);
      suppressed.push({ finding, reason: options.allow[index]?.reason ?? '', comment: null });
    } else left.push(finding);
  }
  const own = aboutComments(comments, used, subject, options);
  return {
    findings: own.length === 0 ? left : applyOrder([...left, ...own]),
    suppressed,
    usedAllowances: [...usedAllowances].sort((a, b) => a - b),
  };
}

interface FoundComments {
  /** Those that may let something pass; complete, and where the agent does not see them. */
  readonly valid: readonly AllowComment[];
  readonly misplaced: readonly AllowComment[];
  readonly incomplete: readonly AllowComment[];
}

function commentsOf(subject: Subject): FoundComments {
  const valid: AllowComment[] = [];
  const misplaced: AllowComment[] = [];
  const incomplete: AllowComment[] = [];
  for (const file of subject.disk?.texts.keys() ?? []) {
    const found = [...allowCommentsIn(subject, file), ...instructionComments(subject, file)];
    if (found.length === 0) continue;
    const isSeen = agentSees(subject, file);
    for (const comment of found) {
      if (isSeen) misplaced.push(comment);
      else if (comment.rule === '' || comment.reason === '') incomplete.push(comment);
      else valid.push(comment);
    }
  }
  return { valid, misplaced, incomplete };
}

/** Markdown has no comment of ours; whoever writes one there, in whatever signs, shows it to the agent. */
function instructionComments(subject: Subject, file: string): readonly AllowComment[] {
  if (!/^(?:steps\/[^/]+\/)?instruction\.md$/u.test(file)) return [];
  const text = subject.text(file) ?? '';
  const found: AllowComment[] = [];
  for (let at = text.indexOf('taskwright: allow'); at >= 0; at = text.indexOf('taskwright: allow', at + 1)) {
    const words = /^taskwright: allow(?: [A-Za-z0-9-]+)?/u.exec(text.slice(at, at + 200))?.[0] ?? '';
    const rule = words.split(' ')[2] ?? '';
    found.push({ file, start: at, end: at + words.length, rule, reason: '', lines: [] });
  }
  return found;
}

function aboutComments(
  { valid, misplaced, incomplete }: FoundComments,
  used: ReadonlySet<AllowComment>,
  subject: Subject,
  { levels, ruleIds }: ConcludeOptions,
): readonly Finding[] {
  const found: Finding[] = [];
  const say = (rule: Rule, comment: AllowComment, message: string, more: Partial<Claim> = {}): void => {
    if (levels.get(rule.id) === 'off') return;
    const claim: Claim = { file: comment.file, range: rangeOf(comment, subject), message, ...more };
    found.push(findingOf(rule, claim, subject, levels));
  };
  for (const comment of misplaced) {
    const what = comment.rule === '' ? 'this' : `the allowance of ${comment.rule}`;
    const message = `The agent gets to see ${comment.file}, so ${what} counts for nothing here; write it into taskwright.toml.`;
    say(suppressionMisplaced, comment, message);
  }
  for (const comment of incomplete) {
    const lacks = comment.rule === '' ? 'names no rule' : `gives no reason for allowing ${comment.rule}`;
    say(suppressionInvalid, comment, `The comment ${lacks}, so it lets nothing pass.`);
  }
  for (const comment of valid) {
    if (used.has(comment)) continue;
    if (!ruleIds.has(comment.rule)) {
      say(suppressionInvalid, comment, `There is no rule ${comment.rule}, so the comment lets nothing pass.`);
    } else if (levels.get(comment.rule) !== 'off') {
      const message = `${comment.rule} finds nothing here, so the comment lets nothing pass.`;
      const edits = [{ file: comment.file, range: removalOf(comment, subject), newText: '' }];
      const fixes = [{ title: 'Remove the comment', edits, preferred: true }];
      say(suppressionUnused, comment, message, { fixes, tag: 'unnecessary' });
    }
  }
  return found;
}

/** The first allowance of taskwright.toml for a finding, by index; null without one. */
function matcher({ allow, taskPath }: ConcludeOptions): (finding: Finding) => number | null {
  if (allow.length === 0 || taskPath === null) return () => null;
  const patterns = new Map<number, ReturnType<typeof ignore>>();
  return ({ ruleId, file }) => {
    const index = allow.findIndex(({ rule, path }, at) => {
      if (rule !== ruleId) return false;
      const pattern = patterns.get(at) ?? ignore({ ignorecase: false, allowRelativePaths: true }).add(path);
      patterns.set(at, pattern);
      return pattern.ignores(`${taskPath}/${file}`);
    });
    return index < 0 ? null : index;
  };
}

function rangeOf({ file, start, end }: AllowComment, subject: Subject): Range {
  const lines = subject.lines(file);
  const nowhere = { line: 0, character: 0 };
  return lines === null ? { start: nowhere, end: nowhere } : lines.range(start, end);
}

/** The whole line of a comment that has one for itself, else the comment and the blanks before it. */
function removalOf(comment: AllowComment, subject: Subject): Range {
  const text = subject.text(comment.file) ?? '';
  const lines = subject.lines(comment.file);
  if (lines === null) return rangeOf(comment, subject);
  const { line } = lines.position(comment.start);
  const isOwn = lines.line(line).trim() === text.slice(comment.start, comment.end).trim();
  if (isOwn && line + 1 < lines.count) {
    return { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
  }
  const before = text.slice(lines.start(line), comment.start);
  return lines.range(lines.start(line) + before.trimEnd().length, comment.end);
}
