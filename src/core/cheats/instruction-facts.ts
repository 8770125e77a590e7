import { extensionOf } from '../model/container-path';
import type { Fence, InstructionText, KeyMention, PathMention } from '../text/markdown/instruction-text';
import { speaksOfKeys } from '../text/markdown/keys';
import type { ExampleFact, OutputKind } from './facts';

/** An absolute path that the instruction names, once for each place. */
export interface NamedPath {
  readonly path: string;
  /** From 0. */
  readonly line: number;
  readonly role: 'output' | 'edited' | 'input' | 'unclear';
  readonly kind: OutputKind;
}

export interface InstructionFacts {
  readonly paths: readonly NamedPath[];
  readonly examples: readonly ExampleFact[];
  readonly keys: readonly string[];
  readonly ports: readonly number[];
}

/** The machine's own, and what Harbor puts into a container: no agent is asked to write there. */
const foreign =
  /^\/(?:tests|solution|logs\/(?:verifier|agent)|dev|proc|sys|s?bin|lib(?:32|64)?|usr\/(?:local\/)?s?bin|usr\/lib(?:exec)?|boot|run)(?:\/|$)/u;
const standing =
  /^\/(?:app|tmp|root|home|etc|usr|usr\/local|var|var\/log|var\/lib|opt|srv|mnt|media|data|workspace|logs)?$/u;

/** What an instruction says about files, formats and ports. Words that leave it in doubt leave a path `unclear`. */
export function instructionFacts(text: InstructionText): InstructionFacts {
  const { mentions, fences, lines } = text;
  const paths = mentions.paths.flatMap((mention) => namedPath(text, mention) ?? []);
  const examples = fences
    .filter(({ fenced, closed }) => fenced && closed)
    .map((fence): ExampleFact => {
      const line = lines.position(fence.start).line;
      const code = fence.code.replace(/\r\n?/gu, '\n');
      return {
        text: code === '' || code.endsWith('\n') ? code : `${code}\n`,
        line,
        output: illustrated(fence, line, paths),
      };
    });
  return { paths, examples, keys: keysOf(text), ports: portsOf(text) };
}

/** null for what is no file of the task's. A path in a block of code is shown there, and the words ask for nothing. */
function namedPath({ sentences, lines }: InstructionText, mention: PathMention): NamedPath | null {
  const { path, context, start } = mention;
  if (!path.startsWith('/') || path === '/' || mention.pattern || context.place === 'fence' || foreign.test(path))
    return null;
  const role = context.role === 'protected' || standing.test(path) ? 'input' : context.role;
  const words = sentences[context.sentence ?? -1]?.words ?? '';
  return { path, line: lines.position(start).line, role, kind: kindOf(path, mention.folder, words) };
}

/** The kind of a file by its name, and by the words of its sentence where the name says nothing. */
function kindOf(path: string, isFolder: boolean, words: string): OutputKind {
  if (isFolder) return 'folder';
  const runs = /\b(?:script|program|command|executable|tool|CLI)\b/iu.test(words);
  switch (extensionOf(path)) {
    case 'json':
      return 'json';
    case 'csv':
    case 'tsv':
      return 'csv';
    case 'sh':
    case 'bash':
    case 'pl':
    case 'rb':
      return 'script';
    case 'py':
      return runs ? 'script' : 'module';
    case 'js':
    case 'mjs':
    case 'cjs':
    case 'ts':
      return 'module';
    case 'zip':
    case 'tar':
    case 'gz':
    case 'tgz':
    case 'png':
    case 'jpg':
    case 'gif':
    case 'ppm':
    case 'db':
    case 'sqlite':
    case 'sqlite3':
    case 'bin':
    case 'so':
      return 'binary';
    case 'sock':
    case 'socket':
      return 'service';
    case '':
      if (/\b(?:folder|directory)\b/iu.test(words)) return 'folder';
      return runs ? 'script' : 'unknown';
    default:
      return 'text';
  }
}

/** Lines above an example among which the output that it shows is named. */
const reach = 8;

/** The output that a block is an example of: the last one named shortly before it, if the format agrees. */
function illustrated({ language, code }: Fence, fenceLine: number, paths: readonly NamedPath[]): string | null {
  if (/^(?:bash|sh|shell|console|python|py|js|dockerfile|toml)$/u.test(language)) return null;
  const last = paths.findLast(({ line, role }) => role === 'output' && line >= fenceLine - reach && line <= fenceLine);
  if (last === undefined) return null;
  const looksJson = /^\s*[[{]/u.test(code);
  if (last.kind === 'json' && !looksJson) return null;
  if (last.kind === 'csv' && (looksJson || !/[,;\t]/u.test(code))) return null;
  return ['json', 'csv', 'text', 'unknown'].includes(last.kind) ? last.path : null;
}

/** Keys of JSON and columns. A list may begin its items with anything: there the words have to say that it is one. */
function keysOf({ mentions, sentences }: InstructionText): readonly string[] {
  const isMeant = ({ source, context }: KeyMention): boolean => {
    if (source === 'yaml' || source === 'toml') return false;
    if (source !== 'prose') return true;
    const sentence = sentences[context.sentence ?? -1];
    const lead = sentences[sentence?.lead ?? -1];
    return speaksOfKeys(sentence?.words ?? '') || speaksOfKeys(lead?.words ?? '');
  };
  return [...new Set(mentions.keys.filter(isMeant).map(({ key }) => key))];
}

function portsOf({ mentions }: InstructionText): readonly number[] {
  const named = [...mentions.ports, ...mentions.urls]
    .filter(({ host }) => host === null || /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0)$/u.test(host))
    .sort((a, b) => a.start - b.start);
  return [...new Set(named.flatMap(({ port }) => port ?? []))];
}
