import type { Finding } from '../../core/finding';

/**
 * Findings that are known and let pass. Kept by task (its path from the baseline's own folder, with `/`), since a
 * fingerprint says nothing about which task it is from, and with a count, since two findings may have the same.
 */
export interface Baseline {
  readonly version: 1;
  readonly tasks: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function baselineOf(
  tasks: readonly { readonly key: string; readonly findings: readonly Finding[] }[],
): Baseline {
  const entries = tasks
    .filter(({ findings }) => findings.length > 0)
    .map(({ key, findings }): [string, Record<string, number>] => {
      const counts: Record<string, number> = {};
      for (const { fingerprint } of [...findings].sort(byFingerprint)) {
        counts[fingerprint] = (counts[fingerprint] ?? 0) + 1;
      }
      return [key, counts];
    });
  return { version: 1, tasks: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function byFingerprint(a: Finding, b: Finding): number {
  return a.fingerprint < b.fingerprint ? -1 : a.fingerprint > b.fingerprint ? 1 : 0;
}

export type ParsedBaseline =
  { readonly ok: true; readonly baseline: Baseline } | { readonly ok: false; readonly message: string };

export function parseBaseline(text: string): ParsedBaseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isRecord(value) || value.version !== 1) return { ok: false, message: 'is no baseline of version 1' };
  const tasks = value.tasks;
  const isWhole =
    isRecord(tasks) &&
    Object.values(tasks).every(
      (counts) => isRecord(counts) && Object.values(counts).every((count) => Number.isInteger(count)),
    );
  if (!isWhole) return { ok: false, message: 'is no baseline: "tasks" has to hold fingerprints and their counts' };
  return { ok: true, baseline: { version: 1, tasks: tasks as Baseline['tasks'] } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The findings the baseline does not know; it takes each as often as it counts it. */
export function withoutKnown(
  findings: readonly Finding[],
  known: Readonly<Record<string, number>>,
): readonly Finding[] {
  const left = new Map(Object.entries(known));
  return findings.filter(({ fingerprint }) => {
    const count = left.get(fingerprint) ?? 0;
    left.set(fingerprint, count - 1);
    return count <= 0;
  });
}
