import type { Files, Sha256 } from '../files';
import { listPackageFiles } from './package-files';
import { compareCodePoints } from '../text/code-points';

/** The hashes of a task that Harbor writes into its records (harbor-task.md, section 17). */

/** A link to a folder above itself has no end; Harbor's own walk gives up there, too. */
const maxDepth = 48;

/**
 * `task_checksum`: SHA-256 over all files of the folder, links followed, as 64 hexadecimal digits. null when a file
 * cannot be read, the folder has no file, or links lead in a circle.
 */
export async function taskChecksum(files: Files, dir: string, sha256: Sha256): Promise<string | null> {
  const hash = await folderHash(files, dir, sha256, 0);
  return hash === 'empty' || hash === 'failed' ? null : hash.hex;
}

type FolderHash = { readonly hex: string } | 'empty' | 'failed';

async function folderHash(files: Files, dir: string, sha256: Sha256, depth: number): Promise<FolderHash> {
  const entries = await files.list(dir);
  if (entries === null || depth > maxDepth) return 'failed';
  const descriptors: string[] = [];
  for (const { name, kind } of entries) {
    const path = files.join(dir, name);
    if (kind === 'directory') {
      const inner = await folderHash(files, path, sha256, depth + 1);
      if (inner === 'failed') return 'failed';
      if (inner !== 'empty') descriptors.push(describe(`dirhash:${inner.hex}`, name));
    } else {
      const hex = await files.sha256(path);
      if (hex === null) return 'failed';
      descriptors.push(describe(`data:${hex}`, name));
    }
  }
  if (descriptors.length === 0) return 'empty';
  return { hex: sha256(descriptors.sort(compareCodePoints).join('\0\0')) };
}

function describe(content: string, name: string): string {
  return [content, `name:${name}`].sort(compareCodePoints).join('\0');
}

/** The package digest of `lock.json`, publishing and manifests, as `sha256:<hex>`; null when a file cannot be read. */
export async function packageDigest(files: Files, dir: string, sha256: Sha256): Promise<string | null> {
  let fed = '';
  for (const path of await listPackageFiles(files, dir)) {
    const hex = await files.sha256(files.join(dir, ...path.split('/')));
    if (hex === null) return null;
    fed += `${path}\0${hex}\n`;
  }
  return `sha256:${sha256(fed)}`;
}

// The content itself goes into the hash and so into memory; a build context beyond this has no id.
const maxContextBytes = 256 * 1024 * 1024;
const skipped = new Set(['.DS_Store', '.git', '__pycache__']);

/**
 * Harbor's name for what an environment is built from: 32 hexadecimal digits over the files of `environment/`, or over
 * the image's or the folder's name when it has none. null when a file cannot be read or they are too large.
 */
export async function environmentId(
  files: Files,
  dir: string,
  fallback: { readonly dockerImage: string | null; readonly dirName: string },
  sha256: Sha256,
): Promise<string | null> {
  const paths: string[] = [];
  const visit = async (folder: string, prefix: string): Promise<void> => {
    for (const { name } of (await files.list(folder)) ?? []) {
      if (skipped.has(name)) continue;
      const path = files.join(folder, name);
      const stat = await files.stat(path);
      if (stat === null || stat.isLink) continue;
      if (stat.kind === 'directory') await visit(path, `${prefix}${name}/`);
      else if (stat.kind === 'file') paths.push(prefix + name);
    }
  };
  const root = files.join(dir, 'environment');
  await visit(root, '');
  if (paths.length === 0) return sha256(fallback.dockerImage ?? fallback.dirName).slice(0, 32);

  const pieces: Uint8Array[] = [];
  let total = 0;
  for (const path of paths.sort(compareCodePoints)) {
    const content = await files.read(files.join(root, ...path.split('/')), maxContextBytes - total);
    if (!content.ok) return null;
    for (const bytes of [new TextEncoder().encode(path), content.bytes]) {
      pieces.push(bigEndian(bytes.length), bytes);
      total += 4 + bytes.length;
    }
    if (total > maxContextBytes) return null;
  }
  const fed = new Uint8Array(total);
  let offset = 0;
  for (const piece of pieces) {
    fed.set(piece, offset);
    offset += piece.length;
  }
  return sha256(fed).slice(0, 32);
}

function bigEndian(length: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length);
  return bytes;
}
