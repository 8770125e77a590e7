import type { Fix as SarifFix, Location, Log, Region, ReportingDescriptor, Result } from 'sarif';
import type { Finding, Fix, Severity } from '../../core/finding';
import { rules } from '../../core/rules/catalogue';
import type { Rule, RuleDocs } from '../../core/rules/rule';
import type { Range } from '../../core/text/position';
import type { CheckedFile } from './checked-task';
import type { CheckReport } from './report';

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
  readonly uriOf: (checked: CheckedFile, file: string) => string;
}

/** A SARIF 2.1.0 log with one run. Severities below a warning become notes; what was let pass is there as such. */
export function sarifLog(report: CheckReport, { version, uriOf }: SarifOptions): Log {
  const rules = new Map<string, { readonly index: number; readonly descriptor: ReportingDescriptor }>();
  const indexOf = (finding: Finding): number => {
    const rule = rules.get(finding.ruleId) ?? { index: rules.size, descriptor: describeRule(finding) };
    rules.set(finding.ruleId, rule);
    return rule.index;
  };
  const results: Result[] = [];
  for (const { path, dir, findings } of report.settings) {
    const checked = { path, dir, findings };
    for (const finding of findings) results.push(resultOf(finding, indexOf(finding), (file) => uriOf(checked, file)));
  }
  for (const task of report.tasks) {
    const uri = (file: string): string => uriOf(task, file);
    const properties = { task: task.name };
    for (const finding of task.findings) {
      const result = resultOf(finding, indexOf(finding), uri);
      results.push({ ...result, properties: { ...result.properties, ...properties } });
    }
    for (const { finding, reason, comment } of task.suppressed) {
      const result = resultOf(finding, indexOf(finding), uri);
      const kind = comment === null ? 'external' : 'inSource';
      const suppressions = [{ kind, justification: reason }] satisfies Result['suppressions'];
      results.push({ ...result, suppressions, properties: { ...result.properties, ...properties } });
    }
  }
  const failures = report.tasks.flatMap(({ path, failure }) => (failure === null ? [] : [`${path} ${failure}.`]));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Taskwright',
            semanticVersion: version,
            rules: [...rules.values()].map(({ descriptor }) => descriptor),
          },
        },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: failures.map((text) => ({ level: 'error', message: { text } })),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
}

function resultOf(finding: Finding, ruleIndex: number, uriOf: (file: string) => string): Result {
  const related = (finding.related ?? []).map(({ file, range, message }, id) => ({
    ...location(uriOf(file), range),
    id,
    message: { text: message },
  }));
  const fixes = finding.fixes.filter(({ edits }) => edits.length > 0).map((fix) => sarifFix(fix, uriOf));
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: finding.message },
    locations: [location(uriOf(finding.file), finding.range)],
    ...(related.length > 0 ? { relatedLocations: related } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
    partialFingerprints: { 'taskwright/v1': finding.fingerprint },
    properties: { confidence: finding.confidence, severity: finding.severity },
  };
}

function sarifFix({ title, edits }: Fix, uriOf: (file: string) => string): SarifFix {
  const files = [...new Set(edits.map(({ file }) => file))];
  return {
    description: { text: title },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: uriOf(file) },
      replacements: edits
        .filter((edit) => edit.file === file)
        .map(({ range, newText }) => ({ deletedRegion: regionOf(range), insertedContent: { text: newText } })),
    })),
  };
}

function describeRule(finding: Finding): ReportingDescriptor {
  const rule = rulesById.get(finding.ruleId);
  const help = rule?.docs;
  return {
    id: finding.ruleId,
    shortDescription: { text: finding.ruleId },
    fullDescription: { text: finding.why },
    ...(help === undefined
      ? {}
      : { help: { text: `${finding.why} ${help.finds}`, markdown: markdownOf(finding.why, help) } }),
    ...(rule === undefined ? {} : { defaultConfiguration: { level: levels[rule.severity] } }),
    // The address has to be absolute, and where the pages are read is not known here.
    properties: { page: `docs/rules/${finding.ruleId}.md` },
  };
}

function markdownOf(why: string, { finds, silent, bad, good }: RuleDocs): string {
  const block = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
  return [why, `**Reported.** ${finds}`, block(bad), `**Not reported.** ${silent}`, block(good)].join('\n\n');
}

const rulesById: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

function location(uri: string, range: Range): Location {
  return { physicalLocation: { artifactLocation: { uri }, region: regionOf(range) } };
}

/** SARIF counts lines and columns from 1; the end column is the first one outside. */
function regionOf({ start, end }: Range): Region {
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}
