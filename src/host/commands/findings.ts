import { commands, env, l10n, Uri, window, type ExtensionContext } from 'vscode';
import type { Files } from '../../core/files';
import type { Language } from '../language/language';
import type { TaskEntry, TaskIndex } from '../task-index';
import type { TasksTree } from '../tree/tasks-view';
import { severityWord } from '../words';
import { checkTasks, offerRestart } from './check';
import { allowFinding, fixFinding, type MendNeeds } from './mend';
import type { Targets } from './targets';
import type { LogOutputChannel } from 'vscode';

export interface FindingCommandNeeds {
  readonly tasks: TaskIndex;
  readonly tree: TasksTree;
  readonly language: Language;
  readonly files: Files;
  readonly log: LogOutputChannel;
  readonly context: Pick<ExtensionContext, 'extensionUri'>;
}

type Handlers = Readonly<Record<string, (argument: unknown) => unknown>>;

/** Commands about what the language server finds. */
export function findingCommands(needs: FindingCommandNeeds, targets: Targets): Handlers {
  const { tasks, tree, language, files, log } = needs;
  const showFindings = async (entry: TaskEntry): Promise<void> => {
    await tree.view.reveal(tree.findingsOf(entry), { select: true, focus: true, expand: 2 });
  };
  const check = (entries: readonly TaskEntry[]): Promise<void> => checkTasks(entries, { language, log, showFindings });
  const mend = (change: typeof fixFinding) => async (argument: unknown) => {
    const found = targets.finding(argument);
    if (found === null) return;
    const needed: MendNeeds = { language, files };
    try {
      await change(found.entry, found.finding, needed);
    } catch (error) {
      log.error(`${found.finding.ruleId}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      await offerRestart();
    }
  };
  return {
    'task.check': async (argument) => {
      await check(await targets.entries(argument, 'any'));
    },
    'task.checkAll': async () => {
      await targets.searched();
      if (tasks.entries.length > 0) await check(tasks.entries);
      else void window.showInformationMessage(l10n.t('There is no task here that could be checked.'));
    },
    'findings.show': async (argument) => {
      const [entry] = await targets.entries(argument, 'any');
      if (entry !== undefined) await showFindings(entry);
    },
    'finding.fix': mend(fixFinding),
    'finding.allow': mend(allowFinding),
    'finding.copy': async (argument) => {
      const found = targets.finding(argument);
      if (found === null) return;
      const { file, range, severity, message, ruleId } = found.finding;
      const place = `${file}:${range.start.line + 1}:${range.start.character + 1}`;
      const path = found.entry.path === '.' ? place : `${found.entry.path}/${place}`;
      const text = `${path} ${severityWord(severity).toLowerCase()} ${ruleId}: ${message}`;
      await env.clipboard.writeText(text);
      window.setStatusBarMessage(`$(copy) ${l10n.t('Copied: {0}', text)}`, 5_000);
    },
    'rule.open': async (argument) => {
      const id = typeof argument === 'string' ? argument : targets.finding(argument)?.finding.ruleId;
      // A link may say anything: only a name leads into the folder of pages.
      if (id === undefined || !/^[a-z][a-z0-9-]*$/.test(id)) return;
      const page = Uri.joinPath(needs.context.extensionUri, 'docs', 'rules', `${id}.md`);
      if ((await files.stat(page.fsPath)) === null) {
        void window.showWarningMessage(l10n.t('There is no page for the rule {0}.', id));
        return;
      }
      try {
        await commands.executeCommand('markdown.showPreview', page);
      } catch {
        // VS Code's own Markdown support can be switched off.
        await commands.executeCommand('vscode.open', page, { preview: true });
      }
    },
    'server.restart': async () => {
      await language.restart();
    },
  };
}
