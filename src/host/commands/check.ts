import { commands, l10n, window, type CancellationToken, type LogOutputChannel } from 'vscode';
import type { TaskFindings } from '../../protocol/language';
import type { Counts } from '../findings';
import type { Language } from '../language/language';
import { patiently, type Say } from '../patience';
import type { TaskEntry } from '../task-index';
import { countsWords } from '../words';
import { shortName } from '../tree/rows';

export interface CheckNeeds {
  readonly language: Pick<Language, 'check'>;
  readonly log: LogOutputChannel;
  readonly showFindings: (entry: TaskEntry) => Promise<void>;
}

/** Questions that wait in the server at once: enough that it never waits for us. */
const atOnce = 4;

/** Reads and judges tasks anew, and shows what was found; silence would leave open whether anything was done. */
export async function checkTasks(entries: readonly TaskEntry[], needs: CheckNeeds): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const isOne = entries.length === 1;
  const title = isOne ? l10n.t('Checking {0}', shortName(first.task.name)) : l10n.t('Checking tasks');
  let found: readonly TaskFindings[] | null;
  try {
    found = await patiently(title, (token, say) => checkAll(entries, needs.language, token, say));
  } catch (error) {
    needs.log.error(`Checking failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    await offerRestart();
    return;
  }
  if (found === null) return;
  const counts = sum(found.map((one) => one.counts));
  const words = countsWords(counts);
  const what = isOne ? shortName(first.task.name) : l10n.t('{0} tasks', entries.length);
  const icon = words === '' ? '$(pass)' : counts.error > 0 ? '$(error)' : '$(warning)';
  window.setStatusBarMessage(`${icon} ${what}: ${words || l10n.t('no findings')}`, 8_000);
  if (words === '') return;
  if (isOne) await needs.showFindings(first);
  else await commands.executeCommand('workbench.actions.view.problems');
}

/** null: cancelled. */
async function checkAll(
  entries: readonly TaskEntry[],
  language: CheckNeeds['language'],
  token: CancellationToken,
  say: Say,
): Promise<readonly TaskFindings[] | null> {
  const found: TaskFindings[] = [];
  const waiting = [...entries];
  const work = async (): Promise<void> => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      if (token.isCancellationRequested) return;
      const one = await language.check(entry.task.dir, token);
      if (one === null) return;
      found.push(one);
      if (entries.length > 1) say(l10n.t('{0} of {1}', found.length, entries.length));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, work));
  return found.length === entries.length ? found : null;
}

export async function offerRestart(): Promise<void> {
  const restart = l10n.t('Restart');
  const log = l10n.t('Show Log');
  const message = l10n.t('The language server does not answer, so nothing can be checked.');
  const chosen = await window.showErrorMessage(message, restart, log);
  if (chosen === restart) await commands.executeCommand('taskwright.server.restart');
  if (chosen === log) await commands.executeCommand('taskwright.log.show');
}

function sum(all: readonly Counts[]): Counts {
  const total = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const one of all) {
    total.error += one.error;
    total.warning += one.warning;
    total.information += one.information;
    total.hint += one.hint;
  }
  return total;
}
