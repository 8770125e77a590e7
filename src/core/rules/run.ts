import type { Finding, Fix, Severity } from '../finding';
import type { Subject } from '../model/subject';
import type { RuleLevel } from '../settings/settings';
import type { TomlDocument } from '../task/document';
import { readDocument } from '../task/document';
import { applyEdits } from '../text/edits';
import type { Position, Range } from '../text/position';
import { fingerprint } from './fingerprint';
import type { Claim, Rule } from './rule';

const order: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

export interface RunOptions {
  /** Called when a rule fails, which is a bug of the rule; the other rules go on. */
  readonly onTrouble?: (ruleId: string, error: unknown) => void;
  /** Looked at between rules; what was found until then is given. */
  readonly signal?: AbortSignal;
  /** Severities that take the place of the rules' own, by rule id. A rule that is `off` is not run. */
  readonly levels?: ReadonlyMap<string, RuleLevel>;
}

/** Runs rules over one task; findings come in the order of file, place and severity. Never throws on any task. */
export function runRules(rules: readonly Rule[], subject: Subject, options: RunOptions = {}): readonly Finding[] {
  const claims: RuleClaim[] = [];
  for (const rule of rules) {
    if (options.signal?.aborted === true) break;
    if (options.levels?.get(rule.id) === 'off') continue;
    claims.push(...claimsOf(rule, subject, options));
  }
  return findingsOf(claims, subject, options.levels);
}

export interface RuleClaim {
  readonly rule: Rule;
  readonly claim: Claim;
}

/** What one rule claims; nothing when it fails. */
export function claimsOf(rule: Rule, subject: Subject, { onTrouble }: RunOptions = {}): readonly RuleClaim[] {
  try {
    return [...rule.check(subject)].map((claim) => ({ rule, claim }));
  } catch (error) {
    onTrouble?.(rule.id, error);
    return [];
  }
}

/** A claim and the finding it makes. */
export interface FoundClaim extends RuleClaim {
  readonly finding: Finding;
}

/** The claims as findings, without those that another one describes better. */
export function findingsOf(
  claims: readonly RuleClaim[],
  subject: Subject,
  levels?: ReadonlyMap<string, RuleLevel>,
): readonly Finding[] {
  return applyOrder(withoutSuperseded(claims).map(({ rule, claim }) => findingOf(rule, claim, subject, levels)));
}

/** What `findingsOf` gives, of findings that are made already. */
export function assembled(found: readonly FoundClaim[]): readonly Finding[] {
  return applyOrder(withoutSuperseded(found).map(({ finding }) => finding));
}

/** By file, place and severity. */
export function applyOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      compare(a.file, b.file) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.character - b.range.start.character ||
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      compare(a.ruleId, b.ruleId),
  );
}

function withoutSuperseded<T extends RuleClaim>(claims: readonly T[]): readonly T[] {
  const better = claims.filter(({ claim }) => claim.supersedes !== undefined);
  if (better.length === 0) return claims;
  return claims.filter(
    ({ rule, claim }) =>
      !better.some(
        (other) =>
          other.claim !== claim &&
          other.claim.supersedes?.includes(rule.id) === true &&
          (other.claim.file ?? 'task.toml') === (claim.file ?? 'task.toml') &&
          overlaps(other.claim.range, claim.range),
      ),
  );
}

function overlaps(a: Range, b: Range): boolean {
  return isBefore(a.start, b.end) && isBefore(b.start, a.end);
}

/** Empty ranges overlap what touches them. */
function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}

/** Reads of the subject what the fingerprint and the soundness of fixes need. */
export function findingOf(
  rule: Rule,
  claim: Claim,
  subject: Subject,
  levels?: ReadonlyMap<string, RuleLevel>,
): Finding {
  const file = claim.file ?? 'task.toml';
  const level = levels?.get(rule.id);
  return {
    ruleId: rule.id,
    severity: level !== undefined && level !== 'off' ? level : (claim.severity ?? rule.severity),
    confidence: claim.confidence ?? rule.confidence,
    file,
    range: claim.range,
    ...(claim.path && { path: claim.path }),
    message: claim.message,
    why: rule.why,
    ...(claim.related && claim.related.length > 0 && { related: claim.related }),
    fixes: (claim.fixes ?? []).filter((fix) => isSound(fix, subject)),
    ...(claim.tag && { tag: claim.tag }),
    fingerprint: fingerprintOf(rule, claim, file, subject),
  };
}

/**
 * Rule, file, the range's text with its white space normalised, and the enclosing section: the path for task.toml, so
 * that a moved line keeps its fingerprint and the same value in another table has another one.
 */
function fingerprintOf(rule: Rule, claim: Claim, file: string, subject: Subject): string {
  const text = subject.text(file);
  const lines = subject.lines(file);
  let covered = '';
  if (text !== null && lines !== null) {
    covered = text.slice(lines.offset(claim.range.start), lines.offset(claim.range.end)).replace(/\s+/gu, ' ').trim();
  }
  // Without a path and without a text, what is claimed tells findings at the same place apart.
  const section = claim.path ? JSON.stringify(claim.path) : (claim.section ?? (covered === '' ? claim.message : ''));
  return fingerprint(rule.id, file, covered, section);
}

/** A fix must leave task.toml readable and add no error: one that does not is not offered. */
function isSound(fix: Fix, subject: Subject): boolean {
  const edits = fix.edits.filter((edit) => edit.file === 'task.toml');
  const { toml } = subject;
  if (edits.length === 0 || toml === null) return true;
  const mended = applyEdits(toml.text, edits);
  if (mended === null) return false;
  const after = readDocument(mended);
  // What a syntax error hid shows once the error is mended.
  return toml.root === null || (after.root !== null && countErrors(after) <= countErrors(toml));
}

function countErrors({ problems }: TomlDocument): number {
  return problems.filter((problem) => problem.severity === 'error').length;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
