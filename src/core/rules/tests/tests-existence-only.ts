import { baseName, extensionOf } from '../../model/container-path';
import type { Expectations, ReachedFile } from '../../model/expectations';
import type { ShellScript } from '../../text/shell/script';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { PythonModule } from '../../text/python/module';
import { bare, parts } from '../../text/python/nodes';
import type { SyntaxNode } from '../../text/syntax-tree';
import { claimAt, eachStep, listed } from '../places';
import type { Claim, Rule } from '../rule';

export const testsExistenceOnly: Rule = {
  id: 'tests-existence-only',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests', 'shell:test', 'instruction'],
  needsDisk: true,
  why: 'A file with any content passes. What the task is about is left unchecked.',
  docs: {
    finds:
      'All tests together ask of the outputs only whether they are there, of some size or of some type. One finding a task.',
    silent:
      'Tasks of which any test looks deeper, runs a program or talks to a service, and outputs without an extension, such as a folder or a socket, whose being there may be the point.',
    bad: 'assert Path("/srv/plan.json").exists()',
    good: 'assert json.load(open("/srv/plan.json")) == expected()',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => shallow(subject, view));
  },
};

function* shallow(subject: Subject, { reach, expectations }: StepView): Generator<Claim> {
  if (!reach.complete) return;
  const modules = reach.files.filter(({ python, via }) => python !== null && via !== 'read');
  const scripts = reach.files.flatMap(({ shell }) => shell ?? []);
  const looksElsewhere = scripts.some(({ commands }) =>
    commands.some(({ program }) =>
      /^(?:grep|egrep|diff|cmp|jq|curl|wget|awk|sha256sum|md5sum|node|go|cargo|npm|psql|sqlite3|mysql)$/u.test(
        program ?? '',
      ),
    ),
  );
  if (looksElsewhere) return;
  if (modules.length === 0) {
    yield* shallowScript(subject, scripts, expectations);
    return;
  }
  let first: { reached: ReachedFile; node: SyntaxNode } | null = null;
  const asked = new Set<string>();
  for (const reached of modules) {
    const { python } = reached;
    if (python === null) continue;
    if (python.commands.length > 0 || python.requests.length > 0) return;
    for (const { kind, node } of python.checks) {
      const assertion = python.asserts.find((one) => one.node === node);
      if (kind !== 'assert' || assertion === undefined || !isShallow(python, assertion.condition, 0)) return;
      const probe = python.files.find(
        (use) => use.action === 'probe' && use.call.node.start >= node.start && use.call.node.end <= node.end,
      );
      if (probe === undefined || probe.path === null) continue;
      first ??= { reached, node: assertion.condition };
      asked.add(probe.path.text);
    }
  }
  const outputs = [...asked].filter((path) => extensionOf(path) !== '');
  if (first === null || outputs.length === 0 || outputs.length < asked.size) return;
  if (!expectations.uses.some(({ path, role }) => outputs.includes(path) && (role === 'output' || role === 'unknown')))
    return;
  const { reached, node } = first;
  yield* claimAt(
    subject,
    { file: reached.file, start: node.start, end: node.end },
    {
      message: `No test looks at what is in ${listed(outputs.map(baseName))}: any file of that name passes.`,
    },
  );
}

/** Programs that tell nothing of a file's content. */
const blind =
  /^(?:\[|\[\[|test|echo|printf|rm|mkdir|chmod|cd|exit|set|true|false|:|touch|tee|sleep|export|local|return)$/u;

/** A script that judges all by itself, and asks only whether a file is there. */
function* shallowScript(
  subject: Subject,
  scripts: readonly ShellScript[],
  { uses, files }: Expectations,
): Generator<Claim> {
  const [script] = scripts;
  if (script === undefined || scripts.length > 1 || files.length > 1 || script.errors.length > 0) return;
  for (const { program, args } of script.commands) {
    if (program === null) continue;
    if (!blind.test(program)) return;
    // A value that comes from a command may be the content.
    if (/^(?:\[\[?|test)$/u.test(program) && args.some((word) => word.substitutions.length > 0)) return;
  }
  const probed = uses.filter(
    ({ action, role, path }) => action === 'probe' && role === 'output' && extensionOf(path) !== '',
  );
  const [first] = probed;
  if (first === undefined) return;
  yield* claimAt(subject, first, {
    message: `No test looks at what is in ${listed([...new Set(probed.map(({ path }) => baseName(path)))])}: any file of that name passes.`,
  });
}

const probes =
  /^(?:os\.path\.(?:exists|isfile|isdir|lexists)|os\.access|exists|is_file|is_dir|isfile|isdir|isinstance|callable)$/u;

/** Does a condition ask only whether something is there, how large it is or of what type? */
function isShallow(python: PythonModule, condition: SyntaxNode, depth: number): boolean {
  const node = bare(condition);
  if (depth > 6) return false;
  switch (node.type) {
    case 'call': {
      const call = python.callAt(node);
      return call !== null && (probes.test(call.callee ?? '') || (call.receiver !== null && probes.test(call.name)));
    }
    case 'not_operator':
    case 'boolean_operator':
      return parts(node).every((part) => isShallow(python, part, depth + 1));
    case 'comparison_operator': {
      const found = python.comparisons.find((one) => one.node === node);
      if (found === undefined) return false;
      const limit = python.fold(found.right);
      if (found.operator === 'is not' && limit?.kind === 'none') return true;
      if (limit?.kind !== 'number' || limit.value > 1 || !['>', '>=', '!='].includes(found.operator)) return false;
      return /\.st_size$|getsize\(|^len\(/u.test(python.source(bare(found.left)));
    }
    default:
      return false;
  }
}
