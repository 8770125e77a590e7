import { baseName } from '../model/container-path';
import type { ReachedFile } from '../model/expectations';
import { pythonReader } from '../model/readers/python';
import { grammarsReader, shellReader, testsShellReader } from '../model/readers/shell';
import { walkShell } from '../model/shell-walk';
import type { StepView } from '../model/step-views';
import type { Subject } from '../model/subject';
import { readPython } from '../text/python/read';
import type { ShellCommand } from '../text/shell/script';
import type { Grammars } from '../text/syntax-tree';

/** Content that runs nothing: that it is not read leaves no doubt about what the verifier uses. */
const data =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|pdf|zip|t?gz|bz2|xz|zst|tar|7z|whl|parquet|arrow|npy|npz|pkl|db|sqlite3?|wav|mp3|flac|mp4|csv|tsv|jsonl?|xml|txt|log|bin|dat)$/iu;
/** Folders of tools that are empty as far as a verifier goes. */
const caches = new Set(['.git', '__pycache__', '.pytest_cache', '.mypy_cache']);

/** A file, or a Python program that a script gives to the interpreter as a text. */
export interface CodePiece {
  readonly reached: ReachedFile;
  /** Where the piece begins in its file. */
  readonly base: number;
}

export interface VerifierFiles {
  /** Shell scripts and Python: what the test script reaches, then what else is in `tests/`. */
  readonly code: readonly CodePiece[];
  /** The other texts of `tests/`, relative to the task folder; of code in them no reader knows the language. */
  readonly others: readonly string[];
  /** False when `tests/` holds something that is not in these: too large, too many, no text. */
  readonly complete: boolean;
}

/**
 * What can be read of a step's `tests/`. A file that the test script is not seen to use counts as well: a cheat that is
 * told too much does nothing there, one that is told too little passes for resisted.
 */
export function verifierFiles(subject: Subject, { step, reach }: StepView): VerifierFiles {
  const files = reach.files.filter(({ shell, python, via }) => shell !== null || (python !== null && via !== 'read'));
  const known = new Set(files.map(({ file }) => file));
  const others: string[] = [];
  let complete = subject.disk?.limit === null && !holdsClosedFolder(subject, step.dir);
  for (const [name, file] of step.tests) {
    const text = subject.text(file);
    if (text === null || text.includes('\0')) {
      if (!data.test(name)) complete = false;
      continue;
    }
    if (known.has(file)) continue;
    const language = languageOf(name, text);
    const shell = language !== 'shell' ? null : subject.read(name.includes('/') ? shellReader : testsShellReader, file);
    const python = language !== 'python' ? null : subject.read(pythonReader, file);
    if (language === null) others.push(file);
    else if (shell !== null || python !== null)
      files.push({
        file,
        at: `/tests/${name}`,
        via: shell === null ? 'program' : 'script',
        folder: null,
        shell,
        python,
      });
  }
  const code = files.flatMap((reached): CodePiece[] => {
    const grammars = reached.shell === null ? null : subject.read(grammarsReader, reached.file);
    return [{ reached, base: 0 }, ...(grammars === null ? [] : pythonInside(reached, grammars))];
  });
  return { code, others, complete };
}

export function languageOf(name: string, text: string): 'shell' | 'python' | null {
  if (/\.(?:sh|bash)$/u.test(name) || /^#!.*\b(?:ba|da)?sh\b/u.test(text)) return 'shell';
  return name.endsWith('.py') || /^#!.*\bpython/u.test(text) ? 'python' : null;
}

/** Is there a folder in `tests/` of which nothing is known, such as `node_modules`? */
function holdsClosedFolder({ disk }: Subject, stepDir: string): boolean {
  const folders = ['tests/', ...(stepDir === '' ? [] : [`${stepDir}/tests/`])];
  const paths = [...(disk?.entries ?? [])].filter(([path]) => folders.some((folder) => path.startsWith(folder)));
  const filled = new Set(paths.map(([path]) => path.slice(0, path.lastIndexOf('/'))));
  return paths.some(([path, kind]) => kind === 'directory' && !filled.has(path) && !caches.has(baseName(path)));
}

/** The programs of `python3 - <<EOF` and `python3 -c '…'` in a shell script. */
function pythonInside(reached: ReachedFile, grammars: Grammars): readonly CodePiece[] {
  const found: CodePiece[] = [];
  const { shell, file, at, folder: start } = reached;
  if (shell === null) return found;
  walkShell(shell, start, ({ command, folder }) => {
    for (const { text, base } of programsOf(command)) {
      const python = readPython(text, grammars);
      found.push({ reached: { file, at, via: 'program', folder, shell: null, python }, base });
    }
  });
  return found;
}

function programsOf({ program, args, heredocs }: ShellCommand): readonly { text: string; base: number }[] {
  if (program === null || !/^python[0-9.]*$/u.test(program)) return [];
  const programs = heredocs.flatMap(({ use, content, body }) =>
    use === 'code' && content !== null ? [{ text: content, base: body.start }] : [],
  );
  const option = args.findIndex(({ value }) => value === '-c');
  const word = option < 0 ? undefined : args[option + 1];
  // The quote stands before it; in a text with escapes, offsets behind them are near enough for a line.
  if (word !== undefined && word.value !== null) programs.push({ text: word.value, base: word.start + 1 });
  return programs;
}
