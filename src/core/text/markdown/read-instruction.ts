import type { MarkdownParser } from '@lezer/markdown';
import { parser, Table } from '@lezer/markdown';
import { agentInstructionStart } from '../../task/instruction';
import { linesOf } from '../lines';
import { inlineOf } from './inline';
import type { Fence, Heading, InlineCode, InstructionText, Link, Mentions, Sentence, Span } from './instruction-text';
import { mentionsOf } from './mentions';
import { sentencesOf } from './sentences';

/** Characters of an instruction that are looked at; what is behind is as good as not written. */
const maxCharacters = 100_000;

// Blocks only: what stands within a block is found by `inlineOf`, whose time is linear.
const configured = parser.configure([
  Table,
  {
    remove: ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image', 'LinkEnd'],
  },
]);
const blockParser: MarkdownParser = Object.create(configured, { parseInline: { value: () => [] } }) as MarkdownParser;

/** Reads an instruction; any text is one. Offsets are those of `text`. Never throws. */
export function readInstruction(text: string): InstructionText {
  const lines = linesOf(text);
  const agentStart = agentInstructionStart(text);
  const draft = draftOf(text, agentStart);
  const last = /\S\s*$/u.exec(text.slice(-10_000))?.[0].length ?? 0;
  const lastAt = text.length - last;
  let mentions: Mentions | null = null;
  const result: InstructionText = {
    text,
    lines,
    agentStart,
    ...draft,
    get mentions() {
      mentions ??= mentionsOf(result);
      return mentions;
    },
    last: last === 0 ? { start: 0, end: 0 } : { start: lastAt, end: lastAt + 1 },
  };
  return result;
}

interface Draft {
  readonly headings: Heading[];
  readonly sentences: Sentence[];
  readonly fences: Fence[];
  readonly codes: InlineCode[];
  readonly links: Link[];
  readonly comments: Span[];
}

/** A list or an item that is open while the blocks are walked. */
interface Level {
  readonly end: number;
  readonly isList: boolean;
  /** Of a list: what introduces it. Of an item: its first sentence once there is one. */
  lead: number | null;
}

function draftOf(text: string, agentStart: number): Draft {
  const source = parsable(text);
  const draft: Draft = { headings: [], sentences: [], fences: [], codes: [], links: [], comments: [] };
  const levels: Level[] = [];
  let quotedUntil = -1;
  let block = 0;
  const heading = (): number | null => (draft.headings.length === 0 ? null : draft.headings.length - 1);
  const lastSentence = (): number | null => (draft.sentences.length === 0 ? null : draft.sentences.length - 1);

  const addBlock = (span: Span, place: Sentence['place'], marks: readonly Span[]): void => {
    if (span.end <= agentStart) return;
    block++;
    const inline = inlineOf(text, span);
    const isOpenComment = place === 'comment' && inline.comments.length === 0;
    const comments = isOpenComment ? [span] : inline.comments;
    const targets = inline.links.map((link) => (link.start === link.targetSpan.start ? link : link.targetSpan));
    const words = blanked(text, span, [...inline.codes, ...comments, ...inline.tags, ...targets, ...marks]);
    const level = levels.at(-1);
    const depth = levels.filter(({ isList }) => isList).length;
    const first = draft.sentences.length;
    const lead = level === undefined ? null : (level.lead ?? levels.at(-2)?.lead ?? null);
    const common = { block, depth, quoted: span.start < quotedUntil, heading: heading() };
    const parts = place === 'heading' ? [span] : sentencesOf(text.slice(span.start, span.end), words, span.start);
    for (const part of parts) {
      if (comments.some(({ start, end }) => part.start >= start && part.end <= end)) continue;
      const index = draft.sentences.length;
      draft.sentences.push({
        start: part.start,
        end: part.end,
        text: text.slice(part.start, part.end),
        words: words.slice(part.start - span.start, part.end - span.start),
        place: place === 'comment' ? 'prose' : place,
        block,
        depth,
        quoted: common.quoted,
        lead: index === first ? lead : depth > 0 ? first : null,
        heading: common.heading,
      });
    }
    if (level !== undefined && !level.isList && level.lead === null && draft.sentences.length > first)
      level.lead = first;
    for (const code of inline.codes) {
      const index = sentenceAt(draft.sentences, first, code.start);
      if (index !== null)
        draft.codes.push({
          start: code.start,
          end: code.end,
          code: text.slice(code.body.start, code.body.end),
          body: code.body,
          sentence: index,
        });
    }
    draft.links.push(...inline.links);
    for (const comment of comments) addComment(comment, common);
  };

  const addComment = (span: Span, common: Pick<Sentence, 'block' | 'depth' | 'quoted' | 'heading'>): void => {
    if (span.end <= agentStart) return;
    draft.comments.push({ start: span.start, end: span.end });
    const inner = { start: Math.min(span.start + 4, span.end), end: Math.max(span.start + 4, span.end - 3) };
    const words = text.slice(inner.start, inner.end);
    for (const { start, end } of sentencesOf(words, words, inner.start)) {
      const own = text.slice(start, end);
      draft.sentences.push({ start, end, ...common, text: own, words: own, place: 'comment', lead: null });
    }
  };

  const cursor = blockParser.parse(source).cursor();
  do {
    const { name, from, to } = cursor;
    while ((levels.at(-1)?.end ?? Infinity) <= from) levels.pop();
    if (name === 'BulletList' || name === 'OrderedList') {
      levels.push({ end: to, isList: true, lead: levels.at(-1)?.lead ?? lastSentence() });
    } else if (name === 'ListItem') levels.push({ end: to, isList: false, lead: null });
    else if (name === 'Blockquote') quotedUntil = Math.max(quotedUntil, to);
  } while (walk());
  return draft;

  /** Handles the node under the cursor and moves on; false at the end. */
  function walk(): boolean {
    const { name, from, to } = cursor;
    const marks: Span[] = [];
    const leaf = leafOf(name);
    if (leaf === null) return cursor.next();
    if (leaf === 'fence') {
      const node = cursor.node;
      if (to > agentStart)
        draft.fences.push({
          ...fenceOf(text, source, node),
          lead: lastSentence(),
          heading: heading(),
        });
      return cursor.next(false);
    }
    if (cursor.firstChild()) {
      do {
        if (cursor.name.endsWith('Mark')) marks.push({ start: cursor.from, end: cursor.to });
      } while (cursor.nextSibling());
      cursor.parent();
    }
    if (leaf === 'heading') {
      const end =
        marks.length > 1 ? (marks.at(-1)?.start ?? to) : name.startsWith('ATX') ? to : (marks[0]?.start ?? to);
      const start = name.startsWith('ATX') ? (marks[0]?.end ?? from) : from;
      const title = text.slice(start, Math.max(start, end)).trim();
      if (to > agentStart) draft.headings.push({ start: from, end: to, level: Number(name.slice(-1)), title });
      if (title !== '') {
        const at = start + text.slice(start, end).search(/\S/u);
        addBlock({ start: at, end: at + title.length }, 'heading', []);
      }
    } else addBlock({ start: from, end: to }, leaf, marks);
    return cursor.next(false);
  }
}

/** Quotes and lists that one line may open; a line that opens more is no prose. */
const maxContainers = 40;

/** Whether a line begins with more markers of quotes and lists than anybody means. */
function opensTooMuch(line: string): boolean {
  let opened = 0;
  for (let at = 0; at < line.length && opened <= maxContainers; at++) {
    const unit = line[at] ?? '';
    if (unit === '>' || ('-*+.)'.includes(unit) && /\s/u.test(line[at + 1] ?? ''))) opened++;
    else if (!/[\s\d]/u.test(unit)) return false;
  }
  return opened > maxContainers;
}

/** One character for another, so that offsets stay: all line ends as the parser knows them, no byte-order mark. */
function parsable(text: string): string {
  let source = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  if (source.startsWith('\uFEFF')) source = ` ${source.slice(1)}`;
  if (source.includes('\r')) source = source.replace(/\r\n/gu, ' \n').replaceAll('\r', '\n');
  if (!/^[ \t\d.)>*+-]{80}/mu.test(source)) return source;
  return source.replace(/^[ \t\d.)>*+-]{80}.*$/gmu, (line) => (opensTooMuch(line) ? ' '.repeat(line.length) : line));
}

function leafOf(name: string): Sentence['place'] | 'fence' | null {
  switch (name) {
    case 'FencedCode':
    case 'CodeBlock':
      return 'fence';
    case 'Paragraph':
    case 'HTMLBlock':
    case 'ProcessingInstructionBlock':
      return 'prose';
    case 'CommentBlock':
      return 'comment';
    case 'TableHeader':
    case 'TableRow':
      return 'row';
    default:
      return /^(?:ATX|Setext)Heading\d$/u.test(name) ? 'heading' : null;
  }
}

interface BlockNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  getChildren(name: string): readonly { readonly from: number; readonly to: number }[];
}

function fenceOf(text: string, source: string, node: BlockNode): Omit<Fence, 'lead' | 'heading'> {
  const marks = node.getChildren('CodeMark');
  const parts = node.getChildren('CodeText');
  const info = node.getChildren('CodeInfo')[0];
  const open = marks[0];
  const fenced = node.name === 'FencedCode';
  const start = parts[0]?.from ?? node.to;
  const end = parts.at(-1)?.to ?? start;
  const isLast = text.length === source.length && !/\S/u.test(source.slice(node.to, node.to + 10_000));
  return {
    start: node.from,
    end: node.to,
    fenced,
    marker: open === undefined ? '' : text.slice(open.from, open.to),
    language: info === undefined ? '' : (/[^\s{},.]+/u.exec(text.slice(info.from, info.to))?.[0].toLowerCase() ?? ''),
    closed: !fenced || marks.length > 1 || !isLast,
    code: parts.map(({ from, to }) => text.slice(from, to)).join(''),
    body: { start, end },
  };
}

/** The text of a block with spans of it turned to spaces, and emphasis too. */
function blanked(text: string, block: Span, spans: readonly Span[]): string {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  let words = '';
  let at = block.start;
  for (const { start, end } of sorted) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    words += text.slice(at, from) + ' '.repeat(end - from);
    at = end;
  }
  words += text.slice(at, block.end);
  return words.replaceAll('*', ' ');
}

function sentenceAt(sentences: readonly Sentence[], from: number, offset: number): number | null {
  for (let index = from; index < sentences.length; index++) {
    const sentence = sentences[index];
    if (sentence !== undefined && offset >= sentence.start && offset < sentence.end) return index;
  }
  return null;
}
