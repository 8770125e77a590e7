import { readShell } from '../text/shell/read';
import type { ShellScript } from '../text/shell/script';
import { extensionOf, folderOf } from './container-path';
import type { ReachedFile } from './expectations';
import type { RawUse } from './path-uses';
import { usesIn } from './path-uses';
import { pythonReader } from './readers/python';
import type { Visit } from './shell-walk';
import { walkShell } from './shell-walk';
import type { StepView } from './step-views';
import { stepViews } from './step-views';
import type { Derivation, FileReader } from './subject';

/** The reference solution of one step, as far as its texts are shell or Python. */
export interface SolutionView {
  readonly view: StepView;
  /** The task's file that Harbor runs; null without one. */
  readonly file: string | null;
  readonly script: ShellScript | null;
  /** The script and the shell and Python files beside it, whether it runs them or not. */
  readonly files: readonly ReachedFile[];
  readonly uses: readonly RawUse[];
  /** Commands of the script in the order of running, with the folder they run in. */
  readonly visits: readonly Visit[];
}

const solutionShellReader: FileReader<ShellScript> = {
  name: 'shell-in-solution',
  read: (text, grammars, file) => readShell(text, grammars, { file, folder: '/solution' }),
};

/** One for each step with a solve script of its own; the shared script stands once. */
export const solutionViews: Derivation<readonly SolutionView[]> = {
  name: 'solution-views',
  derive: (subject) => {
    const seen = new Set<string>();
    return subject.derive(stepViews).flatMap((view): SolutionView[] => {
      const file = view.step.solveScript;
      if (file === null || seen.has(file)) return [];
      seen.add(file);
      const folder = subject.toml?.config?.environment.workdir ?? view.space.image?.workdir ?? null;
      const files: ReachedFile[] = [];
      for (const [name, path] of view.step.solution) {
        const at = `/solution/${name}`;
        const extension = extensionOf(path);
        const isShell = extension === 'sh' || extension === 'bash';
        const shell = isShell ? subject.read(solutionShellReader, path) : null;
        const python = extension === 'py' ? subject.read(pythonReader, path) : null;
        if (shell === null && python === null) continue;
        const via = path === file ? 'start' : shell !== null ? 'script' : 'program';
        files.push({ file: path, at, via, folder: path === file ? folder : folderOf(at), shell, python });
      }
      const script = files.find((one) => one.file === file)?.shell ?? null;
      const visits: Visit[] = [];
      if (script !== null) walkShell(script, folder, (visit) => visits.push(visit));
      return [{ view, file, script, files, uses: files.flatMap(usesIn), visits }];
    });
  },
};
