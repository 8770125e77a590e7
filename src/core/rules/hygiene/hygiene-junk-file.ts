import { deliberate, fileItself, isNamed, nameOf } from './files';
import { gitIgnores } from './git-ignore';
import type { Rule } from '../rule';

export const hygieneJunkFile: Rule = {
  id: 'hygiene-junk-file',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['tree', 'instruction', 'docker', 'texts'],
  needsDisk: true,
  why: 'Such files are published and hashed with the task, and a broad COPY takes them into the image.',
  docs: {
    finds:
      'Files that programs leave behind: `.DS_Store`, `Thumbs.db`, `__pycache__` and `*.pyc`, caches of pytest, mypy and ruff, `.venv`, `node_modules`, `.idea`, `*.swp`, `*~`, `*.orig`, `*.rej`, `.coverage`, a nested `.git`, and the results of jobs.',
    silent:
      'Files that the instruction or a Dockerfile names. What a `.gitignore` of the task covers is information: Git does not carry it, but a run from this folder does.',
    bad: 'tests/__pycache__/test_a.cpython-312.pyc',
    good: '.gitignore:\n__pycache__/',
  },
  *check(subject) {
    const { disk } = subject;
    if (disk === null) return;
    const ignored = gitIgnores(subject);
    const told = new Set<string>();
    for (const [path, kind] of disk.entries) {
      const place = junkPlace(path, kind === 'directory');
      if (place === null || told.has(place.path)) continue;
      told.add(place.path);
      const name = nameOf(path);
      if (isNamed(subject, name, deliberate) || isNamed(subject, nameOf(place.path), deliberate)) continue;
      yield {
        file: path,
        range: fileItself,
        ...((ignored(path) || ignored(`${place.path}/`)) && { severity: 'information' }),
        message: `${place.path} is ${place.what}, no part of the task.`,
      };
    }
  },
};

interface Junk {
  /** The file, or the folder that is junk as a whole. */
  readonly path: string;
  readonly what: string;
}

const folders: Readonly<Record<string, string>> = {
  __pycache__: "Python's compiled files",
  '.pytest_cache': "pytest's cache",
  '.mypy_cache': "mypy's cache",
  '.ruff_cache': "ruff's cache",
  '.venv': 'a virtual environment',
  node_modules: 'a folder of installed packages',
  '.idea': "an editor's settings",
  '.git': 'a repository within the task',
};

const files: readonly (readonly [RegExp, string])[] = [
  [/^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/u, 'left behind by a file manager'],
  [/\.py[co]$/u, 'a compiled Python file'],
  [/\.sw[op]$|~$/u, 'a copy that an editor left'],
  [/\.(?:orig|rej)$/u, 'left behind by a merge or a patch'],
  [/^\.coverage$/u, "coverage's data"],
];

function junkPlace(path: string, isFolder: boolean): Junk | null {
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    const what = folders[part];
    const isWhole = index === parts.length - 1;
    // A repository at the top is the one that the task itself is kept in.
    if (what === undefined || (isWhole && !isFolder) || (part === '.git' && index === 0)) continue;
    return { path: parts.slice(0, index + 1).join('/'), what };
  }
  if (isFolder) return null;
  const name = nameOf(path);
  for (const [pattern, what] of files) if (pattern.test(name)) return { path, what };
  // A job's folder holds a result beside its configuration and its log.
  if (/^(?:jobs|runs)\/[^/]+\/(?:[^/]+\/)?result\.json$/u.test(path))
    return { path: parts.slice(0, 2).join('/'), what: 'the results of a job' };
  return null;
}
