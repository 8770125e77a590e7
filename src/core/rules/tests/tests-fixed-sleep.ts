import { steps } from '../../model/steps';
import { testsShellReader } from '../../model/readers/shell';
import type { Subject } from '../../model/subject';
import { isWithin } from '../../text/python/checks';
import type { Block, PythonFunction, PythonModule, Sleep } from '../../text/python/module';
import { bare } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import type { Fix } from '../../finding';
import type { Claim, Rule } from '../rule';
import type { TestModule } from './test-modules';
import { claimIn, isIn, soundModules } from './test-modules';

export const testsFixedSleep: Rule = {
  id: 'tests-fixed-sleep',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test'],
  needsDisk: true,
  why: 'A pause of fixed length is too short on a busy machine, where right answers then fail, and wasted on a fast one.',
  docs: {
    finds:
      'A constant pause of half a second or more between something that goes on by itself (a process, a request, a signal) and the assertion that looks at it, in a test or in `test.sh`.',
    silent: 'Pauses in a loop, near a loop that waits for a condition, and pauses that the instruction states.',
    bad: 'start()\ntime.sleep(5)\nassert get("/health").ok',
    good: 'start()\nwait_until(lambda: get("/health").ok, 30)',
  },
  *check(subject) {
    for (const test of soundModules(subject))
      for (const sleep of test.module.sleeps) yield* judge(subject, test, sleep);
    const scripts = new Set(subject.derive(steps).flatMap(({ testScript }) => testScript ?? []));
    for (const script of scripts) yield* inScript(subject, script);
  },
};

const least = 0.5;

function* judge(subject: Subject, test: TestModule, { node, seconds, block }: Sleep): Generator<Claim> {
  const { module } = test;
  const owner = block.function;
  if (seconds === null || seconds < least || owner === null) return;
  for (let at: Block | null = block; at !== null && at !== owner.body; at = at.parent)
    if (at.kind === 'for' || at.kind === 'while' || at.kind === 'except') return;
  if (waits(module, owner)) return;
  const before = startsSomething(module, owner, node.start) ?? startedAround(module, owner, node, block);
  if (before === null || !looksAfterwards(module, owner, node.end)) return;
  yield* claimIn(subject, test, node, {
    message: `After ${before}, ${owner.name} waits ${seconds} s and no longer, however long it takes on the machine of the day.`,
    fixes: polling(subject, test, node, block, seconds),
  });
}

/** Whether the function also waits for a condition: then the pause only settles what has come about. */
function waits(module: PythonModule, owner: PythonFunction): boolean {
  const polls = module.sleeps.some((sleep) => {
    if (sleep.block.function !== owner) return false;
    for (let at: Block | null = sleep.block; at !== null && at !== owner.body; at = at.parent)
      if (at.kind === 'for' || at.kind === 'while') return true;
    return false;
  });
  return (
    polls ||
    module.calls.some(
      (call) =>
        call.block.function === owner &&
        /^_?(?:wait|poll|retry|until|eventually)/iu.test(call.name) &&
        call.name !== 'wait',
    )
  );
}

/** What goes on by itself from before a place: in words, or null. */
function startsSomething(module: PythonModule, owner: PythonFunction, before: number): string | null {
  const isBefore = ({ node, block }: { readonly node: SyntaxNode; readonly block: Block }): boolean =>
    isIn(block, owner.body) && node.end <= before;
  const command = module.commands.find((one) => one.background && isBefore(one));
  if (command !== undefined) return `starting ${command.argv?.[0] ?? command.shell?.split(/\s/u)[0] ?? 'a process'}`;
  for (const call of module.calls) {
    if (!isBefore(call)) continue;
    if (call.name === 'start' && call.receiver !== null && call.arguments.length === 0)
      return `\`${module.source(call.node)}\``;
    if (/^(?:send_signal|kill|terminate)$/u.test(call.name) && call.receiver !== null)
      return `\`${module.source(call.node).slice(0, 40)}\``;
    const own = module.functionOf(call);
    if (own !== null && module.commands.some((one) => one.background && isWithin(one.call.block.function, own)))
      return `\`${call.name}()\``;
  }
  const post = module.requests.find((one) => isBefore(one) && /^(?:post|put|patch|delete)$/u.test(one.call.name));
  return post === undefined ? null : 'the request';
}

/** What the class of a method, or a fixture, has started; only where the very next statement looks at what came of it. */
function startedAround(module: PythonModule, owner: PythonFunction, sleep: SyntaxNode, block: Block): string | null {
  const at = block.statements.findIndex((one) => one.start <= sleep.start && sleep.end <= one.end);
  const next = at === -1 ? undefined : block.statements[at + 1];
  if (next === undefined) return null;
  const checked = module.checks.some(({ node }) => next.start <= node.start && node.end <= next.end);
  if (!checked) return null;
  const fixtures = new Set(
    module.fixtures.filter(({ name }) => owner.parameters.some((one) => one.name === name)).map((one) => one.function),
  );
  const command = module.commands.find(({ background, call }) => {
    const from = call.block.function;
    return (
      background &&
      from !== null &&
      from !== owner &&
      (fixtures.has(from) || (owner.class !== null && from.class === owner.class))
    );
  });
  return command === undefined ? null : `starting ${command.argv?.[0] ?? 'a process'}`;
}

function looksAfterwards(module: PythonModule, owner: PythonFunction, after: number): boolean {
  const isAfter = ({ node, block }: { readonly node: SyntaxNode; readonly block: Block }): boolean =>
    isIn(block, owner.body) && node.start >= after;
  // A fixture hands over to the test, which looks.
  return (
    module.checks.some(isAfter) ||
    module.requests.some(isAfter) ||
    (owner.yields && module.fixtures.some((one) => one.function === owner))
  );
}

const helper = `def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)


`;

/** The statement becomes a wait for what the next one asserts; the helper is put before the first definition. */
function polling(
  subject: Subject,
  { file, module }: TestModule,
  sleep: SyntaxNode,
  block: Block,
  seconds: number,
): readonly Fix[] {
  const lines = subject.lines(file);
  const at = block.statements.findIndex((one) => one.start <= sleep.start && sleep.end <= one.end);
  const next = at === -1 ? undefined : block.statements[at + 1];
  const assertion = module.asserts.find(({ node }) => node === next);
  const statement = block.statements[at];
  const hasTime = module.imports.some(
    ({ module: name, name: taken, alias }) => name === 'time' && taken === null && alias === 'time',
  );
  const first = module.blocks[0]?.statements.find(({ type }) => type.endsWith('definition'));
  if (lines === null || assertion === undefined || statement === undefined || first === undefined || !hasTime)
    return [];
  const condition = module.source(bare(assertion.condition));
  if (/[\r\n]/u.test(condition) || /\bawait\b|:=/u.test(condition)) return [];
  const call = `wait_until(lambda: ${condition}, ${Math.max(30, Math.ceil(seconds * 6))})`;
  const known = module.functions.some(({ name }) => name === 'wait_until');
  return [
    {
      title: 'Wait until what the next line asserts holds',
      edits: [
        { file, range: lines.range(statement.start, statement.end), newText: call },
        ...(known ? [] : [{ file, range: lines.range(first.start, first.start), newText: helper }]),
      ],
    },
  ];
}

function* inScript(subject: Subject, file: string): Generator<Claim> {
  const script = subject.read(testsShellReader, file);
  const lines = subject.lines(file);
  if (script === null || lines === null || script.errors.length > 0) return;
  const isPause = /^(?:sleep)$/u;
  if (script.commands.some(({ program, context }) => context.loop && program !== null && isPause.test(program))) return;
  for (const { program, args, context, start, end, index } of script.commands) {
    if (program !== 'sleep' || context.loop || context.function !== null || context.rightOf !== null) continue;
    const seconds = secondsOf(args[0]?.value ?? null);
    const started = script.commands.findLast((one) => one.index < index && one.context.background && one.start < start);
    const after = script.commands.some(
      (one) => one.start > end && one.program !== null && !/^(?:echo|exit|kill|wait|rm)$/u.test(one.program),
    );
    if (seconds === null || seconds < least || started === undefined || !after) continue;
    // A later pause is for what was done in between.
    if (script.commands.some((one) => one.program === 'sleep' && one.index > started.index && one.index < index))
      continue;
    yield {
      file,
      range: lines.range(start, end),
      message: `After starting ${started.program ?? 'a process'}, the script waits ${seconds} s and no longer, however long it takes on the machine of the day.`,
    };
  }
}

function secondsOf(word: string | null): number | null {
  const found = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})([smh]?)$/u.exec(word ?? '');
  if (found === null) return null;
  return Number(found[1]) * (found[2] === 'm' ? 60 : found[2] === 'h' ? 3600 : 1);
}
