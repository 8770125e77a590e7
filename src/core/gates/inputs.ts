import type { Files } from '../files';
import { authorFolder, type Workspace } from '../workspace';
import { listPackageFiles } from '../task/package-files';
import type { GateInputs } from './receipt';
import type { GateSettings } from './settings';

/** Deeper folders are not looked into. */
const maxDepth = 24;
/** What tools leave behind; no verdict rests on it, and no two machines have the same. */
const aside = /^(?:__pycache__|\.DS_Store|\.git)$|\.(?:pyc|swp|swo)$|~$/;

/** What verdicts about a task rest on, as it is now. A file that cannot be read counts as not there. */
export async function readGateInputs(
  files: Files,
  taskDir: string,
  workspace: Workspace,
  settings: GateSettings,
): Promise<GateInputs> {
  const { rewardKey, passThreshold, attempts } = settings;
  const names = await listPackageFiles(files, taskDir);
  const [own, authors] = await Promise.all([
    digests(
      files,
      names.map((name) => [name, files.join(taskDir, ...name.split('/'))]),
    ),
    authorFiles(files, taskDir, workspace),
  ]);
  return { files: own, authors: await digests(files, authors), settings: { rewardKey, passThreshold, attempts } };
}

/** The first place that exists holds an author's entries (cheats.md, section 6). */
async function authorFiles(files: Files, taskDir: string, workspace: Workspace): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const kind of ['cheats', 'variants'] as const) {
    for (const folder of [authorFolder(files, workspace, kind), files.join(taskDir, kind)]) {
      if ((await files.list(folder)) === null) continue;
      found.push(...(await listBelow(files, folder, kind, 0)));
      break;
    }
  }
  return found;
}

async function listBelow(files: Files, folder: string, name: string, depth: number): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const entry of (await files.list(folder)) ?? []) {
    if (aside.test(entry.name)) continue;
    const path = files.join(folder, entry.name);
    const inner = `${name}/${entry.name}`;
    if (entry.kind === 'file') found.push([inner, path]);
    // An entry with a link in it cannot be run, so what is behind it decides nothing.
    else if (entry.kind === 'directory' && depth < maxDepth && (await files.stat(path))?.isLink !== true)
      found.push(...(await listBelow(files, path, inner, depth + 1)));
  }
  return found;
}

async function digests(files: Files, named: readonly (readonly [string, string])[]): Promise<Record<string, string>> {
  const result: [string, string][] = [];
  // One after the other: a task may have thousands of files, and a process only so many open ones.
  for (const [name, path] of named) {
    const digest = await files.sha256(path);
    if (digest !== null) result.push([name, digest]);
  }
  return Object.fromEntries(result);
}
