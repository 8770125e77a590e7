import type { Finding, Fix, Severity } from '../finding';
import type { TomlDocument } from '../task/document';
import { readDocument } from '../task/document';
import { applyEdits } from '../text/edits';
import { linesOf } from '../text/lines';
import { fingerprint } from './fingerprint';
import type { Claim, Rule, Subject } from './rule';

const order: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** Runs rules over one task; findings come in the order of file, place and severity. Never throws on any task. */
export function runRules(rules: readonly Rule[], subject: Subject): readonly Finding[] {
  const findings = rules.flatMap((rule) => [...rule.check(subject)].map((claim) => findingOf(rule, claim, subject)));
  return findings.sort(
    (a, b) =>
      compare(a.file, b.file) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.character - b.range.start.character ||
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      compare(a.ruleId, b.ruleId),
  );
}

function findingOf(rule: Rule, claim: Claim, subject: Subject): Finding {
  const file = claim.file ?? 'task.toml';
  return {
    ruleId: rule.id,
    severity: claim.severity ?? rule.severity,
    confidence: claim.confidence ?? rule.confidence,
    file,
    range: claim.range,
    ...(claim.path && { path: claim.path }),
    message: claim.message,
    why: rule.why,
    ...(claim.related && claim.related.length > 0 && { related: claim.related }),
    fixes: (claim.fixes ?? []).filter((fix) => isSound(fix, subject)),
    fingerprint: fingerprintOf(rule, claim, file, subject),
  };
}

/**
 * Rule, file, the range's text with its white space normalised, and the enclosing section: the path for task.toml, so
 * that a moved line keeps its fingerprint and the same value in another table has another one.
 */
function fingerprintOf(rule: Rule, claim: Claim, file: string, subject: Subject): string {
  const text = textOf(file, subject);
  let covered = '';
  if (text !== null) {
    const lines = linesOf(text);
    covered = text.slice(lines.offset(claim.range.start), lines.offset(claim.range.end)).replace(/\s+/gu, ' ').trim();
  }
  // Without a path and without a text, what is claimed tells findings at the same place apart.
  const section = claim.path ? JSON.stringify(claim.path) : covered === '' ? claim.message : '';
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

function textOf(file: string, subject: Subject): string | null {
  if (file === 'task.toml') return subject.toml?.text ?? null;
  return subject.disk?.texts.get(file)?.text ?? null;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
