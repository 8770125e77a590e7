import type { Finding } from '../../core/finding';
import { isTamperResistance, severities, worstOf } from '../findings';
import type { TaskEntry } from '../task-index';

/** What the language server found in a task; there also while it has not answered. */
export interface FindingsNode {
  readonly kind: 'findings';
  readonly id: string;
  readonly entry: TaskEntry;
}

/** Findings of one file, or those about one property of the whole task. */
export interface FindingGroupNode {
  readonly kind: 'findingGroup';
  readonly id: string;
  readonly entry: TaskEntry;
  /** Relative to the task folder, with `/`; null for the tamper resistance of the verifier. */
  readonly file: string | null;
  readonly findings: readonly Finding[];
}

export interface FindingNode {
  readonly kind: 'finding';
  readonly id: string;
  readonly entry: TaskEntry;
  readonly group: FindingGroupNode;
  readonly finding: Finding;
}

export function findingsNode(entry: TaskEntry): FindingsNode {
  return { kind: 'findings', id: `${entry.id}#findings`, entry };
}

/** By file, the worst first; what is said of the whole task comes last. */
export function findingGroups(entry: TaskEntry, findings: readonly Finding[]): FindingGroupNode[] {
  const byFile = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (isTamperResistance(finding)) continue;
    byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding]);
  }
  const group = (file: string | null, own: readonly Finding[]): FindingGroupNode => ({
    kind: 'findingGroup',
    id: `${entry.id}#findings/${file === null ? '' : `file/${file}`}`,
    entry,
    file,
    findings: own,
  });
  const files = [...byFile].map(([file, own]) => group(file, own));
  files.sort((a, b) => rank(a) - rank(b) || compare(a.file ?? '', b.file ?? ''));
  const tamper = findings.filter(isTamperResistance);
  return tamper.length === 0 ? files : [...files, group(null, tamper)];
}

/** In the order of the file, so that they are mended from top to bottom. */
export function findingsOf(group: FindingGroupNode): FindingNode[] {
  const seen = new Map<string, number>();
  const ordered = [...group.findings].sort(
    (a, b) =>
      compare(a.file, b.file) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.character - b.range.start.character,
  );
  return ordered.map((finding) => {
    const count = seen.get(finding.fingerprint) ?? 0;
    seen.set(finding.fingerprint, count + 1);
    const id = `${group.entry.id}#finding/${finding.fingerprint}${count === 0 ? '' : `/${count}`}`;
    return { kind: 'finding', id, entry: group.entry, group, finding };
  });
}

function rank({ findings }: FindingGroupNode): number {
  return severities.indexOf(worstOf(findings) ?? 'hint');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
