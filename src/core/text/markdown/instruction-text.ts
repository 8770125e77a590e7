import type { Lines } from '../lines';

/** Offsets in UTF-16 units of the whole file, half-open; `lines.range(start, end)` makes a range of them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What an instruction says (task-rules.md, section 4.6). All offsets are those of the file, canary included. */
export interface InstructionText {
  readonly text: string;
  readonly lines: Lines;
  /** Where the text that the agent gets begins: behind the leading canary and the blank lines that Harbor strips. */
  readonly agentStart: number;
  readonly headings: readonly Heading[];
  /** In order. Text outside of fences: paragraphs cut into sentences, list items, headings, rows, HTML comments. */
  readonly sentences: readonly Sentence[];
  readonly fences: readonly Fence[];
  readonly codes: readonly InlineCode[];
  readonly links: readonly Link[];
  /** HTML comments; the agent reads them too. A canary that Harbor strips is not among them. */
  readonly comments: readonly Span[];
  /** Found on first use. */
  readonly mentions: Mentions;
  /** The last character of the document that is no white space; the empty span at 0 for an empty text. */
  readonly last: Span;
}

export interface Heading extends Span {
  /** From 1 to 6. */
  readonly level: number;
  /** Without markers; may be empty. */
  readonly title: string;
}

export type SentencePlace = 'prose' | 'heading' | 'row' | 'comment';

/** A sentence, or a list item or row of a table that is no sentence. It never crosses a block, an item or a row. */
export interface Sentence extends Span {
  /** As written, with line breaks and Markdown's markers. */
  readonly text: string;
  /** As `text`, of the same length, with the inside of inline code, link targets and HTML blanked by spaces. */
  readonly words: string;
  readonly place: SentencePlace;
  /** Number of the paragraph, item or row that it belongs to. */
  readonly block: number;
  /** Depth of the list that it is in; 0 outside of lists. */
  readonly depth: number;
  readonly quoted: boolean;
  /** Index among `sentences` of the text that introduces its list or that its item begins with; null without. */
  readonly lead: number | null;
  /** Index among `headings` of the nearest heading above; null without. */
  readonly heading: number | null;
}

/** A fenced or an indented block of code. */
export interface Fence extends Span {
  /** False for an indented block. */
  readonly fenced: boolean;
  /** The opening marker, such as "```"; empty for an indented block. */
  readonly marker: string;
  /** First word behind the marker, lower case; empty without. */
  readonly language: string;
  /** False when the document ends inside of it. */
  readonly closed: boolean;
  /** The code without its indentation in the document; `body` is where it stands. */
  readonly code: string;
  readonly body: Span;
  /** Index among `sentences` of the last one before it; null without. */
  readonly lead: number | null;
  /** Index among `headings`. */
  readonly heading: number | null;
}

export interface InlineCode extends Span {
  /** Without backticks and padding. */
  readonly code: string;
  /** Where `code` stands. */
  readonly body: Span;
  /** Index among `sentences`. */
  readonly sentence: number;
}

export interface Link extends Span {
  /** What is shown; the address itself for an autolink. */
  readonly label: string;
  readonly target: string;
  readonly targetSpan: Span;
}

export interface Mentions {
  /** In order of the text; joined ones stand where their name stands. */
  readonly paths: readonly PathMention[];
  /** The folder that the text says paths are relative to, or that work is done in; null when it says none. */
  readonly base: PathMention | null;
  readonly urls: readonly UrlMention[];
  /** Paths of an HTTP interface, such as `/items` in `GET /items`. */
  readonly routes: readonly NameMention[];
  readonly ports: readonly PortMention[];
  readonly numbers: readonly NumberMention[];
  readonly functions: readonly NameMention[];
  /** Keys of JSON, YAML and TOML examples, header cells of CSV examples, and code named as key, field or column. */
  readonly keys: readonly KeyMention[];
  readonly variables: readonly NameMention[];
}

export interface Mention extends Span {
  /** As written. */
  readonly text: string;
  readonly context: MentionContext;
}

/** What the words around a mention make of it; found when it is asked for, so spreading it makes it all. */
export interface MentionContext {
  /** `code`: inline code. `fence`: a block of code, where only `fence` and `example` are known. */
  readonly place: 'prose' | 'code' | 'link' | 'fence' | 'comment';
  /** Index among `sentences`; null in a fence. */
  readonly sentence: number | null;
  /** Index among `fences`; null outside. */
  readonly fence: number | null;
  /**
   * What the agent does with it, by the verbs of its sentence: `output` is produced, `input` is read, run or given,
   * `edited` is changed in place, `protected` must stay as it is ("do not modify"). `unclear` when the words do not say.
   */
  readonly role: MentionRole;
  /** Named by way of example: "such as", "for example", "e.g.", "like". */
  readonly example: boolean;
  /** Words such as "may", "optionally", "if you like" make it no duty. */
  readonly optional: boolean;
  /** The sentence forbids or denies: "do not", "must not", "never", "without", "no longer". */
  readonly negated: boolean;
}

export type MentionRole = 'output' | 'input' | 'edited' | 'protected' | 'unclear';

export interface PathMention extends Mention {
  /** `name`: a bare file name, such as `plan.json`. */
  readonly form: 'absolute' | 'relative' | 'name';
  /** Normalised: no trailing `/`, no `.` parts. Absolute for a joined mention. `~` stays. */
  readonly path: string;
  /** True when the text ends with `/` or the words call it a folder or directory. */
  readonly folder: boolean;
  /** A glob, or with a placeholder: `*.csv`, `/srv/<name>.txt`, `part-N.log`, `{date}`. */
  readonly pattern: boolean;
  /** Stands within a command: `cat x`, `./configure --prefix=/usr`. */
  readonly command: boolean;
  /** Made of a folder and a name given in one sentence or list item; `text` is the name as written. */
  readonly joined: boolean;
}

export interface UrlMention extends Mention {
  readonly scheme: string;
  readonly host: string;
  /** null when the URL names none. */
  readonly port: number | null;
  /** With query, `/` at least. */
  readonly path: string;
}

export interface PortMention extends Mention {
  readonly port: number;
  /** The host written with it (`localhost:8080`), null for "port 8080". */
  readonly host: string | null;
}

export interface NumberMention extends Mention {
  readonly value: number;
  /** Lower case singular, such as `second`, `mb`, `%`; null without. */
  readonly unit: string | null;
}

export interface NameMention extends Mention {
  readonly name: string;
}

export interface KeyMention extends Mention {
  readonly key: string;
  readonly source: 'json' | 'yaml' | 'toml' | 'csv' | 'table' | 'prose';
}
