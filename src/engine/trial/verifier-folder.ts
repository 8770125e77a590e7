import type { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { maxRewardBytes, type VerifierEntry } from '../../core/results/reward';

/** A reward file may be a link to another file, so small ones are all kept, up to this many bytes together. */
const maxKept = 16 * 1024 * 1024;

/**
 * Reads what lies directly in an archive's folder, without writing anything to the host. Reward files are kept first
 * and foremost; other files only while there is room. Reads the stream to its end.
 */
export async function readVerifierFolder(tar: Readable): Promise<readonly VerifierEntry[]> {
  const parser = extract();
  tar.on('error', (error) => {
    parser.destroy(error);
  });
  tar.pipe(parser);
  const entries = new Map<string, VerifierEntry>();
  let kept = 0;
  try {
    for await (const entry of parser) {
      const { header } = entry;
      const name = below(header.name);
      const size = header.size;
      const isReward = name === 'reward.json' || name === 'reward.txt';
      let content: Uint8Array | null = null;
      if (
        name !== null &&
        kindOf(header.type) === 'file' &&
        size <= maxRewardBytes &&
        (isReward || kept + size <= maxKept)
      ) {
        content = await collect(entry as AsyncIterable<Uint8Array>);
        kept += content.length;
      } else {
        entry.resume();
      }
      if (name !== null) entries.set(name, describe(name, header.type, size, header.linkname, content, entries));
    }
  } finally {
    tar.destroy();
  }
  return [...entries.values()];
}

function describe(
  name: string,
  type: string | null | undefined,
  size: number,
  target: string | null,
  content: Uint8Array | null,
  entries: ReadonlyMap<string, VerifierEntry>,
): VerifierEntry {
  if (type === 'link') {
    // A second name of a file that came before: the same file, as far as a reader can tell.
    const first = entries.get(below(target ?? '') ?? '');
    if (first?.kind === 'file') return { ...first, name };
    return { name, kind: 'other', size: 0, content: null, target: null };
  }
  const kind = kindOf(type);
  return { name, kind, size: kind === 'file' ? size : 0, content, target: kind === 'link' ? target : null };
}

/** The name directly below the archive's folder; null for the folder itself and for what lies deeper. */
function below(path: string): string | null {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 2 ? (parts[1] ?? null) : null;
}

function kindOf(type: string | null | undefined): VerifierEntry['kind'] {
  switch (type) {
    case 'file':
    case 'contiguous-file':
    case null:
    case undefined:
      return 'file';
    case 'directory':
      return 'directory';
    case 'symlink':
      return 'link';
    case 'fifo':
      return 'fifo';
    default:
      return 'other';
  }
}

async function collect(entry: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}
