import type { Redirected, ShellCommand, ShellNode, ShellScript } from '../script';
import { startOptions } from '../switches';
import { runCommand } from './command';
import type { FlowQuestions, ShellPath } from './flow';
import { fork } from './fork';
import { createMerge } from './merge';
import { evaluate, negate, resolve, success, unknown } from './state';
import type { State, Status } from './state';
import { closeSink, openSink } from './writing';
import { eachCommand } from './walk';
import { armStatus, lastCommand, openStatus, pipelineStatus, printedBy } from './outcome';

const maxStates = 300;
const maxPaths = 600;
const maxSteps = 30_000;
const maxDepth = 60;

/** Where something runs: whether a failure is looked at, and where the way out leads. */
export interface Frame {
  /** In a condition, or left of `&&` and `||`: `set -e` does nothing. */
  readonly tested: boolean;
  readonly calls: readonly string[];
  /** Where an `exit` leads; null when it ends the script. */
  readonly onExit: ((state: State) => void) | null;
}

/** Runs a script on every path at once, in the way of its control flow, without running anything. */
export class Runner {
  readonly paths: ShellPath[] = [];
  complete = true;
  /** Of the script and all that it sources. */
  readonly functions = new Map<string, ShellNode>();
  private readonly settable = new Set<string>();
  private readonly merge: (states: readonly State[]) => State[];
  private steps = 0;
  private depth = 0;

  constructor(
    private readonly script: ShellScript,
    readonly questions: FlowQuestions,
  ) {
    this.merge = createMerge(questions);
    this.define(script);
  }

  private define(script: ShellScript): void {
    for (const [name, body] of script.functions) this.functions.set(name, body);
    for (const { name, exported } of script.assignments) if (!exported) this.settable.add(name);
    for (const { sourced, inline } of script.commands) {
      if (sourced !== null) this.define(sourced);
      if (inline !== null) for (const { name } of inline.assignments) this.settable.add(name);
    }
    if (!script.complete || script.errors.length > 0) this.complete = false;
  }

  run(): void {
    const start: State = {
      variables: new Map(),
      settable: this.settable,
      status: success,
      stages: [],
      options: startOptions(this.script.shebang),
      trap: null,
      written: new Map(),
      cleared: new Set(),
      unsure: false,
      decisions: [],
      outcomes: new Map(),
      graded: [],
      folder: this.questions.startFolder,
      sink: null,
      piped: null,
      last: null,
      jump: null,
    };
    const frame: Frame = { tested: false, calls: [], onExit: null };
    for (const state of this.sequence(this.script.body, [start], frame))
      this.end(state, { kind: 'end', command: state.last, code: null }, frame);
  }

  /** Notes the end of a path, after its exit trap has run. */
  end(state: State, end: ShellPath['end'], frame: Frame): void {
    if (frame.onExit !== null) {
      frame.onExit(state);
      return;
    }
    const finals =
      state.trap === null
        ? [state]
        : this.sequence(state.trap.body, [{ ...state, trap: null, jump: null }], {
            tested: true,
            calls: [],
            onExit: () => undefined,
          });
    if (state.trap !== null && (!state.trap.complete || state.trap.errors.length > 0)) this.complete = false;
    for (const final of finals) {
      if (this.paths.length >= maxPaths) {
        this.complete = false;
        return;
      }
      const { written, unsure, decisions, graded, cleared } = final;
      this.paths.push({ end, written, unsure, decisions, graded, cleared });
    }
  }

  sequence(nodes: readonly ShellNode[], states: readonly State[], frame: Frame): State[] {
    let going: State[] = [...states];
    const jumped: State[] = [];
    for (const node of nodes) {
      const next: State[] = [];
      for (const state of going) next.push(...this.node(node, state, frame));
      jumped.push(...next.filter((state) => state.jump !== null));
      going = this.merge(next.filter((state) => state.jump === null));
      if (going.length > maxStates) {
        this.complete = false;
        going.length = 1;
      }
      if (going.length === 0) break;
    }
    return [...going, ...jumped];
  }

  node(node: ShellNode, state: State, frame: Frame): State[] {
    if (++this.steps > maxSteps || this.depth > maxDepth) {
      this.complete = false;
      return [state];
    }
    this.depth++;
    try {
      return this.inside(node, state, frame);
    } finally {
      this.depth--;
    }
  }

  private inside(node: ShellNode, state: State, frame: Frame): State[] {
    switch (node.kind) {
      case 'command':
        return runCommand(this, node.command, state, frame);
      case 'list':
        return this.list(node, state, frame);
      case 'pipeline':
        return this.pipeline(node.stages, state, frame);
      case 'not':
        return this.node(node.body, state, { ...frame, tested: true }).map((after) => ({
          ...after,
          status: negate(after.status),
        }));
      case 'group':
        return this.redirected(node, state, (inner) => this.sequence(node.body, [inner], frame));
      case 'subshell':
        return this.redirected(node, state, (inner) =>
          this.failing(this.apart(node.body, inner, frame), frame, lastCommand(node.body)),
        );
      case 'if':
        return this.redirected(node, state, (inner) => this.branches(node, inner, frame));
      case 'loop':
        return this.redirected(node, state, (inner) => this.loop(node, inner, frame));
      case 'case':
        return this.redirected(node, state, (inner) => this.choice(node, inner, frame));
      case 'function':
        return [{ ...state, status: success }];
      case 'background':
        return [this.inBackground(node.body, state)];
      case 'unknown':
        this.complete = false;
        return [state];
    }
  }

  private list(node: Extract<ShellNode, { kind: 'list' }>, state: State, frame: Frame): State[] {
    const after: State[] = [];
    for (const left of this.node(node.left, state, { ...frame, tested: true })) {
      if (left.jump !== null) {
        after.push(left);
        continue;
      }
      const { succeeded, failed } = fork(left, this.questions);
      const [on, off] = node.operator === '&&' ? [succeeded, failed] : [failed, succeeded];
      after.push(...off);
      for (const next of on) after.push(...this.node(node.right, next, frame));
    }
    return this.merge(after);
  }

  /** Each stage runs in a shell of its own: what it sets is lost, what it writes stays. */
  private pipeline(stages: readonly ShellNode[], state: State, frame: Frame): State[] {
    let states: { readonly state: State; readonly statuses: readonly Status[] }[] = [{ state, statuses: [] }];
    for (const [index, stage] of stages.entries()) {
      const last = index === stages.length - 1;
      const next: typeof states = [];
      for (const before of states) {
        const inner = {
          ...before.state,
          sink: last ? state.sink : null,
          piped: printedBy(stages[index - 1], before.state),
        };
        for (const after of this.apart([stage], inner, { ...frame, tested: true }))
          next.push({
            state: { ...after, sink: state.sink, piped: state.piped },
            statuses: [...before.statuses, after.status],
          });
      }
      states = next;
      if (states.length > maxStates) {
        this.complete = false;
        states.length = 1;
      }
    }
    const after = states.map(({ state: last, statuses }) => ({
      ...last,
      stages: statuses,
      status: pipelineStatus(statuses, last, this.questions),
    }));
    return this.failing(after, frame, lastCommand(stages));
  }

  /** Runs statements in a shell of their own; an `exit` in there ends only that. */
  apart(nodes: readonly ShellNode[], state: State, frame: Frame): State[] {
    const ended: State[] = [];
    const after = this.sequence(nodes, [{ ...state, trap: null }], { ...frame, onExit: (end) => ended.push(end) });
    return [...after, ...ended].map((inner) => ({
      ...inner,
      variables: state.variables,
      options: state.options,
      trap: state.trap,
      folder: state.folder,
      jump: null,
    }));
  }

  /** `set -e`: where a failure is not looked at, the script ends. */
  failing(states: readonly State[], frame: Frame, command: ShellCommand | null): State[] {
    const going: State[] = [];
    for (const state of states) {
      if (state.jump !== null || frame.tested || state.options.errexit === false) {
        going.push(state);
        continue;
      }
      if (state.options.errexit === 'unknown') {
        if (resolve(state.status, state) !== true) going.push({ ...state, unsure: true });
        else going.push(state);
        continue;
      }
      const { succeeded, failed } = fork(state, this.questions);
      going.push(...succeeded);
      for (const end of failed) this.end(end, { kind: 'errexit', command, code: null }, frame);
    }
    return going;
  }

  private branches(node: Extract<ShellNode, { kind: 'if' }>, state: State, frame: Frame): State[] {
    const done: State[] = [];
    let waiting: State[] = [state];
    for (const branch of node.branches) {
      const asked = this.sequence(branch.condition, waiting, { ...frame, tested: true });
      waiting = [];
      for (const after of asked) {
        if (after.jump !== null) {
          done.push(after);
          continue;
        }
        const { succeeded, failed } = fork(after, this.questions);
        done.push(...this.sequence(branch.body, succeeded, frame));
        waiting.push(...failed);
      }
      waiting = this.merge(waiting);
    }
    if (node.otherwise === null) done.push(...waiting.map((skipped) => ({ ...skipped, status: success })));
    else done.push(...this.sequence(node.otherwise, waiting, frame));
    return this.merge(done);
  }

  /** A loop is followed through its body once, and not at all; a list of words that is there is gone through once. */
  private loop(node: Extract<ShellNode, { kind: 'loop' }>, state: State, frame: Frame): State[] {
    const always = node.word === 'for' && node.items.some((item) => item.value !== null && !item.pattern);
    const variables = new Map(state.variables);
    if (node.variable !== null) variables.set(node.variable, unknown);
    const done: State[] = [];
    let entering: State[];
    if (node.condition.length > 0) {
      entering = [];
      for (const after of this.sequence(node.condition, [{ ...state, variables }], { ...frame, tested: true })) {
        const { succeeded, failed } = fork({ ...after, status: openStatus(after.status) }, this.questions);
        entering.push(...(node.word === 'until' ? failed : succeeded));
        done.push(...(node.word === 'until' ? succeeded : failed).map((left) => ({ ...left, status: success })));
      }
    } else {
      entering = [{ ...state, variables }];
      if (!always) done.push({ ...state, status: success });
    }
    for (const after of this.sequence(node.body, entering, frame))
      done.push(after.jump === 'break' ? { ...after, jump: null, status: success } : after);
    return this.merge(done);
  }

  private choice(node: Extract<ShellNode, { kind: 'case' }>, state: State, frame: Frame): State[] {
    const subject = node.subject === null ? unknown : evaluate(node.subject, state);
    const done: State[] = [];
    let waiting: State[] = [state];
    for (const arm of node.arms) {
      const entering: State[] = [];
      const passing: State[] = [];
      for (const each of waiting) {
        const status = armStatus(arm.patterns, subject, node.arms);
        const { succeeded, failed } = fork({ ...each, status }, this.questions);
        entering.push(...succeeded);
        passing.push(...failed);
      }
      done.push(...this.sequence(arm.body, entering, frame));
      waiting = passing;
    }
    done.push(...waiting.map((skipped) => ({ ...skipped, status: success })));
    return this.merge(done);
  }

  private inBackground(body: ShellNode, state: State): State {
    let writes = false;
    eachCommand([body], (command) => {
      if (this.questions.mayWrite(command)) writes = true;
      for (const write of command.writes) {
        const { text } = evaluate(write.path, state);
        if (this.questions.watched.some((path) => (text === null ? path.startsWith(write.path.prefix) : path === text)))
          writes = true;
      }
    });
    return { ...state, status: success, unsure: state.unsure || writes };
  }

  /** A compound command with redirections: what its body prints goes to a file. */
  private redirected(node: Redirected, state: State, run: (inner: State) => State[]): State[] {
    if (node.writes.length === 0) return run(state);
    const { inner, path } = openSink(this, node.writes, state);
    return run(inner).map((after) => closeSink(after, state.sink, path));
  }
}
