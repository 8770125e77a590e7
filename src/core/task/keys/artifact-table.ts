import { artifactDestinationFormat, artifactSourceFormat, serviceFormat } from './formats';
import type { Table, TableTrouble } from './key';
import { artifact, list, optional, required, text, withDefault } from './key';

const artifactTable = {
  title: 'Artifact',
  doc: 'A file or folder that is collected after the agent.',
  keys: {
    source: required(text(artifactSourceFormat), {
      doc: 'Path in the container.',
      constraint: 'No `..` in it; absolute when `service` is not `main`.',
      names: 'container-path',
    }),
    destination: optional(text(artifactDestinationFormat), {
      doc: "Path below the trial's `artifacts/`. Absent or empty: derived from `source`.",
      constraint: 'Relative, with `/`, without `..`, and not `manifest.json`.',
    }),
    exclude: withDefault(list(text()), [], { doc: 'Patterns of `tar --exclude`; only for folders.' }),
    service: optional(text(serviceFormat), {
      doc: 'Compose service to take it from. Absent: `main`.',
      names: 'service',
    }),
  },
  check: ({ service, source }): readonly TableTrouble[] => {
    if (typeof service !== 'string' || service === 'main' || typeof source !== 'string') return [];
    if (/^(?:\/|[A-Za-z]:\/)/u.test(source)) return [];
    return [
      { key: 'source', message: `An artifact of the service ${JSON.stringify(service)} needs an absolute source.` },
    ];
  },
} satisfies Table;

export const artifacts = list(artifact(artifactTable));
