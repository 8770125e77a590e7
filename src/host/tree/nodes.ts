import type { WorkspaceFolder } from 'vscode';
import type { AttemptResult, GateName } from '../../core/gates/verdict';
import type { StepLayout } from '../../core/task/task';
import type { StrayFolder, TaskEntry } from '../task-index';
import type { FindingGroupNode, FindingNode, FindingsNode } from './finding-nodes';

/** A row of the Tasks view. `id` is stable, so that expansion survives. Holds no state: what is known is looked up. */
export type TreeNode =
  | { readonly kind: 'folder'; readonly id: string; readonly folder: WorkspaceFolder }
  | { readonly kind: 'dataset'; readonly id: string; readonly folder: WorkspaceFolder; readonly path: string }
  | TaskNode
  | StrayNode
  | GateNode
  | AttemptNode
  | FindingsNode
  | FindingGroupNode
  | FindingNode
  | PartNode
  | StepNode;

export interface TaskNode {
  readonly kind: 'task';
  readonly id: string;
  readonly entry: TaskEntry;
}

export interface StrayNode {
  readonly kind: 'stray';
  readonly id: string;
  readonly stray: StrayFolder;
}

export interface GateNode {
  readonly kind: 'gate';
  readonly id: string;
  readonly entry: TaskEntry;
  readonly gate: GateName;
}

export interface AttemptNode {
  readonly kind: 'attempt';
  readonly id: string;
  readonly entry: TaskEntry;
  readonly gate: GateName;
  readonly attempt: AttemptResult;
  /** From 1, within its gate. */
  readonly number: number;
}

export type PartName = 'instruction' | 'configuration' | 'environment' | 'tests' | 'solution';

export interface PartNode {
  readonly kind: 'part';
  readonly id: string;
  readonly entry: TaskEntry;
  readonly part: PartName;
  /** File that a click opens, relative to the task folder; null where nothing is there. */
  readonly file: string | null;
  /** What there is, when it is no file (a prebuilt image). */
  readonly what: string | null;
}

export interface StepNode {
  readonly kind: 'step';
  readonly id: string;
  readonly entry: TaskEntry;
  readonly step: StepLayout;
}

export function partsOf(entry: TaskEntry): PartNode[] {
  const { layout, config, configText } = entry.task;
  const part = (name: PartName, file: string | null, what: string | null = null): PartNode => ({
    kind: 'part',
    id: `${entry.id}#part/${name}`,
    entry,
    part: name,
    file,
    what,
  });
  const single = layout.steps.length === 0;
  return [
    ...(single ? [part('instruction', layout.instruction)] : []),
    part('configuration', configText === null ? null : 'task.toml'),
    part('environment', layout.composeFile ?? layout.dockerfile, config?.environment.docker_image ?? null),
    // The tests and the solution of a task with steps belong to the steps; shared ones are shown where they exist.
    ...(single || layout.testsDir !== null ? [part('tests', layout.testScript, layout.testsDir)] : []),
    ...(single || layout.solutionDir !== null ? [part('solution', layout.solveScript, layout.solutionDir)] : []),
  ];
}

export function partsOfStep(node: StepNode): PartNode[] {
  const { entry, step } = node;
  const part = (name: PartName, file: string | null, what: string | null = null): PartNode => ({
    kind: 'part',
    id: `${node.id}/${name}`,
    entry,
    part: name,
    file,
    what,
  });
  return [
    part('instruction', step.instruction),
    part('tests', step.testScript, step.testsDir),
    part('solution', step.solveScript, step.solutionDir),
  ];
}

export function stepsOf(entry: TaskEntry): StepNode[] {
  return entry.task.layout.steps.map((step) => ({ kind: 'step', id: `${entry.id}#step/${step.name}`, entry, step }));
}

/** Whether gates can be run on it at all. */
export function isRunnable(entry: TaskEntry): boolean {
  return entry.task.config !== null && entry.task.harbor.outcome === 'loads';
}
