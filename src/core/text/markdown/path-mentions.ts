import type { Contexts } from './context';
import type { Fence, InlineCode, InstructionText, MentionContext, NameMention, PathMention } from './instruction-text';
import type { PathShape } from './path-shape';
import { hasExtension, joined, pathShape, startsLikeFile } from './path-shape';
import { drawnPaths } from './tree-drawing';
import type { Word } from './words';
import { isCommand, pathWords } from './words';

export interface PathFinds {
  readonly paths: readonly PathMention[];
  readonly routes: readonly NameMention[];
  readonly base: PathMention | null;
}

const method = /^(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s+(\/[^\s?`]*)/u;
const webBefore = /\b(?:GET|POST|PUT|DELETE|PATCH|HEAD|endpoints?|routes?|URLs?|URI|API)\s*(?:path\s*)?[:=]?\s*$/i;
const webAfter = /^[^A-Za-z]{0,4}(?:endpoints?|routes?|API|URL|page|handler|requests?)\b/iu;
const web = /\b(?:endpoints?|routes?|HTTP|requests?|API|URLs?|web\s?server|responds?)\b/i;
const folderBefore =
  /\b(?:in|under|inside|within|into|below|beneath|folder|directory|dir|from|at|to)\s+(?:the\s+)?(?:(?:folder|directory)\s+)?$/i;
const folderAfter = /^\s*(?:folder|directory|dir\b|tree|hierarchy)/i;
const runBefore =
  /\b(?:run|running|runs|execute|executes|executing|invoke|invoked|call|calls|calling|started?|via|with)\s+(?:as\s+|by\s+|the\s+)?$/i;
const basing =
  /\brelative to\b|\b(?:working|current|project|root|base) (?:directory|folder)\b|\bwork(?:ing)? (?:in|under|inside|within)\b|\b(?:repo(?:sitory)?|project|codebase|code|source|package|app|application|library|workspace)\b[^.]{0,60}\b(?:in|at|under|lives?|located|cloned|checked out)\b/iu;

/** Every path that the instruction names, in order, with those made of a folder and a name. */
export function pathMentionsOf(text: InstructionText, contexts: Contexts): PathFinds {
  const paths: PathMention[] = [];
  const routes: NameMention[] = [];

  const webby = new Map<number, boolean>();
  const isWeb = (index: number): boolean => {
    const known = webby.get(index) ?? web.test(text.sentences[index]?.words ?? '');
    webby.set(index, known);
    return known;
  };

  const add = (word: Word, shape: PathShape, context: MentionContext, command: boolean): void => {
    const sentence = text.sentences[context.sentence ?? -1];
    const before =
      sentence === undefined ? '' : sentence.words.slice(0, Math.max(0, word.start - sentence.start)).slice(-120);
    const after = sentence === undefined ? '' : sentence.words.slice(word.end - sentence.start).slice(0, 80);
    const mention = { start: word.start, end: word.end, text: word.text, context };
    if (shape.form === 'absolute' && sentence !== undefined && !command) {
      const tight = webBefore.test(before.replace(/\s+$/u, ' ')) || webAfter.test(after);
      if (tight || (!startsLikeFile(shape.path) && isWeb(context.sentence ?? -1))) {
        routes.push({ ...mention, name: shape.path });
        return;
      }
    }
    // What emphasis was taken for was the rest of a glob: `/srv/*.csv` in prose.
    const glob = context.place === 'prose' && /[*<{]/u.test(text.text[word.end] ?? '');
    const folder = shape.folder || (!hasExtension(shape.path) && folderAfter.test(after));
    const isRun = word.text.startsWith('./') && (!hasExtension(word.text) || runBefore.test(before));
    paths.push({
      ...mention,
      ...shape,
      folder,
      pattern: shape.pattern || glob,
      command: command || isRun,
      joined: false,
    });
  };

  for (const [index, sentence] of text.sentences.entries()) {
    const place = sentence.place === 'comment' ? 'comment' : 'prose';
    for (const word of pathWords(sentence.words, sentence.start, isBareName)) {
      const shape = pathShape(word.text, false);
      if (shape !== null) add(word, shape, contexts.ofSentence(index, word, place), false);
    }
  }
  for (const code of text.codes) addCode(code);
  for (const link of text.links) {
    const index = sentenceIndexAt(text.sentences, link.start);
    const shape = index < 0 || link.target.includes(':') ? null : pathShape(link.target.replace(/#.*$/u, ''), true);
    if (shape !== null)
      add({ ...link.targetSpan, text: link.target }, shape, contexts.ofSentence(index, link, 'link'), false);
  }
  for (const [index, fence] of text.fences.entries()) addFence(fence, index);

  function addCode(code: InlineCode): void {
    const context = contexts.ofSentence(code.sentence, code, 'code');
    const request = method.exec(code.code);
    if (request !== null) {
      const name = request[1] ?? '';
      const start = code.body.start + request[0].length - name.length;
      routes.push({ start, end: start + name.length, text: name, name, context });
      return;
    }
    const trimmed = code.code.trim();
    if (!/\s/u.test(trimmed)) {
      const quoted = /^(["'])(.*)\1$/u.exec(trimmed);
      const bare = quoted?.[2] ?? trimmed;
      const start = code.body.start + code.code.indexOf(bare);
      const shape = pathShape(bare, true);
      if (shape !== null) add({ start, end: start + bare.length, text: bare }, shape, context, false);
      else {
        // `KEY=/srv/x`, `open("/srv/x")`
        for (const word of pathWords(code.code.replace(/[=:]/gu, ' '), code.body.start)) {
          const inner = pathShape(word.text, true);
          if (inner?.form === 'absolute') add(word, inner, context, false);
        }
      }
      return;
    }
    const command = isCommand(code.code);
    for (const word of pathWords(code.code, code.body.start)) {
      const shape = pathShape(word.text.replace(/^--?[\w-]+=/u, ''), true);
      if (shape === null || (shape.form !== 'absolute' && !command)) continue;
      const cut = word.text.length - word.text.replace(/^--?[\w-]+=/u, '').length;
      add({ start: word.start + cut, end: word.end, text: word.text.slice(cut) }, shape, context, command);
    }
  }

  function addFence(fence: Fence, index: number): void {
    const context = contexts.ofFence(index);
    const body = text.text.slice(fence.body.start, fence.body.end);
    const drawn = drawnPaths(body, fence.body.start, folderOfLead(fence.lead));
    for (const { word, path, folder } of drawn ?? [])
      paths.push({ ...word, context, form: 'absolute', path, folder, pattern: false, command: false, joined: true });
    if (drawn !== null) return;
    const shell = /^(?:sh|bash|shell|console|zsh|terminal|shell-session|shellsession)$/u.test(fence.language);
    let offset = fence.body.start;
    for (const line of body.split('\n')) {
      const command = shell || (fence.language === '' && isCommand(line));
      if (line.includes('/')) {
        for (const word of pathWords(line.slice(0, 2_000).replace(/[=:](?!\/\/)/gu, ' '), offset)) {
          const shape = pathShape(word.text, true);
          if (shape?.form === 'absolute' || (command && shape?.form === 'relative')) add(word, shape, context, command);
        }
      }
      offset += line.length + 1;
    }
  }

  /** The last absolute path of a sentence, where a drawing of a folder below it begins. */
  function folderOfLead(lead: number | null): string | null {
    const found = paths.findLast(
      ({ form, context }) => form === 'absolute' && context.sentence === lead && lead !== null,
    );
    return found === undefined || hasExtension(found.path) ? null : found.path;
  }

  paths.sort((a, b) => a.start - b.start);
  return {
    paths: withJoined(text, paths),
    routes: routes.sort((a, b) => a.start - b.start),
    base: baseOf(text, paths),
  };
}

/** The innermost sentence at an offset; -1 without. */
function sentenceIndexAt(sentences: InstructionText['sentences'], offset: number): number {
  let low = 0;
  let high = sentences.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((sentences[middle]?.start ?? Infinity) <= offset) low = middle;
    else high = middle - 1;
  }
  return offset < (sentences[low]?.end ?? 0) ? low : -1;
}

function isBareName(word: string): boolean {
  return /^(?:Makefile|Dockerfile|Gemfile|Procfile)\b/u.test(word);
}

function wordsBefore(text: InstructionText, mention: PathMention): string {
  const sentence = text.sentences[mention.context.sentence ?? -1];
  return sentence === undefined ? '' : sentence.words.slice(0, Math.max(0, mention.start - sentence.start)).slice(-60);
}

function isFolder(text: InstructionText, mention: PathMention): boolean {
  if (mention.form !== 'absolute' || mention.pattern || mention.command || hasExtension(mention.path)) return false;
  return mention.folder || folderBefore.test(wordsBefore(text, mention));
}

/** Folders of one sentence or block among which a name's own is looked for. */
const maxFolders = 50;

function push(lists: Map<number, PathMention[]>, key: number, path: PathMention): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [path]);
  else if (list.length < maxFolders) list.push(path);
}

/** Adds what a folder and a name given together come to. */
function withJoined(text: InstructionText, paths: readonly PathMention[]): readonly PathMention[] {
  const bySentence = new Map<number, PathMention[]>();
  const byBlock = new Map<number, PathMention[]>();
  for (const path of paths) {
    const index = path.context.sentence;
    if (index === null || !isFolder(text, path)) continue;
    const block = text.sentences[index]?.block ?? -1;
    push(bySentence, index, path);
    push(byBlock, block, path);
  }
  if (bySentence.size === 0) return paths;
  const folderFor = (mention: PathMention): PathMention | undefined => {
    const index = mention.context.sentence ?? -1;
    const sentence = text.sentences[index];
    const own = bySentence.get(index);
    const near = own?.findLast(({ start }) => start < mention.start) ?? own?.[0];
    if (near !== undefined || sentence === undefined) return near;
    const inBlock = byBlock.get(sentence.block)?.findLast(({ start }) => start < mention.start);
    if (inBlock !== undefined) return inBlock;
    for (let lead = sentence.lead, up = 0; lead !== null && up < 4; up++) {
      const above = bySentence.get(lead)?.at(-1);
      if (above !== undefined) return above;
      lead = text.sentences[lead]?.lead ?? null;
    }
    return undefined;
  };
  const all: PathMention[] = [];
  for (const mention of paths) {
    all.push(mention);
    if (mention.form === 'absolute' || mention.command || mention.context.sentence === null) continue;
    const folder = folderFor(mention);
    if (folder !== undefined)
      all.push({ ...mention, form: 'absolute', path: joined(folder.path, mention.path), joined: true });
  }
  return all;
}

function baseOf(text: InstructionText, paths: readonly PathMention[]): PathMention | null {
  for (const path of paths) {
    const sentence = text.sentences[path.context.sentence ?? -1];
    if (sentence === undefined || path.form !== 'absolute' || path.pattern || hasExtension(path.path)) continue;
    if (isFolder(text, path) && basing.test(sentence.words)) return path;
  }
  return null;
}
