import { pythonReader } from '../../model/readers/python';
import { shellReader } from '../../model/readers/shell';
import type { ShellCommand, ShellScript } from '../../text/shell/script';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { buildCommands } from './builds';

const message = 'This counts the cores of the host, not those that the task allows.';

const counters = new Set(['os.cpu_count', 'multiprocessing.cpu_count', 'psutil.cpu_count']);

export const dockerNproc: Rule = {
  id: 'docker-nproc',
  severity: 'information',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose', 'shell:test', 'shell:solve', 'py:tests'],
  needsDisk: true,
  why: 'On a large host as many jobs start as it has cores, and together they need more memory than the task allows.',
  docs: {
    finds:
      '`nproc`, `os.cpu_count()` and `multiprocessing.cpu_count()` in a Dockerfile, `test.sh`, `solve.sh` or the tests.',
    silent:
      'A count that is cut by `min`, `head` or arithmetic, `nproc --ignore`, and scripts that ask the limit of the container.',
    bad: 'RUN make -j$(nproc)',
    good: 'RUN make -j2',
  },
  *check(subject) {
    for (const { command, image, script } of subject.derive(buildCommands))
      if (countsCores(command, script))
        yield* claimAt(subject, { file: image.file, start: command.start, end: command.end }, { message });
    const { layout } = subject;
    const scripts = [layout, ...(layout?.steps ?? [])].flatMap((part) => [
      part?.testScript ?? null,
      part?.solveScript ?? null,
    ]);
    for (const file of new Set(scripts)) {
      const script =
        file?.endsWith('.sh') === true && subject.text(file)?.includes('nproc') === true
          ? subject.read(shellReader, file)
          : null;
      for (const command of script?.commands ?? [])
        if (file !== null && script !== null && countsCores(command, script))
          yield* claimAt(subject, { file, start: command.start, end: command.end }, { message });
    }
    for (const { path, text } of subject.disk?.texts.values() ?? []) {
      if (!/^(?:steps\/[^/]+\/)?tests\/.*\.py$/u.test(path) || text?.includes('cpu_count') !== true) continue;
      for (const { callee, node } of subject.read(pythonReader, path)?.calls ?? []) {
        const before = text.slice(Math.max(0, node.start - 80), node.start);
        if (!counters.has(callee ?? '') || /\bmin\s*\([^()]*$/u.test(before)) continue;
        yield* claimAt(subject, { file: path, start: node.start, end: node.end }, { message });
      }
    }
  },
};

function countsCores({ program, args, start, context }: ShellCommand, { text, base }: ShellScript): boolean {
  if (program !== 'nproc' || args.length > 0 || (context.pipeline !== null && context.pipeline.length > 1))
    return false;
  if (/cgroup|cpu\.max|cpu\.cfs/u.test(text)) return false;
  // In arithmetic it is most likely cut: $(( $(nproc) > 4 ? 4 : $(nproc) )).
  const at = start - base;
  const before = text.slice(Math.max(0, at - 60), at);
  return !/\(\(|\bmin\b|\[\s/u.test(before);
}
