import { createRequire } from 'node:module';
import { extensions, type CancellationToken, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { AllowEdit, AllowRequest, LanguageOptions, TaskFindings } from '../../protocol/language';
import type { Findings } from '../findings';
import { disposeAll, type Lifetime } from '../lifetime';
import type { TaskIndex } from '../task-index';
import type { ClientNeeds } from './client';

/** The language server as the rest of the extension knows it. */
export interface LanguageService extends Lifetime {
  /** Absolute paths of every task folder of the workspace. */
  setTasks(dirs: readonly string[]): void;
  /** Reads and judges one task anew; null: cancelled. Rejects when the server does not run. */
  check(taskDir: string, token: CancellationToken): Promise<TaskFindings | null>;
  /** What lets a finding pass; null: cancelled, or nothing does. */
  allow(request: AllowRequest, token: CancellationToken): Promise<AllowEdit | null>;
}

/** A link that opens the page of a rule; the editor follows commands in the links of diagnostics. */
const rulePage = `command:taskwright.rule.open?${encodeURIComponent('["')}{id}${encodeURIComponent('"]')}`;

/** Starts the language server with the first task, and keeps what it finds. */
export class Language implements Lifetime {
  private service: LanguageService | null = null;
  /** Counts servers: one that was replaced has nothing more to say. */
  private generation = 0;
  private otherToml: boolean;
  private readonly own: readonly Lifetime[];

  constructor(
    private readonly context: ExtensionContext,
    private readonly tasks: TaskIndex,
    private readonly findings: Findings,
    private readonly log: LogOutputChannel,
  ) {
    this.otherToml = hasOtherToml(context.extension.id);
    this.own = [
      tasks.onDidChange(({ changed }) => {
        if (changed === null || this.service === null) this.follow();
      }),
      extensions.onDidChange(() => {
        const now = hasOtherToml(context.extension.id);
        if (now === this.otherToml) return;
        this.otherToml = now;
        if (this.service !== null) void this.restart();
      }),
    ];
  }

  dispose(): unknown {
    disposeAll(this.own);
    return this.service?.dispose();
  }

  /** Ends the server, however it is, and starts a new one. */
  async restart(): Promise<void> {
    const before = this.service;
    this.service = null;
    this.generation++;
    this.findings.setServer('starting');
    await before?.dispose();
    this.follow();
  }

  check(taskDir: string, token: CancellationToken): Promise<TaskFindings | null> {
    return this.started().check(taskDir, token);
  }

  allow(request: AllowRequest, token: CancellationToken): Promise<AllowEdit | null> {
    return this.started().allow(request, token);
  }

  private follow(): void {
    const dirs = this.tasks.entries.map(({ task }) => task.dir);
    this.findings.retain(dirs);
    if (this.service === null && dirs.length === 0) {
      this.findings.setServer('idle');
      return;
    }
    this.started().setTasks(dirs);
  }

  private started(): LanguageService {
    if (this.service !== null) return this.service;
    const bundle = this.context.asAbsolutePath('dist/client.js');
    const { startClient } = createRequire(bundle)(bundle) as {
      readonly startClient: (needs: ClientNeeds) => LanguageService;
    };
    const options: LanguageOptions = { rulePage, otherToml: this.otherToml, sendsTasks: true };
    this.findings.setServer('starting');
    const own = ++this.generation;
    this.service = startClient({
      server: this.context.asAbsolutePath('dist/server.js'),
      options,
      log: this.log,
      onFindings: (found) => {
        if (own === this.generation) this.findings.set(found);
      },
      onState: (state) => {
        if (own === this.generation) this.findings.setServer(state);
      },
    });
    return this.service;
  }
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
