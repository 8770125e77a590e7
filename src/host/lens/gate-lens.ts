import { CodeLens, EventEmitter, l10n, languages, Range, window, workspace } from 'vscode';
import type { CodeLensProvider, TextDocument } from 'vscode';
import type { GateName } from '../../core/gates/verdict';
import { pathBelow } from '../../core/workspace';
import { disposeAll, type Lifetime } from '../lifetime';
import type { Findings } from '../findings';
import { codeLensEnabled, gateNames, runSettings } from '../settings';
import type { TaskEntry, TaskIndex } from '../task-index';
import { isRunnable } from '../tree/nodes';
import { gateInShort, gateSummary, isStale } from '../tree/rows';
import type { Verdicts } from '../verdicts';
import { findingsWords } from '../words';

export interface LensNeeds {
  readonly tasks: TaskIndex;
  readonly verdicts: Verdicts;
  readonly findings: Findings;
}

/** Gates and what is known of them, above `task.toml`, `solve.sh` and `test.sh`. Never starts anything by itself. */
export function gateLenses(known: LensNeeds): Lifetime {
  const { tasks, verdicts, findings } = known;
  const changed = new EventEmitter<void>();
  const provider: CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: (document) => lensesOf(document, known),
  };
  const own: Lifetime[] = [
    changed,
    tasks.onDidChange(() => {
      changed.fire();
    }),
    findings.onDidChange((dir) => {
      // Of all that is checked in the background only what somebody looks at.
      const shown = window.visibleTextEditors.some(({ document }) => pathBelow(dir, document.uri.fsPath) !== null);
      if (shown) changed.fire();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('taskwright.codeLens')) changed.fire();
    }),
    verdicts.onDidChange(() => {
      changed.fire();
    }),
    languages.registerCodeLensProvider(
      [
        { scheme: 'file', pattern: '**/task.toml' },
        { scheme: 'file', pattern: '**/{solve,test}.{sh,bat}' },
      ],
      provider,
    ),
  ];
  return {
    dispose: () => {
      disposeAll(own);
    },
  };
}

function lensesOf(document: TextDocument, known: LensNeeds): CodeLens[] {
  const { tasks, verdicts } = known;
  if (!codeLensEnabled(document.uri)) return [];
  tasks.start();
  const entry = tasks.owner(document.uri.fsPath);
  if (entry === null || !isRunnable(entry)) return [];
  const file = pathBelow(entry.task.dir, document.uri.fsPath);
  const { layout } = entry.task;
  if (file === 'task.toml') return taskLenses(entry, known, true);
  const solutions = [layout.solveScript, ...layout.steps.map(({ solveScript }) => solveScript)];
  if (file !== null && solutions.includes(file)) return scriptLenses(entry, verdicts, 'oracle', l10n.t('Run Oracle'));
  const scripts = [layout.testScript, ...layout.steps.map(({ testScript }) => testScript)];
  if (file !== null && scripts.includes(file)) return taskLenses(entry, known, false);
  return [];
}

/** `Run Gates | oracle 5/5, nop 0 | 2 findings`, above the first line; only of what is known already. */
function taskLenses(entry: TaskEntry, { verdicts, findings }: LensNeeds, withFindings: boolean): CodeLens[] {
  const range = new Range(0, 0, 0, 0);
  const lenses = [
    new CodeLens(range, {
      title: `$(run-all) ${l10n.t('Run Gates')}`,
      command: 'taskwright.task.runGates',
      arguments: [entry.uri],
    }),
  ];
  const known = gateNames.flatMap((gate) => verdicts.of(entry.task.dir).gates.get(gate) ?? []);
  if (known.length > 0) {
    const threshold = runSettings(entry.uri).passThreshold ?? 1;
    const title = known.map((one) => gateInShort(one, threshold)).join(', ');
    const stale = known.some(isStale);
    lenses.push(new CodeLens(range, showTask(stale ? l10n.t('{0} (stale)', title) : title, entry)));
  }
  const found = withFindings ? (findings.of(entry.task.dir)?.findings.length ?? 0) : 0;
  if (found > 0) {
    const command = 'taskwright.findings.show';
    lenses.push(new CodeLens(range, { title: findingsWords(found), command, arguments: [entry.uri] }));
  }
  return lenses;
}

function scriptLenses(entry: TaskEntry, verdicts: Verdicts, gate: GateName, title: string): CodeLens[] {
  const range = new Range(0, 0, 0, 0);
  const run = { title: `$(play) ${title}`, command: 'taskwright.gate.runOracle', arguments: [entry.uri] };
  const known = verdicts.of(entry.task.dir).gates.get(gate);
  const summary = known === undefined ? [] : [new CodeLens(range, showTask(gateSummary(known, new Date()), entry))];
  return [new CodeLens(range, run), ...summary];
}

function showTask(title: string, entry: TaskEntry): { title: string; command: string; arguments: unknown[] } {
  return { title, command: 'taskwright.task.show', arguments: [entry.uri] };
}
