import type { ShellCommand, ShellNode, ShellScript, ShellWord } from '../text/shell/script';
import { absolutePath } from './container-path';

/** A command as it is run: with the folder in force there. */
export interface Visit {
  readonly command: ShellCommand;
  readonly script: ShellScript;
  /** null when unknown. */
  readonly folder: string | null;
}

/** Visits each command of a script in the order of running, functions where they are first called. */
export function walkShell(
  script: ShellScript,
  folder: string | null,
  visit: (visit: Visit) => void,
  { isSourced = false }: { readonly isSourced?: boolean } = {},
): void {
  const walk = new Walk(script, folder, visit, 0);
  walk.nodes(script.body);
  // Whoever sources it calls them.
  if (isSourced) for (const name of script.functions.keys()) walk.call(name);
}

/** The absolute path that a word names; null when it is none or unknown. */
export function pathOf(word: ShellWord | undefined, folder: string | null): string | null {
  if (word === undefined || word.value === null || word.value === '' || word.value.startsWith('-')) return null;
  return absolutePath(word.value, folder);
}

/** The parts of `a && b || c` in their order; a long chain is no deep one. */
function partsOf(list: ShellNode): ShellNode[] {
  const parts: ShellNode[] = [];
  let at = list;
  while (at.kind === 'list') {
    parts.push(at.right);
    at = at.left;
  }
  parts.push(at);
  return parts.reverse();
}

const maxDepth = 30;

class Walk {
  private readonly called = new Set<string>();

  constructor(
    private readonly script: ShellScript,
    private folder: string | null,
    private readonly visit: (visit: Visit) => void,
    private depth: number,
  ) {}

  nodes(nodes: readonly ShellNode[]): void {
    for (const node of nodes) this.node(node);
  }

  private node(node: ShellNode): void {
    if (this.depth > maxDepth) return;
    this.depth++;
    switch (node.kind) {
      case 'command':
        this.command(node.command);
        break;
      case 'list':
        for (const part of partsOf(node)) this.node(part);
        break;
      case 'pipeline':
        for (const stage of node.stages)
          this.apart(() => {
            this.node(stage);
          });
        break;
      case 'not':
        this.node(node.body);
        break;
      case 'group':
        this.nodes(node.body);
        break;
      case 'subshell':
        this.apart(() => {
          this.nodes(node.body);
        });
        break;
      case 'background':
        this.apart(() => {
          this.node(node.body);
        });
        break;
      case 'if':
        this.branches([...node.branches.map(({ condition, body }) => [...condition, ...body]), node.otherwise ?? []]);
        break;
      case 'case':
        this.branches(node.arms.map(({ body }) => body));
        break;
      case 'loop':
        this.branches([[...node.condition, ...node.body]]);
        break;
      case 'function':
      case 'unknown':
        break;
    }
    this.depth--;
  }

  private command(command: ShellCommand): void {
    for (const word of [...command.words, ...command.assignments.flatMap(({ value }) => value ?? [])]) {
      for (const { body } of word.substitutions)
        this.apart(() => {
          this.nodes(body);
        });
    }
    this.visit({ command, script: this.script, folder: this.folder });
    if (command.inline !== null)
      new Walk(command.inline, this.folder, this.visit, this.depth).nodes(command.inline.body);
    const { program } = command;
    if (program === 'cd' || program === 'pushd') {
      const target = command.args.find(({ value }) => !value?.startsWith('-'));
      this.folder = target === undefined ? null : pathOf(target, this.folder);
    } else if (program === 'popd') {
      this.folder = null;
    }
    if (program !== null) this.call(program);
  }

  call(name: string): void {
    const body = this.script.functions.get(name);
    if (body === undefined || this.called.has(name)) return;
    this.called.add(name);
    this.node(body);
  }

  /** What changes the folder in there does not last. */
  private apart(run: () => void): void {
    const { folder } = this;
    run();
    this.folder = folder;
  }

  /** Of these one or none is run, so that a folder that one of them changes is unknown behind them. */
  private branches(branches: readonly (readonly ShellNode[])[]): void {
    const before = this.folder;
    let after = before;
    for (const branch of branches) {
      this.folder = before;
      this.nodes(branch);
      if (this.folder !== before) after = null;
    }
    this.folder = after;
  }
}
