import type { Finding } from '../../core/finding';
import { summarizeFindings, type CheckReport } from './report';

/** The document of `check --format json` (product.md), version 1. */
export function findingsDocument(report: CheckReport): object {
  const { tasks, settings } = report;
  return {
    version: 1,
    tasks: tasks.map(({ path, name, harbor, failure, findings, suppressed }) => ({
      path,
      name,
      loadable: harbor.outcome === 'loads',
      ...(failure === null ? {} : { failure }),
      findings: findings.map(documentedFinding),
      suppressed: suppressed.map(({ finding, reason, comment }) => ({
        ...documentedFinding(finding),
        reason,
        by: comment === null ? 'taskwright.toml' : 'comment',
      })),
    })),
    ...(settings.length === 0
      ? {}
      : { settings: settings.map(({ path, findings }) => ({ path, findings: findings.map(documentedFinding) })) }),
    summary: summarizeFindings(report),
  };
}

function documentedFinding(finding: Finding): object {
  const { ruleId, severity, confidence, file, range, path, message, why, related, fixes, fingerprint } = finding;
  return {
    ruleId,
    severity,
    confidence,
    file,
    range,
    ...(path === undefined ? {} : { path }),
    message,
    why,
    ...(related === undefined ? {} : { related }),
    fixes: fixes.map(({ title }) => ({ title })),
    fingerprint,
  };
}
