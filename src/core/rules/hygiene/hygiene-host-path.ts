import { instructionReader } from '../../model/readers/instruction';
import type { Subject } from '../../model/subject';
import { nameOf } from './files';
import type { Claim, Rule } from '../rule';

export const hygieneHostPath: Rule = {
  id: 'hygiene-host-path',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['toml', 'instruction', 'docker', 'compose', 'shell:test', 'shell:solve', 'py:tests', 'py:solution', 'texts'],
  needsDisk: true,
  why: 'The path is one of the machine the task was written on, and is on no other.',
  docs: {
    finds:
      'A path of somebody’s machine in a file of the task: `/Users/<name>/`, `C:\\Users\\<name>\\`, temporary folders of macOS. `/home/<name>/` is information, where nothing else of the task knows that user.',
    silent:
      'Homes of users that the image has, names that stand for any user, data files, and examples in code blocks of a README.',
    bad: '/Users/ida/kiln/in.csv',
    good: '/srv/in.csv',
  },
  *check(subject) {
    const { disk } = subject;
    if (disk === null) return;
    for (const [path, { text }] of disk.texts) {
      if (text === null || !isWritten(path)) continue;
      if (text.includes('Users') || text.includes('/var/folders/')) yield* hostPaths(subject, path, text);
      if (text.includes('/home/')) yield* homes(subject, path, text);
    }
  },
};

/** What somebody wrote by hand, not data of the task. */
function isWritten(path: string): boolean {
  const name = nameOf(path);
  if (/^(?:environment|steps\/[^/]+\/workdir)\//u.test(path))
    return /^(?:Dockerfile.*|docker-compose\.ya?ml)$|\.(?:sh|bash)$/u.test(name);
  return /^(?:Dockerfile.*)$|\.(?:sh|bash|py|toml|ya?ml|md|js|ts)$/u.test(name);
}

const anyone =
  /^(?:[<{$%*[].*|you|your.*|me|my.*|user|users|username|name|shared|public|default|default user|all users|someone|somebody|example|test|foo|x+|\.\.\.)$/iu;
const machine =
  /(?<![\w.])(?:\/Users\/([\w.-]{1,40})(?=\/)|[A-Za-z]:\\{1,2}Users\\{1,2}([\w .-]{1,40})(?=\\)|(?:\/private)?\/var\/folders\/\w\w\/\w{10,})[^\s"'`<>()|;,]*/gu;

function* hostPaths(subject: Subject, path: string, text: string): Generator<Claim> {
  const lines = subject.lines(path);
  const inExample = exampleOf(subject, path);
  let told = 0;
  for (const match of text.matchAll(machine)) {
    const name = match[1] ?? match[2] ?? 'x-folder';
    if (anyone.test(name) || lines === null || inExample(match.index)) continue;
    if (told++ >= 3) return;
    yield {
      file: path,
      range: lines.range(match.index, match.index + match[0].length),
      message: `${match[0]} is a path of one person's machine.`,
    };
  }
}

/** Users that images come with or that tasks make by custom. */
const containerUsers =
  /^(?:ubuntu|debian|node|agent|app|appuser|dev|developer|coder|vscode|jovyan|runner|builder|linuxbrew|nonroot|sandbox|worker|admin|postgres|git|student|oracle|harbor|pn|circleci|gitpod)$/iu;
const home = /(?<![\w.])\/home\/([a-z_][\w-]{0,30})\/[^\s"'`<>()|;,]*/gu;

function* homes(subject: Subject, path: string, text: string): Generator<Claim> {
  const lines = subject.lines(path);
  const inExample = exampleOf(subject, path);
  const told = new Set<string>();
  for (const match of text.matchAll(home)) {
    const name = match[1] ?? '';
    if (told.has(name) || told.size >= 3 || anyone.test(name) || containerUsers.test(name)) continue;
    if (lines === null || inExample(match.index) || isKnown(subject, path, name)) continue;
    told.add(name);
    yield {
      file: path,
      range: lines.range(match.index, match.index + match[0].length),
      severity: 'information',
      message: `Nothing else in the task knows a user ${name}, whose home ${match[0]} is in.`,
    };
  }
}

/** A user of the image, or one that the task speaks of. */
function isKnown(subject: Subject, path: string, name: string): boolean {
  if (subject.layout?.dockerfile === null || subject.toml?.config?.environment.docker_image !== null) return true;
  for (const [other, { text }] of subject.disk?.texts ?? []) {
    if (text === null || other === path) continue;
    if (
      /^(?:environment\/|steps\/[^/]+\/(?:workdir|instruction)|instruction\.md$|task\.toml$)/u.test(other) &&
      text.includes(name)
    )
      return true;
  }
  return path.startsWith('environment/') && (subject.text(path)?.split(name).length ?? 0) > 2;
}

/** In Markdown, code blocks show what somebody would type on a machine of their own. */
function exampleOf(subject: Subject, path: string): (at: number) => boolean {
  if (!path.endsWith('.md') || nameOf(path) === 'instruction.md') return () => false;
  const fences = subject.read(instructionReader, path)?.fences ?? [];
  return (at) => fences.some(({ start, end }) => at >= start && at < end);
}
