import {
  extensions,
  type TestItem,
  type TestItemCollection,
  type TestMessage,
  type TestRun,
  type TestRunRequest,
} from 'vscode';
import type { TaskwrightApi } from '../../src/host/api';
import type { Activity } from '../../src/host/activity';
import type { DockerMonitor } from '../../src/host/docker-monitor';
import type { Findings } from '../../src/host/findings';
import type { Language } from '../../src/host/language/language';
import type { LanguageStatus } from '../../src/host/status/language-status';
import type { TaskIndex } from '../../src/host/task-index';
import type { TestExplorer } from '../../src/host/tests/explorer';
import type { TreeNode } from '../../src/host/tree/nodes';
import type { TasksTree } from '../../src/host/tree/tasks-view';
import type { Verdicts } from '../../src/host/verdicts';
import { until } from './suite';

export interface Insides {
  readonly tasks: TaskIndex;
  readonly verdicts: Verdicts;
  readonly activity: Activity;
  readonly explorer: TestExplorer;
  readonly tree: TasksTree;
  readonly docker: DockerMonitor;
  readonly findings: Findings;
  readonly language: Language;
  readonly status: LanguageStatus;
  /** How long `activate()` took. */
  readonly milliseconds: number;
}

/** Activates the extension, and waits until it has looked for tasks. */
export async function activated(): Promise<TaskwrightApi & { readonly testing: Insides }> {
  const extension = extensions.getExtension<TaskwrightApi & { readonly testing: Insides }>('taskwright.taskwright');
  if (extension === undefined) throw new Error('the extension is not there');
  const api = await extension.activate();
  await until('first search', () => api.testing.tasks.scanned, Boolean);
  return api;
}

/** The whole view as a person sees it when everything is open: indented rows, each with its description. */
export async function renderTree(tree: TasksTree): Promise<string> {
  const lines: string[] = [];
  const visit = (parent: TreeNode | undefined, depth: number): void => {
    for (const node of tree.getChildren(parent)) {
      const item = tree.getTreeItem(node);
      const icon =
        item.iconPath !== undefined && 'id' in (item.iconPath as object) ? (item.iconPath as { id: string }).id : '-';
      const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
      const description = typeof item.description === 'string' ? ` | ${item.description}` : '';
      lines.push(`${'  '.repeat(depth)}(${icon}) ${label}${description}`);
      visit(node, depth + 1);
    }
  };
  visit(undefined, 0);
  return lines.join('\n');
}

export function renderTests(items: TestItemCollection, depth = 0): string {
  const lines: string[] = [];
  for (const [, item] of items) {
    const error =
      item.error === undefined ? '' : ` ! ${typeof item.error === 'string' ? item.error : item.error.value}`;
    const tags = item.tags.map(({ id }) => ` @${id}`).join('');
    lines.push(`${'  '.repeat(depth)}${item.label}${tags}${error}`);
    if (item.children.size > 0) lines.push(renderTests(item.children, depth + 1));
  }
  return lines.join('\n');
}

export function textOf({ message }: TestMessage): string {
  return typeof message === 'string' ? message : message.value;
}

export interface RunLog {
  /** `started tasks/hello#oracle`, in order. */
  readonly events: string[];
  readonly output: string[];
  readonly messages: { readonly id: string; readonly message: TestMessage }[];
  ended: boolean;
}

/** Writes down what test runs are told, and passes it on. */
export function recordRuns(explorer: TestExplorer): RunLog[] {
  const logs: RunLog[] = [];
  const { controller } = explorer;
  const create = controller.createTestRun.bind(controller);
  controller.createTestRun = (request: TestRunRequest, name?: string, persist?: boolean): TestRun => {
    const run = create(request, name, persist);
    const log: RunLog = { events: [], output: [], messages: [], ended: false };
    logs.push(log);
    const short = (item: TestItem): string => item.id.replace(/^[^#]*#/, '');
    const keep = (id: string, message: TestMessage | readonly TestMessage[]): void => {
      for (const one of Array.isArray(message) ? (message as readonly TestMessage[]) : [message as TestMessage])
        log.messages.push({ id, message: one });
    };
    return {
      get name() {
        return run.name;
      },
      get token() {
        return run.token;
      },
      get isPersisted() {
        return run.isPersisted;
      },
      get onDidDispose() {
        return run.onDidDispose;
      },
      enqueued: (item) => {
        log.events.push(`enqueued ${short(item)}`);
        run.enqueued(item);
      },
      started: (item) => {
        log.events.push(`started ${short(item)}`);
        run.started(item);
      },
      skipped: (item) => {
        log.events.push(`skipped ${short(item)}`);
        run.skipped(item);
      },
      passed: (item, duration) => {
        log.events.push(`passed ${short(item)}`);
        run.passed(item, duration);
      },
      failed: (item, message, duration) => {
        log.events.push(`failed ${short(item)}`);
        keep(short(item), message);
        run.failed(item, message, duration);
      },
      errored: (item, message, duration) => {
        log.events.push(`errored ${short(item)}`);
        keep(short(item), message);
        run.errored(item, message, duration);
      },
      appendOutput: (output, location, item) => {
        log.output.push(output);
        run.appendOutput(output, location, item);
      },
      addCoverage: (coverage) => {
        run.addCoverage(coverage);
      },
      end: () => {
        log.ended = true;
        run.end();
      },
    };
  };
  return logs;
}
