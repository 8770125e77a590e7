import ignore from 'ignore';
import type { Files } from '../files';
import { compareCodePoints } from '../text/code-points';

const single = ['task.toml', 'instruction.md', 'README.md', 'trajectory.json'];
const folders = ['environment', 'tests', 'solution', 'steps'];
const usualIgnores = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~'];
/** A link to a folder above itself has no end. */
const maxDepth = 24;
/** Folders that are links, one inside the other: two that lead in circles would double the work with every level. */
const maxLinks = 2;
const largestIgnoreFile = 1024 * 1024;

/**
 * The files that a task's package consists of (harbor-task.md, section 17), relative to the task folder, with `/`, in
 * the order of their code points.
 */
export async function listPackageFiles(files: Files, taskDir: string): Promise<readonly string[]> {
  const own = await files.read(files.join(taskDir, '.gitignore'), largestIgnoreFile);
  const rules = ignore({ ignorecase: false }).add(own.ok ? new TextDecoder().decode(own.bytes) : usualIgnores);
  const found: string[] = [];
  const visit = async (path: string, depth: number, linksAbove: number): Promise<void> => {
    const isLink = (await files.stat(files.join(taskDir, ...path.split('/'))))?.isLink === true;
    const links = isLink ? linksAbove + 1 : linksAbove;
    if (links > maxLinks) return;
    for (const { name, kind } of (await files.list(files.join(taskDir, ...path.split('/')))) ?? []) {
      const inner = `${path}/${name}`;
      if (kind === 'file') found.push(inner);
      else if (kind === 'directory' && depth < maxDepth && !rules.ignores(`${inner}/`))
        await visit(inner, depth + 1, links);
    }
  };
  for (const { name, kind } of (await files.list(taskDir)) ?? []) {
    if (kind === 'file' && single.includes(name)) found.push(name);
    else if (kind === 'directory' && folders.includes(name)) await visit(name, 0, 0);
  }
  return found.filter((path) => !rules.ignores(path)).sort(compareCodePoints);
}
