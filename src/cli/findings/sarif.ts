import type { Location, Log, ReportingDescriptor, Result } from 'sarif';
import type { Finding, Severity } from '../../core/finding';
import type { Range } from '../../core/text/position';
import type { CheckedTask } from './checked-task';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

export interface SarifOptions {
  /** Of this program. */
  readonly version: string;
  /** A URI reference for a file of a task: relative to the working directory, or absolute. */
  readonly uriOf: (task: CheckedTask, file: string) => string;
}

/** A SARIF 2.1.0 log with one run. Severities below a warning become notes. */
export function sarifLog(tasks: readonly CheckedTask[], options: SarifOptions): Log {
  const rules = new Map<string, { index: number; descriptor: ReportingDescriptor }>();
  const results: Result[] = [];
  for (const task of tasks) {
    for (const finding of task.findings) {
      const rule = rules.get(finding.ruleId) ?? { index: rules.size, descriptor: describeRule(finding) };
      rules.set(finding.ruleId, rule);
      const place = (file: string, range: Range): Location => location(options.uriOf(task, file), range);
      const related = (finding.related ?? []).map(({ file, range, message }, id) => ({
        ...place(file, range),
        id,
        message: { text: message },
      }));
      results.push({
        ruleId: finding.ruleId,
        ruleIndex: rule.index,
        level: levels[finding.severity],
        message: { text: finding.message },
        locations: [place(finding.file, finding.range)],
        ...(related.length > 0 ? { relatedLocations: related } : {}),
        partialFingerprints: { 'taskwright/v1': finding.fingerprint },
        properties: { confidence: finding.confidence, severity: finding.severity, task: task.name },
      });
    }
  }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Taskwright',
            semanticVersion: options.version,
            rules: [...rules.values()].map(({ descriptor }) => descriptor),
          },
        },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

function describeRule(finding: Finding): ReportingDescriptor {
  return { id: finding.ruleId, shortDescription: { text: finding.ruleId }, fullDescription: { text: finding.why } };
}

/** SARIF counts lines and columns from 1; the end column is the first one outside. */
function location(uri: string, { start, end }: Range): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: {
        startLine: start.line + 1,
        startColumn: start.character + 1,
        endLine: end.line + 1,
        endColumn: end.character + 1,
      },
    },
  };
}
