import type { Rule } from '../rule';
import { nameOf } from './files';

export const hygieneCrlf: Rule = {
  id: 'hygiene-crlf',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['texts', 'toml', 'docker', 'shell:test', 'shell:solve', 'py:tests', 'py:solution'],
  needsDisk: true,
  why: 'On Linux the carriage return becomes part of a command, a file name or a value.',
  docs: {
    finds:
      'Lines that end in CRLF in shell scripts, and in Dockerfiles with a here-document, of a Linux task. In other Dockerfiles, Python files and task.toml it is information, since these take both ends of lines.',
    silent:
      'Data files, Windows tasks, batch files, and scripts whose `#!` line ends so: `structure-unrunnable-script` says that they do not start.',
    bad: 'set -e␍',
    good: 'set -e',
  },
  *check(subject) {
    const { disk, layout } = subject;
    if (disk === null || layout === null || layout.os === 'windows') return;
    for (const [path, { text }] of disk.texts) {
      if (text === null || !text.includes('\r\n') || !isCode(path)) continue;
      const first = text.indexOf('\r\n');
      if (text.startsWith('#!') && text.indexOf('\n') === first + 1 && isStarted(path)) continue;
      const count = text.split('\r\n').length - 1;
      const all = subject.lines(path);
      if (all === null) continue;
      const at = all.position(first);
      // These take both ends of lines; only a here-document of a Dockerfile keeps what stands in it.
      const harmless = /\.(?:py|toml)$/u.test(path) || (nameOf(path).includes('Dockerfile') && !text.includes('<<'));
      yield {
        file: path,
        range: { start: { line: at.line, character: 0 }, end: at },
        ...(harmless && { severity: 'information' }),
        message: `${count === 1 ? 'A line' : `${count} lines`} of ${path} ${count === 1 ? 'ends' : 'end'} in CRLF.`,
        fixes: [
          {
            title: 'Convert to LF',
            preferred: true,
            edits: [{ file: path, range: all.range(0, text.length), newText: text.replaceAll('\r\n', '\n') }],
          },
        ],
      };
    }
  },
};

function isCode(path: string): boolean {
  const name = nameOf(path);
  if (path === 'task.toml') return true;
  if (!/^(?:environment|tests|solution|steps)\//u.test(path)) return false;
  return /\.(?:sh|bash|py)$/u.test(name) || /^(?:Dockerfile(?:\..+)?|.+\.Dockerfile|entrypoint)$/u.test(name);
}

function isStarted(path: string): boolean {
  return /^(?:test|solve|setup)\.sh$/u.test(nameOf(path));
}
