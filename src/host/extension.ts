import { window, type ExtensionContext } from 'vscode';

export function activate(context: ExtensionContext): { version: 1 } {
  const log = window.createOutputChannel('Taskwright', { log: true });
  context.subscriptions.push(log);
  return { version: 1 };
}
