import type { FactInput, TaskText } from '../../core/cheats/facts';
import type { Files } from '../../core/files';
import type { Task } from '../../core/task/task';

const maxFiles = 2000;
const maxFileBytes = 512 * 1024;
const maxTotalBytes = 8 * 1024 * 1024;
const maxDepth = 12;
/** Content that runs nothing: that it is not read leaves no doubt about what the verifier uses. */
const data =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|pdf|zip|t?gz|bz2|xz|zst|tar|7z|whl|parquet|arrow|npy|npz|pkl|db|sqlite3?|wav|mp3|flac|mp4|csv|tsv|jsonl?|xml|txt|log|bin|dat)$/i;

/** Reads what the facts of a task rest on. What is missing or too large is left out, and said in `testsComplete`. */
export async function readTaskTexts(files: Files, task: Task): Promise<FactInput> {
  const { layout } = task;
  const tests = layout.testsDir === null ? nothing : await readTexts(files, task.dir, layout.testsDir);
  const solution = layout.solutionDir === null ? nothing : await readTexts(files, task.dir, layout.solutionDir);
  const context = layout.environmentDir === null ? [] : await listBelow(files, task.dir, layout.environmentDir);
  return {
    instruction: (await readText(files, task.dir, layout.instruction)) ?? '',
    tests: tests.texts,
    testsComplete: tests.complete,
    testScript: layout.testScript,
    dockerfile: await readText(files, task.dir, layout.dockerfile),
    contextFiles: context.map((path) => path.slice((layout.environmentDir ?? '').length + 1)),
    solution: solution.texts,
    workdir: task.config?.environment.workdir ?? null,
  };
}

interface Texts {
  readonly texts: readonly TaskText[];
  readonly complete: boolean;
}

const nothing: Texts = { texts: [], complete: true };

async function readTexts(files: Files, taskDir: string, folder: string): Promise<Texts> {
  const paths = await listBelow(files, taskDir, folder);
  const texts: TaskText[] = [];
  let left = maxTotalBytes;
  let complete = paths.length < maxFiles;
  for (const path of paths) {
    const read = await files.read(files.join(taskDir, ...path.split('/')), Math.min(maxFileBytes, left));
    const text = read.ok ? decode(read.bytes) : null;
    if (read.ok && text !== null) {
      left -= read.bytes.length;
      texts.push({ path, text });
    } else if (!data.test(path)) complete = false;
  }
  return { texts, complete };
}

async function readText(files: Files, taskDir: string, path: string | null): Promise<string | null> {
  if (path === null) return null;
  const read = await files.read(files.join(taskDir, ...path.split('/')), maxFileBytes);
  return read.ok ? decode(read.bytes) : null;
}

/** Paths of files below a folder, relative to the task, at most `maxFiles`. */
async function listBelow(files: Files, taskDir: string, folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const entries = await files.list(files.join(taskDir, ...path.split('/')));
    for (const { name, kind } of entries ?? []) {
      if (found.length >= maxFiles) return;
      const inner = `${path}/${name}`;
      if (kind === 'file') found.push(inner);
      // A link to a folder above would never end; the depth does.
      else if (kind === 'directory' && name !== '.git' && depth < maxDepth) await visit(inner, depth + 1);
    }
  };
  await visit(folder, 0);
  return found;
}

/** null for what is no text. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
