import { baseName, isAtOrBelow } from '../../model/container-path';
import { claimAt, eachStep } from '../places';
import type { Claim, Rule } from '../rule';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';

export const testsImportsSolution: Rule = {
  id: 'tests-imports-solution',
  severity: 'error',
  confidence: 'certain',
  inputs: ['py:tests', 'shell:test', 'instruction'],
  needsDisk: true,
  why: 'Harbor uploads `solution/` only when it runs the reference solution. After any other agent the folder is not there, so that only the reference solution can pass.',
  docs: {
    finds: 'A test or the test script reads or runs something below `/solution`, or imports modules from there.',
    silent:
      'Uses that look first whether it is there, and tasks whose instruction names a path below `/solution`; that is a warning, since the oracle’s files lie there too.',
    bad: 'subprocess.run(["bash", "/solution/fix.sh"])',
    good: 'subprocess.run(["/srv/run.sh"])',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => usesOf(subject, view));
  },
};

function* usesOf(subject: Subject, { expectations, reach, instruction }: StepView): Generator<Claim> {
  const isOutput = instruction.includes('/solution');
  const seen = new Set<string>();
  for (const use of expectations.uses) {
    if (!isAtOrBelow(use.path, '/solution') || use.guarded) continue;
    if (use.action !== 'read' && use.action !== 'run') continue;
    if (seen.has(`${use.file}:${use.path}`)) continue;
    seen.add(`${use.file}:${use.path}`);
    const verb = use.action === 'run' ? 'runs' : 'reads';
    yield* claimAt(subject, use, {
      ...(isOutput && { severity: 'warning' as const }),
      message: isOutput
        ? `${baseName(use.file)} ${verb} ${use.path}, in the folder that the reference solution is uploaded to.`
        : `${baseName(use.file)} ${verb} ${use.path}, which is there only when the reference solution is run.`,
      supersedes: ['verifier-makes-own-evidence'],
    });
  }
  if (isOutput) return;
  for (const { file, python } of reach.files) {
    for (const { node, value } of python?.searchPaths ?? []) {
      if (value?.kind !== 'text' || value.inModuleFolder || !isAtOrBelow(value.text, '/solution')) continue;
      yield* claimAt(
        subject,
        { file, start: node.start, end: node.end },
        {
          message: `${baseName(file)} imports from ${value.text}, which is there only when the reference solution is run.`,
        },
      );
    }
  }
}
