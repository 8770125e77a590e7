import type { Finding } from '../../core/finding';
import { summarizeFindings, type CheckedTask } from './checked-task';

/** The document of `check --format json` (product.md), version 1. */
export function findingsDocument(tasks: readonly CheckedTask[]): object {
  return {
    version: 1,
    tasks: tasks.map(({ path, name, harbor, findings }) => ({
      path,
      name,
      loadable: harbor.outcome === 'loads',
      findings: findings.map(documentedFinding),
    })),
    summary: summarizeFindings(tasks),
  };
}

function documentedFinding(finding: Finding): object {
  const { ruleId, severity, confidence, file, range, path, message, why, fixes, fingerprint } = finding;
  return {
    ruleId,
    severity,
    confidence,
    file,
    range,
    ...(path === undefined ? {} : { path }),
    message,
    why,
    fixes: fixes.map(({ title }) => ({ title })),
    fingerprint,
  };
}
