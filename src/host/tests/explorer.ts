import {
  CancellationTokenSource,
  commands,
  TestRunProfileKind,
  TestRunRequest,
  l10n,
  tests,
  window,
  workspace,
} from 'vscode';
import type { CancellationToken, LogOutputChannel, TestController, TestRunProfile } from 'vscode';
import type { Files } from '../../core/files';
import type { GateName } from '../../core/gates/verdict';
import { findWorkspace, pathBelow } from '../../core/workspace';
import type { EngineEvent } from '../../protocol/engine';
import type { Activity } from '../activity';
import type { DockerMonitor } from '../docker-monitor';
import type { CliEnd, EngineClient } from '../engine-client';
import { gateArguments } from '../gate-arguments';
import type { Reader } from '../reading';
import { disposeAll, type Lifetime } from '../lifetime';
import { gateNames, runSettings, type RunSettings } from '../settings';
import type { TaskEntry, TaskIndex } from '../task-index';
import type { Verdicts } from '../verdicts';
import { reportRunFinished } from '../run-notice';
import { GateRun } from './gate-run';
import { TestItems, gateItemId } from './items';
import { selectedGates, type Selected } from './selection';

export interface ExplorerNeeds {
  readonly tasks: TaskIndex;
  readonly verdicts: Verdicts;
  readonly activity: Activity;
  readonly engine: EngineClient;
  readonly docker: DockerMonitor;
  readonly files: Files;
  readonly reader: Pick<Reader, 'digest'>;
  readonly log: LogOutputChannel;
}

/** The Test Explorer. This is where gates run, whatever starts them. */
export class TestExplorer implements Lifetime {
  readonly controller: TestController;
  readonly items: TestItems;
  private readonly profile: TestRunProfile;
  private readonly own: Lifetime[] = [];
  private readonly live = new Set<{ readonly dirs: readonly string[]; readonly source: CancellationTokenSource }>();
  /** Runs follow each other: side by side they would take each other's memory and processors. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly needs: ExplorerNeeds) {
    const { tasks, verdicts } = needs;
    this.controller = tests.createTestController('taskwright', l10n.t('Harbor Tasks'));
    this.items = new TestItems(this.controller, tasks, (dir) =>
      (verdicts.of(dir).gates.get('cheat')?.attempts ?? []).flatMap(({ strategy }) => strategy ?? []),
    );
    this.profile = this.controller.createRunProfile(
      l10n.t('Gates'),
      TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.resolveHandler = (item) => {
      if (item === undefined) tasks.start();
    };
    this.controller.refreshHandler = () => tasks.refresh();
    this.own.push(
      this.controller,
      this.profile,
      tasks.onDidChange(({ changed }) => {
        if (changed === null) this.items.rebuild();
        else for (const entry of changed) this.items.update(entry);
      }),
    );
  }

  dispose(): void {
    for (const { source } of this.live) source.cancel();
    disposeAll(this.own);
  }

  /** Runs gates of tasks as a test run. `gates` null: those of the settings. Settles when the run has ended. */
  async runGates(entries: readonly TaskEntry[], gates: readonly GateName[] | null): Promise<void> {
    const include = entries.flatMap((entry) => {
      const ids = gates === null ? [entry.id] : gates.map((gate) => gateItemId(entry, gate));
      return ids.flatMap((id) => this.items.get(id) ?? []);
    });
    if (include.length === 0) return;
    const source = new CancellationTokenSource();
    try {
      await this.run(new TestRunRequest(include, undefined, this.profile), source.token);
    } finally {
      source.dispose();
    }
  }

  /** Stops the runs that a task is part of; with null, all. */
  stop(dir: string | null): void {
    for (const { dirs, source } of this.live) if (dir === null || dirs.includes(dir)) source.cancel();
  }

  private async run(request: TestRunRequest, token: CancellationToken): Promise<void> {
    if (!workspace.isTrusted) {
      void window
        .showErrorMessage(
          l10n.t('Gates start containers from the Dockerfiles of this folder, which is in Restricted Mode.'),
          { title: l10n.t('Manage Trust'), command: 'workbench.trust.manage' },
        )
        .then(runChosen);
      return;
    }
    const selection = selectedGates(request, this.controller.items, this.items, this.needs.tasks, wantedGates);
    if (selection.length === 0) return;
    const source = new CancellationTokenSource();
    const run = this.controller.createTestRun(request);
    const links = [token, run.token].map((one) =>
      one.onCancellationRequested(() => {
        source.cancel();
      }),
    );
    const live = { dirs: selection.map(({ entry }) => entry.task.dir), source };
    this.live.add(live);
    const shown = new GateRun(run, selection, {
      ...this.needs,
      items: this.items,
      now: () => new Date(),
      threshold: (entry) => runSettings(entry.uri).passThreshold ?? 1,
    });
    const started = performance.now();
    const before = this.last;
    const work = before.then(() => this.execute(selection, shown, source.token));
    this.last = work;
    try {
      await Promise.race([work, cancelled(source.token)]);
      if (source.token.isCancellationRequested) await shown.close({ kind: 'cancelled' });
    } finally {
      shown.end();
      this.live.delete(live);
      for (const link of links) link.dispose();
      source.dispose();
    }
    if (!source.token.isCancellationRequested) reportRunFinished(shown.results, performance.now() - started);
  }

  /** Never rejects. */
  private async execute(selection: readonly Selected[], shown: GateRun, token: CancellationToken): Promise<void> {
    try {
      await saveDirtyFiles(selection.map(({ entry }) => entry));
      for (const { entry } of selection) {
        const digest = await this.needs.reader.digest(entry.task.dir);
        if (digest !== null) shown.say(l10n.t('{0}: content {1}', entry.task.name, digest));
      }
      for (const group of await this.grouped(selection)) {
        if (token.isCancellationRequested) return;
        await this.executeGroup(group, shown, token);
      }
    } catch (error) {
      this.needs.log.error(error instanceof Error ? error : String(error));
      const why = l10n.t('Running the gates failed: {0}', error instanceof Error ? error.message : String(error));
      await shown.close({ kind: 'over', why, of: selection.map(({ entry }) => entry.task.dir) });
    }
  }

  private async executeGroup(group: Group, shown: GateRun, token: CancellationToken): Promise<void> {
    const { engine, docker } = this.needs;
    const abort = new AbortController();
    const link = token.onCancellationRequested(() => {
      abort.abort();
    });
    if (token.isCancellationRequested) abort.abort();
    const failures: string[] = [];
    const onEvent = (event: EngineEvent): void => {
      docker.onEvent(event);
      if (event.type === 'engine-failed') failures.push(event.message);
      shown.onEvent(event);
    };
    try {
      const end = await engine.run({
        args: gateArguments(
          group.entries.map(({ task }) => pathBelow(group.root, task.dir) ?? task.dir),
          group.gates,
          group.settings,
        ),
        cwd: group.root,
        dockerHost: group.settings.dockerHost,
        signal: abort.signal,
        onEvent,
      });
      if (end.kind === 'cancelled') return;
      const why = failures.at(-1) ?? endWords(end);
      await shown.close({ kind: 'over', why, of: group.entries.map(({ task }) => task.dir) });
    } finally {
      link.dispose();
    }
  }

  /** One process takes what has the same place, gates and settings. */
  private async grouped(selection: readonly Selected[]): Promise<readonly Group[]> {
    const groups = new Map<string, Group>();
    for (const { entry, gates } of selection) {
      const { root } = await findWorkspace(this.needs.files, entry.task.dir, entry.folder.uri.fsPath);
      const settings = runSettings(entry.uri);
      const key = JSON.stringify([root, gates, settings]);
      const group = groups.get(key) ?? { root, gates, settings, entries: [] };
      group.entries.push(entry);
      groups.set(key, group);
    }
    return [...groups.values()];
  }
}

interface Group {
  readonly root: string;
  readonly gates: readonly GateName[];
  readonly settings: RunSettings;
  readonly entries: TaskEntry[];
}

export function wantedGates(entry: TaskEntry): readonly GateName[] {
  const { gates } = runSettings(entry.uri);
  return gates === null || gates.length === 0 ? gateNames : gates;
}

/** Runs use the disk: what is open and unsaved is saved first, so that the result belongs to what is seen. */
async function saveDirtyFiles(entries: readonly TaskEntry[]): Promise<void> {
  const dirty = workspace.textDocuments.filter(
    (document) =>
      document.isDirty &&
      document.uri.scheme === 'file' &&
      entries.some(({ task }) => pathBelow(task.dir, document.uri.fsPath) !== null),
  );
  for (const document of dirty) await document.save();
}

function cancelled(token: CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    if (token.isCancellationRequested) resolve();
    else
      token.onCancellationRequested(() => {
        resolve();
      });
  });
}

function endWords(end: Exclude<CliEnd, { kind: 'cancelled' }>): string {
  if (end.kind === 'crashed') return l10n.t('The engine process broke off: {0}', end.message);
  const said = end.stderr.trim().split('\n').slice(-5).join('\n');
  return said === '' ? l10n.t('The engine process ended with {0} and no verdict.', end.code) : said;
}

function runChosen(item: { readonly command: string } | undefined): void {
  if (item !== undefined) void commands.executeCommand(item.command);
}
