import { missingFiles } from '../../task/loaders';
import { startOfFile } from '../../text/position';
import type { Claim, Rule } from '../rule';
import { failingTestScript } from './scripts';
import { firstLine } from '../config/toml-places';

export const structureMissingFile: Rule = {
  id: 'structure-missing-file',
  severity: 'error',
  confidence: 'certain',
  inputs: ['tree', 'toml'],
  needsDisk: true,
  why: 'Harbor drops a task that misses a required file, often without a message.',
  docs: {
    finds:
      'A file or folder that Harbor needs for this shape of task is not there: `task.toml`, `instruction.md`, `environment/` with something to build or start from, `tests/test.sh` (`test.bat` on Windows), and for each step its own `instruction.md` and a test script of its own or a shared one.',
    silent:
      'A Dockerfile is not asked for where a `docker_image` or a compose file is; a task with steps needs no `instruction.md` at its root; a separate verifier brings its own script.',
    bad: 'buoy-drift/\n  task.toml\n  instruction.md\n  environment/Dockerfile',
    good: 'buoy-drift/\n  task.toml\n  instruction.md\n  environment/Dockerfile\n  tests/test.sh',
  },
  *check({ toml, disk }) {
    if (disk === null) return;
    const has = (path: string): boolean => disk.entries.has(path);
    const at = firstLine(toml);
    if (!has('task.toml')) {
      yield { range: startOfFile, message: 'task.toml is missing, so Harbor does not take this folder for a task.' };
      return;
    }
    const config = toml?.config ?? null;
    if (!has('environment')) {
      const image = config?.environment.docker_image ?? null;
      const why = image === null ? '' : ' It must exist even with a docker_image, and Git does not keep empty folders.';
      yield { range: at, message: `The folder environment/ is missing.${why}` };
    } else if (config !== null) {
      const image = config.environment.docker_image;
      const children = [...disk.entries.keys()].filter((path) => path.startsWith('environment/'));
      if (image === null && !has('environment/Dockerfile') && !has('environment/docker-compose.yaml')) {
        yield { range: at, message: `${noImage}${misnamed(children)}` };
      } else if (image !== null && children.length === 0 && disk.entries.get('environment') === 'directory') {
        yield {
          range: at,
          severity: 'information',
          message: 'environment/ is empty; Git does not keep empty folders, and Harbor needs it to exist.',
        };
      }
    }
    if (config === null) return;
    for (const file of missingFiles(disk, config)) {
      // A step without a folder is the subject of structure-steps-mismatch.
      if (!file.endsWith('/')) yield claimFor(file, at);
    }
  },
};

const noImage =
  'There is neither environment/Dockerfile nor environment/docker-compose.yaml nor a docker_image, so no container can be made.';

function misnamed(children: readonly string[]): string {
  const other = children.find((path) =>
    /^environment\/(?:docker-)?compose\.ya?ml$|^environment\/docker-compose\.yml$/u.test(path),
  );
  return other === undefined ? '' : ` Harbor does not see ${other}: the file must be named docker-compose.yaml.`;
}

function claimFor(file: string, range: Claim['range']): Claim {
  const isScript = /\/test\.(?:sh|bat)$/u.test(file);
  return {
    range,
    message: `${file} is missing.`,
    fixes: isScript
      ? [
          {
            title: `Create ${file}, with a reward of 0`,
            edits: [{ file, range: startOfFile, newText: failingTestScript(file.endsWith('.bat')) }],
          },
        ]
      : [],
  };
}
