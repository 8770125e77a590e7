import type { ExampleFact, OutputKind } from './facts';

/** An absolute path that the instruction names, once for each place. */
export interface PathMention {
  readonly path: string;
  /** From 0. */
  readonly line: number;
  readonly role: 'output' | 'input' | 'unclear';
  readonly kind: OutputKind;
}

export interface InstructionFacts {
  readonly mentions: readonly PathMention[];
  readonly examples: readonly ExampleFact[];
  readonly keys: readonly string[];
  readonly ports: readonly number[];
}

const pathPattern = /(?<![\w:/.~$}@<-])\/[A-Za-z0-9._@+-]+(?:\/[A-Za-z0-9._@+-]+)*\/?/g;
/** The machine's own, and what Harbor puts into a container: no agent is asked to write there. */
const foreign =
  /^\/(?:tests|solution|logs\/(?:verifier|agent)|dev|proc|sys|s?bin|lib(?:32|64)?|usr\/(?:local\/)?s?bin|usr\/lib(?:exec)?|boot|run)(?:\/|$)/;
const standing =
  /^\/(?:app|tmp|root|home|etc|usr|usr\/local|var|var\/log|var\/lib|opt|srv|mnt|media|data|workspace|logs)?\/?$/;

const writing =
  /\b(?:writ(?:e|es|ten|ing)|sav(?:e|es|ed|ing)|creat(?:e|es|ed|ing)|produc(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|outputs?|outputting|stor(?:e|es|ed|ing)|plac(?:e|es|ed|ing)|puts?|putting|emit(?:s|ted|ting)?|export(?:s|ed|ing)?|append(?:s|ed|ing)?|cop(?:y|ies|ied|ying)|record(?:s|ed|ing)?|implement(?:s|ed|ing)?|dump(?:s|ed|ing)?|deliver(?:s|ed|ing)?|mov(?:e|es|ed|ing)|render(?:s|ed|ing)?|compil(?:e|es|ed|ing)|build|forward(?:s|ed|ing)?|ship(?:s|ped|ping)?|results?|answers?|lands?|end up)\b/gi;
const reading =
  /\b(?:read(?:s|ing)?|pars(?:e|es|ed|ing)|given|provided|inputs?|load(?:s|ed|ing)?|follow(?:s|ed|ing)?|source|found|existing|us(?:e|es|ing)|based|consum(?:e|es|ed|ing)|watch(?:es|ed|ing)?|tail(?:s|ed|ing)?|analy[sz](?:e|es|ed|ing)|process(?:es|ed|ing)?|inspect(?:s|ed|ing)?|look(?:s|ing)?|lives?|fix(?:es|ed|ing)?|repair|debug|edit|modify|chang(?:e|es|ed|ing)|there is|you have|run(?:s|ning)?|start(?:s|ed|ing)?)\b/gi;
const becomes =
  /^[^A-Za-z]{0,4}(?:(?:must|should|has to|shall|needs to|will)\s+(?:then\s+)?(?:exist|contain|hold|be|have|list)|(?:is|are)\s+(?:to be\s+)?(?:created|written|produced|generated)|with\s+(?:the\s+)?(?:content|following))/i;
const already = /^[^A-Za-z]{0,4}(?:contains|holds|lists|has|records|already|is\s+(?:given|provided|already))\b/i;

/** What an instruction says about files, formats and ports. Text that is in doubt leaves a path `unclear`. */
export function instructionFacts(instruction: string): InstructionFacts {
  const { prose, blocks } = separate(instruction);
  const mentions = pathMentions(prose);
  const examples = blocks.map((block) => ({
    text: block.text,
    line: block.line,
    output: illustrated(block, mentions, prose),
  }));
  return { mentions, examples, keys: namedKeys(prose, examples), ports: namedPorts(prose) };
}

interface Block {
  readonly text: string;
  readonly info: string;
  /** Line of the fence. */
  readonly line: number;
}

/** Takes fenced blocks out of the prose, so that lines keep their numbers. */
function separate(instruction: string): { prose: string; blocks: readonly Block[] } {
  const prose: string[] = [];
  const blocks: Block[] = [];
  let open: { fence: string; info: string; line: number; text: string[] } | null = null;
  for (const [index, line] of instruction.split(/\r?\n/).entries()) {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
    if (open === null && fence !== null) {
      open = { fence: fence[1] ?? '', info: (fence[2] ?? '').trim().toLowerCase(), line: index, text: [] };
      prose.push('');
    } else if (open !== null) {
      if (fence?.[1]?.startsWith(open.fence) === true && fence[2] === '') {
        blocks.push({ text: open.text.map((text) => `${text}\n`).join(''), info: open.info, line: open.line });
        open = null;
      } else open.text.push(line);
      prose.push('');
    } else prose.push(line);
  }
  return { prose: prose.join('\n'), blocks };
}

function pathMentions(prose: string): readonly PathMention[] {
  const mentions: PathMention[] = [];
  for (const match of prose.matchAll(pathPattern)) {
    const end = match.index + match[0].length;
    // `/srv/<name>.txt` and `/srv/*.csv` are patterns, `GET /items` is no file.
    if (/[<{*$[]/.test(prose.charAt(end))) continue;
    const before = sentenceBefore(prose, match.index);
    if (/\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|endpoints?|routes?|URLs?)\s+[`"']?$/.test(before)) continue;
    const path = match[0].replace(/[.]+$/, '');
    if (foreign.test(path)) continue;
    const after = sentenceAfter(prose, end);
    mentions.push({
      path: path.length > 1 ? path.replace(/\/$/, '') : path,
      line: prose.slice(0, match.index).split('\n').length - 1,
      role: standing.test(path) ? 'input' : role(before, after),
      kind: kindOf(path, `${before} ${after}`),
    });
  }
  return mentions;
}

function sentenceBefore(prose: string, at: number): string {
  const text = prose.slice(Math.max(0, at - 400), at);
  const start = Math.max(
    ...[...text.matchAll(/[.!?;]\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n#+\s/g)].map((end) => end.index + end[0].length),
    0,
  );
  return text.slice(start).replace(/\s+/g, ' ');
}

function sentenceAfter(prose: string, at: number): string {
  const text = prose.slice(at, at + 300);
  const end = /[.!?;]\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s/.exec(text);
  return text.slice(0, end?.index ?? text.length).replace(/\s+/g, ' ');
}

function role(before: string, after: string): PathMention['role'] {
  if (becomes.test(after)) return 'output';
  const wrote = lastIndex(before, writing);
  const read = lastIndex(before, reading);
  if (
    /\b(?:to|into)\s+(?:the\s+)?(?:(?:text\s+|output\s+)?file\s+|folder\s+|directory\s+)?[`"'(*]*$/i.test(before) &&
    wrote >= 0
  )
    return 'output';
  if (/\b(?:from|of|for|than|like)\s+(?:the\s+)?(?:file\s+)?[`"'(*]*$/i.test(before)) return 'input';
  // “Write the sum of what is in A to B”: B is the output.
  if (/^[`"'),]{0,3}\s*(?:in)?to\s+[`"'(]*\//i.test(after)) return 'input';
  if (already.test(after)) return wrote > read ? 'output' : 'input';
  if (wrote > read) return 'output';
  return read >= 0 ? 'input' : 'unclear';
}

function lastIndex(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].at(-1)?.index ?? -1;
}

/** The kind of a file by its name, and by the words around where the name says nothing. */
function kindOf(path: string, around: string): OutputKind {
  const runs = /\b(?:script|program|command|executable|tool|CLI)\b/i.test(around);
  const extension = /\.([A-Za-z0-9]+)\/?$/.exec(path)?.[1]?.toLowerCase();
  if (path.endsWith('/')) return 'folder';
  switch (extension) {
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
    case undefined:
      if (/\b(?:folder|directory)\b/i.test(around)) return 'folder';
      return runs ? 'script' : 'unknown';
    default:
      return 'text';
  }
}

/** The output that a block is an example of: the last one named shortly before it, if the format agrees. */
function illustrated(block: Block, mentions: readonly PathMention[], prose: string): string | null {
  if (/^(?:bash|sh|shell|console|python|py|js|dockerfile|toml)\b/.test(block.info)) return null;
  const lead = prose.split('\n').slice(Math.max(0, block.line - 8), block.line);
  const from = Math.max(0, block.line - lead.length);
  const near = mentions.filter(({ line, role: named }) => line >= from && line <= block.line && named === 'output');
  const last = near.at(-1);
  if (last === undefined) return null;
  const looksJson = /^\s*[[{]/.test(block.text);
  if (last.kind === 'json' && !looksJson) return null;
  if (last.kind === 'csv' && (looksJson || !/[,;\t]/.test(block.text))) return null;
  return ['json', 'csv', 'text', 'unknown'].includes(last.kind) ? last.path : null;
}

function namedKeys(prose: string, examples: readonly ExampleFact[]): readonly string[] {
  const keys = new Set<string>();
  for (const { text } of examples)
    for (const match of text.matchAll(/"([A-Za-z_][\w.-]*)"\s*:/g)) keys.add(match[1] ?? '');
  for (const line of prose.split('\n')) {
    if (!/\b(?:keys?|fields?|columns?|header|propert(?:y|ies)|object|attributes?)\b/i.test(line)) continue;
    for (const match of line.matchAll(/[`"]([A-Za-z_][A-Za-z0-9_-]*(?:\s*,\s*[A-Za-z_][A-Za-z0-9_-]*)*)[`"]/g))
      for (const key of (match[1] ?? '').split(/\s*,\s*/)) keys.add(key);
  }
  return [...keys];
}

function namedPorts(prose: string): readonly number[] {
  const ports = new Set<number>();
  for (const match of prose.matchAll(/\bport\s+[`*]*(\d{2,5})\b|(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})\b/gi)) {
    const port = Number(match[1] ?? match[2]);
    if (port > 0 && port < 65536) ports.add(port);
  }
  return [...ports];
}
