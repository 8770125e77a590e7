import { createRequire } from 'node:module';
import { extensions, Uri, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { LanguageOptions } from '../../protocol/language';
import { disposeAll, type Lifetime } from '../lifetime';
import type { TaskIndex } from '../task-index';
import type { ClientNeeds } from './client';

/** The language server as the rest of the extension knows it. */
export interface LanguageService extends Lifetime {
  /** Absolute paths of every task folder of the workspace. */
  setTasks(dirs: readonly string[]): void;
}

/** Starts the language server with the first task, and keeps the index's findings as the server has them. */
export function languageService(context: ExtensionContext, tasks: TaskIndex, log: LogOutputChannel): Lifetime {
  const bundle = context.asAbsolutePath('dist/client.js');
  let service: LanguageService | null = null;
  let otherToml = hasOtherToml(context.extension.id);

  const start = (): LanguageService => {
    const { startClient } = createRequire(bundle)(bundle) as {
      readonly startClient: (needs: ClientNeeds) => LanguageService;
    };
    const rulePages = `${Uri.joinPath(context.extensionUri, 'docs', 'rules').toString()}/`;
    const options: LanguageOptions = { rulePages, otherToml, sendsTasks: true };
    return startClient({
      server: context.asAbsolutePath('dist/server.js'),
      options,
      log,
      onFindings: ({ taskDir, findings }) => {
        tasks.setFindings(taskDir, findings);
      },
    });
  };
  const follow = (): void => {
    if (service === null && tasks.entries.length === 0) return;
    service ??= start();
    service.setTasks(tasks.entries.map(({ task }) => task.dir));
  };
  const own: Lifetime[] = [
    tasks.onDidChange(({ changed }) => {
      if (changed === null || service === null) follow();
    }),
    extensions.onDidChange(() => {
      const now = hasOtherToml(context.extension.id);
      if (now === otherToml) return;
      otherToml = now;
      if (service === null) return;
      const before = service;
      service = null;
      void Promise.resolve(before.dispose()).then(follow);
    }),
  ];
  return {
    dispose: () => {
      disposeAll(own);
      return service?.dispose();
    },
  };
}

/** Another extension that brings the language TOML brings its syntax errors, formatting and folding as well. */
function hasOtherToml(ownId: string): boolean {
  return extensions.all.some(({ id, packageJSON }) => {
    const { contributes } = packageJSON as { readonly contributes?: { readonly languages?: unknown } };
    const languages = Array.isArray(contributes?.languages)
      ? (contributes.languages as { readonly id?: unknown }[])
      : [];
    return id !== ownId && languages.some((language) => language.id === 'toml');
  });
}
