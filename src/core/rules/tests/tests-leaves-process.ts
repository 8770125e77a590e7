import type { Block, PythonModule } from '../../text/python/module';
import type { CommandUse } from '../../text/python/commands';
import { eachNode, firstPart } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import { testsShellReader } from '../../model/readers/shell';
import { steps } from '../../model/steps';
import type { Subject } from '../../model/subject';
import type { Claim, Rule } from '../rule';
import { claimIn, soundModules } from './test-modules';

export const testsLeavesProcess: Rule = {
  id: 'tests-leaves-process',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test'],
  needsDisk: true,
  why: 'A program that is left running meets the tests after it: it holds its port, its files and its part of the machine.',
  docs: {
    finds: 'A program that a test or the test script starts in the background and never ends or waits for.',
    silent: '`with subprocess.Popen(…)`, programs that a fixture or helper gives on, and those ended by name or group.',
    bad: 'server = subprocess.Popen(["/srv/app"])\nassert get("/health") == 200',
    good: 'with subprocess.Popen(["/srv/app"]) as server:\n    …\n    server.terminate()',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      if (!module.commands.some(({ background }) => background) || endsByName(module)) continue;
      for (const command of module.commands) {
        if (
          !command.background ||
          command.how !== 'Popen' ||
          command.node !== command.call.node ||
          !isLeft(module, command)
        )
          continue;
        const program = command.argv?.[0] ?? command.shell?.split(/\s/u)[0] ?? 'a program';
        const owner = command.block.function;
        yield* claimIn(subject, test, command.node, {
          message: `${owner?.name ?? 'This file'} starts ${program} and never ends it.`,
        });
      }
    }
    const scripts = new Set(subject.derive(steps).flatMap(({ testScript }) => testScript ?? []));
    for (const file of scripts) yield* inScript(subject, file);
  },
};

/** `server &` in a script that neither ends nor waits for anything. */
function* inScript(subject: Subject, file: string): Generator<Claim> {
  const script = subject.read(testsShellReader, file);
  const lines = subject.lines(file);
  if (script === null || lines === null || script.errors.length > 0 || script.traps.length > 0) return;
  if (
    script.commands.some(({ program }) => /^(?:kill|pkill|killall|wait|fuser|timeout|source|\.)$/u.test(program ?? ''))
  )
    return;
  for (const { program, context, start, end, wrappers } of script.commands) {
    if (!context.background || context.loop || context.function !== null || program === null || program === 'sleep')
      continue;
    if (wrappers.some(({ name }) => name === 'timeout')) continue;
    yield {
      file,
      range: lines.range(start, end),
      message: `The script starts ${program} in the background and never ends it.`,
    };
  }
}

/** `pkill`, `killall`, `os.killpg`, `atexit`, `finalizer`: the end may be anywhere. */
function endsByName(module: PythonModule): boolean {
  return (
    module.calls.some(
      ({ callee, name }) =>
        /^(?:os\.killpg|os\.kill|atexit\.register)$/u.test(callee ?? '') ||
        name === 'addfinalizer' ||
        name === 'addCleanup' ||
        name === 'enter_context',
    ) ||
    module.commands.some(
      ({ argv, shell }) =>
        /^(?:pkill|killall|kill|fuser)$/u.test(argv?.[0] ?? '') || /\b(?:pkill|killall|kill)\b/u.test(shell ?? ''),
    )
  );
}

/** Whether the process is bound to a plain name of a function that is used for nothing which ends it, or to none. */
function isLeft(module: PythonModule, { node, block }: CommandUse): boolean {
  const statement = statementOf(block, node);
  if (statement === null) return false;
  if (statement.type !== 'expression_statement') return false;
  const only = firstPart(statement);
  if (only === node) return true;
  if (only?.type !== 'assignment' || block.function === null) return false;
  const [left, right] = [only.children[0], only.children.at(-1)];
  if (left?.type !== 'identifier' || right !== node) return false;
  const name = module.source(left);
  // Looked at or started is not ended; anything else may end it.
  let kept = true;
  for (const inner of block.function.body.statements)
    eachNode(inner, (one) => {
      if (one.type !== 'identifier' || one === left || module.source(one) !== name) return undefined;
      if (one.field === 'attribute' || one.field === 'name') return undefined;
      kept &&= isOnlyLooked(module, inner, one);
      return undefined;
    });
  return kept;
}

/** `p.poll()`, `p.pid`, `p.stdout…`, `assert p` */
function isOnlyLooked(module: PythonModule, within: SyntaxNode, name: SyntaxNode): boolean {
  let looked = false;
  eachNode(within, (node) => {
    if (node.type === 'attribute' && node.children[0] === name) {
      const attribute = node.children.at(-1);
      looked =
        attribute !== undefined && /^(?:poll|pid|stdout|stderr|stdin|returncode|args)$/u.test(module.source(attribute));
      return false;
    }
    return node.start <= name.start && name.end <= node.end;
  });
  return looked;
}

function statementOf(block: Block, node: SyntaxNode): SyntaxNode | null {
  return block.statements.find((one) => one.start <= node.start && node.end <= one.end) ?? null;
}
