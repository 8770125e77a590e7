/** A message of a trial: a sentence, and the output of a program that may follow on lines of its own. */
export interface SplitMessage {
  /** Without its full stop, so that another sentence can follow. */
  readonly head: string;
  /** Empty when there is none. */
  readonly output: string;
}

export function splitMessage(message: string): SplitMessage {
  const [first = '', ...rest] = message.trim().split('\n');
  const head = first.replace(/\s*\b(?:Its|The) last output:$/, '').trim();
  return { head: head.replace(/\.$/, ''), output: rest.join('\n').trim() };
}

/** With its full stop, unless it ends otherwise. */
export function closed(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** With a capital, unless it begins with a name such as `reward.txt`. */
export function sentence(text: string): string {
  return /^[a-z]+(?:[ ,:]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
