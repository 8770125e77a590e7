import { startOfFile } from '../../text/position';
import type { Claim, Rule } from '../rule';

export const structureUnreadableFile: Rule = {
  id: 'structure-unreadable-file',
  severity: 'error',
  confidence: 'certain',
  inputs: ['tree', 'texts'],
  needsDisk: true,
  why: 'Harbor, bash and Python read these files as UTF-8 text, and no rule has judged what could not be read.',
  docs: {
    finds:
      'A file that a task runs on cannot be read as text: `task.toml`, an instruction, a script, a Dockerfile, a compose file or a Python file of the tests or the solution is no UTF-8 (an error where that stops the task, else a warning), is larger than 1 MiB (information: it was not judged), or is a folder.',
    silent: 'Data files, which may be anything, and links that lead out of the task, which `hygiene-symlink` names.',
    bad: 'instruction.md      # saved as UTF-16',
    good: 'instruction.md      # saved as UTF-8',
  },
  *check({ disk }) {
    if (disk === null) return;
    for (const [path, kind] of disk.entries) {
      const role = roleOf(path);
      if (role === null) continue;
      if (kind === 'directory') {
        if (role !== 'python') yield at(path, 'error', `${path} is a folder, and Harbor needs a file of that name.`);
        continue;
      }
      const trouble = disk.texts.get(path)?.trouble ?? null;
      if (trouble !== null) yield* claimOf(path, role, trouble);
    }
  },
};

type Role = 'config' | 'instruction' | 'script' | 'python' | 'build';

function roleOf(path: string): Role | null {
  if (path === 'task.toml') return 'config';
  if (/^(?:steps\/.+\/)?instruction\.md$/u.test(path)) return 'instruction';
  if (/(?:^|\/)(?:tests\/test|solution\/solve|workdir\/setup)\.(?:sh|bat)$/u.test(path)) return 'script';
  if (/^(?:environment|(?:steps\/.+\/)?tests)\/(?:Dockerfile|docker-compose\.yaml)$/u.test(path)) return 'build';
  return /^(?:steps\/.+\/)?(?:tests|solution)\/.*\.py$/u.test(path) ? 'python' : null;
}

function* claimOf(path: string, role: Role, trouble: string): Generator<Claim> {
  // `hygiene-symlink` has said so.
  if (trouble.startsWith('is a link')) return;
  if (!trouble.startsWith('is not UTF-8')) {
    yield at(path, 'information', `${path} ${trouble}, so no rule has judged it.`);
    return;
  }
  // Bash takes any bytes, and so do builders in comments and strings.
  const isFatal = role === 'config' || role === 'instruction' || role === 'python';
  yield at(path, isFatal ? 'error' : 'warning', `${path} ${trouble}: ${effects[role]}`);
}

const effects: Readonly<Record<Role, string>> = {
  config: 'Harbor refuses it.',
  instruction: 'Harbor cannot read it.',
  python: 'Python stops at its first such byte, unless a coding line names the encoding.',
  script: 'what a shell makes of it is chance, and no rule has judged it.',
  build: 'what the builder makes of it is chance, and no rule has judged it.',
};

function at(file: string, severity: 'error' | 'warning' | 'information', message: string): Claim {
  return { file, range: startOfFile, severity, message };
}
