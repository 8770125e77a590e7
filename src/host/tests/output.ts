import type { TestItem, TestRun } from 'vscode';

const batchMs = 50;
/** UTF-16 units shown of one trial. */
const largest = 1_000_000;

/** Streams what trials print into a test run: in batches, as a terminal wants it, bounded for each trial. */
export class RunOutput {
  private readonly streams = new Map<string, Stream>();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(private readonly run: TestRun) {}

  /** `key` is the trial, `whole` says where all of it is once the bound is reached. */
  append(key: string, text: string, item: TestItem | null, whole: () => string): void {
    if (this.closed) return;
    const stream = this.streams.get(key) ?? new Stream(item, whole);
    this.streams.set(key, stream);
    stream.push(text);
    this.timer ??= setTimeout(() => {
      this.flush();
    }, batchMs);
  }

  /** A line of our own, shown at once and in order. */
  line(text: string, item: TestItem | null): void {
    this.flush();
    if (!this.closed) this.run.appendOutput(`${terminalText(text)}\r\n`, undefined, item ?? undefined);
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.closed) return;
    for (const stream of this.streams.values()) {
      const text = stream.take();
      if (text !== '') this.run.appendOutput(text, undefined, stream.item ?? undefined);
    }
  }

  close(): void {
    this.flush();
    this.closed = true;
  }
}

class Stream {
  private waiting = '';
  private shown = 0;

  constructor(
    readonly item: TestItem | null,
    private readonly whole: () => string,
  ) {}

  push(text: string): void {
    if (this.shown + this.waiting.length <= largest) this.waiting += text;
  }

  take(): string {
    if (this.shown > largest || this.waiting === '') return '';
    const { ready, rest } = splitIncomplete(this.waiting);
    this.waiting = rest;
    const room = largest - this.shown;
    this.shown += ready.length;
    if (ready.length <= room) return terminalText(ready);
    this.waiting = '';
    this.shown = largest + 1;
    return `${terminalText(ready.slice(0, room))}\r\n${terminalText(this.whole())}\r\n`;
  }
}

/** Half an escape sequence or half a line end at the end waits for its other half, unless it never comes. */
function splitIncomplete(text: string): { readonly ready: string; readonly rest: string } {
  const escape = text.lastIndexOf('\u001b');
  const open =
    escape >= 0 && text.length - escape < 64 && !wholeSequence.test(text.slice(escape)) ? escape : text.length;
  const end = open === text.length && text.endsWith('\r') && text.length > 1 ? text.length - 1 : open;
  return { ready: text.slice(0, end), rest: text.slice(end) };
}

/* eslint-disable no-control-regex -- these are the control characters that terminals act on */
const wholeSequence = /^\u001b(?:\[[0-9;:?<=>]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/;
const strings = /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;
const commands = /\u001b\[[0-9;:?<=>!"' ]*[@-ln-~]|\u001b[^[\]]|[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f]/g;
/* eslint-enable no-control-regex */

/**
 * Text from a container, made safe for a terminal: colours stay, and everything else that moves the cursor, sets
 * titles, links or the clipboard goes. Line ends become what a terminal wants.
 */
export function terminalText(text: string): string {
  return text.replace(strings, '').replace(commands, '').replace(/\r*\n/g, '\r\n');
}
