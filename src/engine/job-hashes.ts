import ignore from 'ignore';
import { compareCodePoints } from '../core/text/code-points';
import { nodeFiles, sha256 } from '../node/files';
import type { TaskHashes } from './trial-context';

/** Files of a package outside of its folders (harbor-task.md, section 17). */
const packageFiles = ['task.toml', 'instruction.md', 'README.md', 'trajectory.json'];
const packageFolders = ['environment', 'tests', 'solution', 'steps'];
const usualIgnores = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~'];
/** A link to a folder above itself has no end; Harbor's would fail there. */
const maxDepth = 64;

/** Both hashes that Harbor keeps of a task (harbor-task.md, section 17). */
export async function hashTask(dir: string): Promise<TaskHashes> {
  const files = new Map<string, string>();
  const checksum = (await hashFolder(dir, '', files, 0)) ?? sha256('');
  const own = await nodeFiles.read(nodeFiles.join(dir, '.gitignore'), 1024 * 1024);
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(
    own.ok ? Buffer.from(own.bytes).toString('utf8') : usualIgnores,
  );
  const lines = [...files.keys()]
    .filter((path) => packageFiles.includes(path) || packageFolders.includes(path.split('/')[0] ?? ''))
    .filter((path) => !rules.ignores(path))
    .sort(compareCodePoints)
    .map((path) => `${path}\0${files.get(path) ?? ''}\n`);
  return { checksum, digest: `sha256:${sha256(lines.join(''))}` };
}

/** The folder's "dirhash"; null for a folder without files. Adds the hash of every file to `files`. */
async function hashFolder(
  dir: string,
  prefix: string,
  files: Map<string, string>,
  depth: number,
): Promise<string | null> {
  if (depth > maxDepth) return null;
  const entries: string[] = [];
  for (const { name, kind } of (await nodeFiles.list(dir)) ?? []) {
    const path = nodeFiles.join(dir, name);
    if (kind === 'directory') {
      const hash = await hashFolder(path, `${prefix}${name}/`, files, depth + 1);
      if (hash !== null) entries.push(describe('dirhash', hash, name));
    } else if (kind === 'file') {
      const hash = await nodeFiles.sha256(path);
      if (hash === null) continue;
      files.set(prefix + name, hash);
      entries.push(describe('data', hash, name));
    }
  }
  return entries.length === 0 ? null : sha256(entries.sort(compareCodePoints).join('\0\0'));
}

function describe(property: string, hash: string, name: string): string {
  return [`${property}:${hash}`, `name:${name}`].sort(compareCodePoints).join('\0');
}
