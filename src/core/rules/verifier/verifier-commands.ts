import type { StepView } from '../../model/step-views';
import { stepViews } from '../../model/step-views';
import type { Visit } from '../../model/shell-walk';
import { walkShell } from '../../model/shell-walk';
import type { Derivation } from '../../model/subject';

/** A command of a shell script that the verifier reaches, with the folder it runs in. */
export interface VerifierCommand extends Visit {
  readonly view: StepView;
  /** Relative to the task folder. */
  readonly file: string;
}

/** Those of all steps; a script that steps share stands once for each way of verifying. */
export const verifierCommands: Derivation<readonly VerifierCommand[]> = {
  name: 'verifier-commands',
  derive: (subject) => {
    const found: VerifierCommand[] = [];
    const seen = new Set<string>();
    for (const view of subject.derive(stepViews)) {
      for (const { file, shell, folder, via } of view.reach.files) {
        const key = `${file} ${view.step.verifier}`;
        if (shell === null || via === 'read' || seen.has(key)) continue;
        seen.add(key);
        walkShell(shell, folder, (visit) => found.push({ ...visit, view, file }), { isSourced: via === 'source' });
      }
    }
    return found;
  },
};
