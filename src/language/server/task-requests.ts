import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import path from 'node:path';
import type { Finding } from '../../core/finding';
import type { Grammars } from '../../core/text/syntax-tree';
import { tomlString } from '../../core/text/toml-edit';
import type { AllowEdit, LanguageRequests } from '../../protocol/language';
import { allowing } from '../allow-action';
import { cancelled } from './cancelled';
import { isShown, placedFinding, type Diagnostics } from './diagnostics';
import type { TaskSettings } from './settings-source';
import type { TaskStates } from './task-states';

export interface TaskRequestNeeds {
  readonly states: TaskStates;
  readonly diagnostics: Diagnostics;
  readonly grammars: () => Promise<Grammars | null>;
  readonly settingsOf: (dir: string) => Promise<TaskSettings>;
}

type Check = LanguageRequests['taskwright/check'];
type Allow = LanguageRequests['taskwright/allow'];

/** Answers what an editor asks about a whole task, or about one of its findings, beyond LSP. */
export function listenForTaskRequests(connection: Connection, needs: TaskRequestNeeds): void {
  const { states, diagnostics } = needs;

  connection.onRequest(
    'taskwright/check',
    async ({ taskDir }: Check['params'], token: CancellationToken): Promise<Check['result']> => {
      states.touch(taskDir);
      const judged = await diagnostics.judge(taskDir, () => token.isCancellationRequested);
      if (judged === null) throw cancelled();
      const found = diagnostics.findingsOf(taskDir, judged);
      states.rest(taskDir);
      return found;
    },
  );

  connection.onRequest(
    'taskwright/allow',
    async (asked: Allow['params'], token: CancellationToken): Promise<Allow['result']> => {
      const { taskDir, fingerprint, line, reason } = asked;
      const [judged, grammars, settings] = await Promise.all([
        diagnostics.judge(taskDir, () => token.isCancellationRequested),
        needs.grammars(),
        needs.settingsOf(taskDir),
      ]);
      if (judged === null) throw cancelled();
      const { subject } = judged;
      const same = judged.findings.filter((one) => isShown(one) && one.fingerprint === fingerprint);
      const nearest = same.sort((a, b) => distance(a, line) - distance(b, line))[0];
      if (nearest === undefined) return null;
      const found = allowing(placedFinding(nearest, subject), subject, grammars, settings);
      if (found === null) return null;
      const isTask = found.where === 'task';
      const text = reason.replace(/\s+/gu, ' ').trim();
      const edit: AllowEdit = {
        file: path.join(isTask ? taskDir : settings.root, ...found.file.split('/')),
        range: isTask ? diagnostics.shownIn(taskDir)(found.file, found.range) : found.range,
        newText: found.before + (isTask ? text : tomlString(text).slice(1, -1)) + found.after,
      };
      return edit;
    },
  );
}

function distance({ range }: Finding, line: number): number {
  return Math.abs(range.start.line - line);
}
