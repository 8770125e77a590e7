import { writeJson } from './json';

/** One line of `artifacts/manifest.json` (harbor-run.md, section 10). */
export interface ManifestEntry {
  /** Path in the container, as the task names it. */
  readonly source: string;
  /** Starts with `artifacts/`. */
  readonly destination: string;
  readonly type: 'file' | 'directory';
  readonly status: 'ok' | 'empty' | 'failed' | 'skipped';
  /** null for the main service. */
  readonly service: string | null;
}

export function manifestFile(entries: readonly ManifestEntry[]): string {
  const rows = entries.map(({ source, destination, type, status, service }) => ({
    source,
    destination,
    type,
    status,
    service,
  }));
  return writeJson(rows, { indent: 2, ascii: true });
}
