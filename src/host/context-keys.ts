import { commands } from 'vscode';
import type { ServerState } from './findings';

/** Whether a container engine answered the last time one was needed. Nobody asks before a run does. */
export type DockerState = 'unknown' | 'reachable' | 'unreachable';

/** The only place that sets context keys: every `when` of the manifest that is ours is fed from here. */
export interface ContextKeys {
  'taskwright.scanned': boolean;
  'taskwright.hasTasks': boolean;
  'taskwright.taskFolders': readonly string[];
  'taskwright.running': boolean;
  'taskwright.dockerState': DockerState;
  'taskwright.serverState': ServerState;
}

export function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  void commands.executeCommand('setContext', key, value);
}
