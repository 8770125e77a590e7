import type { TomlEntry, TomlPath, TomlTable } from '../../text/toml-tree';
import { tableAt, valueAt } from '../../text/toml-tree';

/** The tables of environment variables that a document has, with their paths. */
export function* envTables(root: TomlTable): Generator<{ path: TomlPath; entries: Iterable<TomlEntry> }> {
  const paths: TomlPath[] = [
    ['environment', 'env'],
    ['verifier', 'env'],
    ['verifier', 'environment', 'env'],
    ['solution', 'env'],
  ];
  const steps = valueAt(root, ['steps']);
  if (steps?.kind === 'array') {
    for (const [index] of steps.items.entries()) {
      paths.push(['steps', index, 'verifier', 'env'], ['steps', index, 'verifier', 'environment', 'env']);
    }
  }
  for (const path of paths) {
    const table = tableAt(root, path);
    if (table) yield { path, entries: table.entries.values() };
  }
}

/** Variables that Harbor takes for secrets by their name (harbor-task.md, section 20, P20). */
export function hasSecretName(name: string): boolean {
  return /KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|AUTH/iu.test(name);
}
