import type { ShellCommand } from '../script';
import type { Decision, FlowQuestions } from './flow';
import { failure, resolve, success } from './state';
import type { State } from './state';

/** The path where the last status is success, and the one where it is failure; one of them when that is known. */
export function fork(
  state: State,
  questions: FlowQuestions,
): { readonly succeeded: readonly State[]; readonly failed: readonly State[] } {
  const known = resolve(state.status, state);
  if (known !== null) {
    const settled = [{ ...state, status: known ? keep(state, success) : keep(state, failure) }];
    return known ? { succeeded: settled, failed: [] } : { succeeded: [], failed: settled };
  }
  return { succeeded: [decided(state, true, questions)], failed: [decided(state, false, questions)] };
}

/** `$?` after `if ! cmd` is still the status that was asked for; a known one keeps its code. */
function keep(state: State, plain: typeof success): State['status'] {
  return state.status.kind === 'known' ? state.status : plain;
}

function decided(state: State, result: boolean, questions: FlowQuestions): State {
  const { status } = state;
  const outcomes = new Map(state.outcomes);
  const decisions: Decision[] = [...state.decisions];
  const settle = (command: ShellCommand, succeeded: boolean): void => {
    if (!questions.decides(command)) return;
    outcomes.set(command, succeeded);
    decisions.push({ command, succeeded, about: [] });
  };
  switch (status.kind) {
    case 'known':
      break;
    case 'command':
      settle(status.command, result !== status.negated);
      break;
    case 'all': {
      if (result !== status.negated) for (const command of status.commands) settle(command, true);
      else {
        // One of them failed; it is the one that matters, if there is just one.
        const graders = status.commands.filter(questions.grades);
        const [grader] = graders;
        if (grader !== undefined && graders.length === 1) settle(grader, false);
        else
          for (const command of status.commands.slice(0, 1)) decisions.push({ command, succeeded: false, about: [] });
      }
      break;
    }
    case 'failed':
      if (result) settle(status.command, false);
      else if (questions.decides(status.by))
        decisions.push({ command: status.by, succeeded: false, about: [status.command] });
      break;
    case 'open': {
      const by = status.by ?? status.about[0];
      if (by !== undefined && (questions.decides(by) || status.about.some(questions.decides)))
        decisions.push({ command: by, succeeded: result, about: status.about });
      break;
    }
  }
  const after = { kind: 'known', success: result, code: result ? 0 : null } as const;
  // `$?` after a failed command is still that command's.
  const kept = status.kind === 'command' && !status.negated && !result ? status : after;
  return { ...state, outcomes, decisions, status: kept };
}
