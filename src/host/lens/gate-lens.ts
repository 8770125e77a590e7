import { CodeLens, EventEmitter, l10n, languages, Range } from 'vscode';
import type { CodeLensProvider, TextDocument } from 'vscode';
import type { GateName } from '../../core/gates/verdict';
import { pathBelow } from '../../core/workspace';
import { disposeAll, type Lifetime } from '../lifetime';
import { codeLensEnabled, gateNames } from '../settings';
import type { TaskEntry, TaskIndex } from '../task-index';
import { headLine } from '../tests/items';
import { isRunnable } from '../tree/nodes';
import { gateSummary } from '../tree/rows';
import type { Verdicts } from '../verdicts';
import { findingsWords, gateLabel, verdictWord } from '../words';

/** Gates and what is known of them, above `task.toml`, `solve.sh` and `test.sh`. Never starts anything by itself. */
export function gateLenses(tasks: TaskIndex, verdicts: Verdicts): Lifetime {
  const changed = new EventEmitter<void>();
  const provider: CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: (document) => lensesOf(document, tasks, verdicts),
  };
  const own: Lifetime[] = [
    changed,
    tasks.onDidChange(() => {
      changed.fire();
    }),
    tasks.onDidFind(() => {
      changed.fire();
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

function lensesOf(document: TextDocument, tasks: TaskIndex, verdicts: Verdicts): CodeLens[] {
  if (!codeLensEnabled(document.uri)) return [];
  tasks.start();
  const entry = tasks.owner(document.uri.fsPath);
  if (entry === null || !isRunnable(entry)) return [];
  const file = pathBelow(entry.task.dir, document.uri.fsPath);
  const { layout } = entry.task;
  if (file === 'task.toml') return configurationLenses(document, entry, verdicts);
  const solutions = [layout.solveScript, ...layout.steps.map(({ solveScript }) => solveScript)];
  if (file !== null && solutions.includes(file)) return scriptLenses(entry, verdicts, 'oracle', l10n.t('Run Oracle'));
  const scripts = [layout.testScript, ...layout.steps.map(({ testScript }) => testScript)];
  if (file !== null && scripts.includes(file)) return configurationLenses(document, entry, verdicts);
  return [];
}

function configurationLenses(document: TextDocument, entry: TaskEntry, verdicts: Verdicts): CodeLens[] {
  const isConfiguration = document.uri.path.endsWith('/task.toml');
  const line = isConfiguration ? headLine(document.getText()) : 0;
  const range = new Range(line, 0, line, 0);
  const lenses = [
    new CodeLens(range, {
      title: `$(run-all) ${l10n.t('Run Gates')}`,
      command: 'taskwright.task.runGates',
      arguments: [entry.uri],
    }),
  ];
  const known = gateNames.flatMap((gate) => verdicts.of(entry.task.dir).gates.get(gate) ?? []);
  if (known.length > 0) {
    const title = known.map(({ gate, verdict }) => `${gateLabel(gate)} ${verdictWord(verdict)}`).join(', ');
    lenses.push(new CodeLens(range, showTask(title, entry)));
  }
  const { findings } = entry.task;
  if (isConfiguration && findings.length > 0)
    lenses.push(new CodeLens(range, showTask(findingsWords(findings.length), entry)));
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
