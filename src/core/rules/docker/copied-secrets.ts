import { baseName, extensionOf } from '../../model/container-path';
import type { ImageFile } from '../../model/image';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';

/** A file that the agent must not see. */
export interface Secret {
  /** Relative to the task folder. */
  readonly file: string;
  readonly text: string;
  readonly kind: 'solution' | 'test';
  /** False for what the verifier only reads: data. */
  readonly isCode: boolean;
}

/** Fewer characters say nothing. */
const minLength = 40;

/** The files of a step's solution, and those of its tests that the verifier reaches. */
export function secretsOf(subject: Subject, { step, reach }: StepView): readonly Secret[] {
  const found: Secret[] = [];
  const add = (file: string, kind: Secret['kind'], isCode: boolean): void => {
    const text = subject.text(file);
    if (text !== null && !isTrivial(file, text)) found.push({ file, text, kind, isCode });
  };
  for (const file of step.solution.values()) add(file, 'solution', isCodeFile(file));
  const reached = new Map(reach.files.map(({ file, via }) => [file, via]));
  for (const [file, via] of reached) add(file, 'test', via !== 'read' || isCodeFile(file));
  return found;
}

export function isTrivial(file: string, text: string): boolean {
  const name = baseName(file).toLowerCase();
  if (
    /^(?:__init__\.py|licen[cs]e(?:\..*)?|copying(?:\..*)?|notice|\.gitignore|\.gitkeep|.*\.lock|package-lock\.json)$/u.test(
      name,
    )
  )
    return true;
  return isShort(text);
}

export function isCodeFile(file: string): boolean {
  return [
    'sh',
    'bash',
    'py',
    'js',
    'mjs',
    'ts',
    'rb',
    'pl',
    'go',
    'rs',
    'c',
    'cpp',
    'h',
    'hpp',
    'java',
    'r',
    'jl',
    'sql',
    'lua',
    'php',
    'bats',
  ].includes(extensionOf(file));
}

/** Without blank space, empty lines and comment lines, none of which hides what a file is. */
function codeLines(text: string): string[] {
  return text.split(/\r?\n/u).map(codeLine).filter(isCodeLine);
}

function codeLine(line: string): string {
  return line.trim().replace(/\s+/gu, ' ');
}

function isCodeLine(line: string): boolean {
  return line !== '' && !/^(?:#|\/\/|--\s)/u.test(line);
}

/** Have the lines of code too few characters? Reads no further than it takes to know. */
function isShort(text: string): boolean {
  let length = -1;
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const line = codeLine(text.slice(start, end));
    if (isCodeLine(line)) length += line.length + 1;
    if (length >= minLength) return false;
    start = end + 1;
  }
  return true;
}

/**
 * Is one text the other's, but for comments and blanks? `part`: it holds at least four fifths of it, in a file of the same
 * name.
 */
export function likeness(
  secret: { readonly file: string; readonly text: string; readonly isCode: boolean },
  path: string,
  text: string,
): 'same' | 'part' | null {
  if (text === secret.text) return 'same';
  const sameName = baseName(path) === baseName(secret.file);
  const near = Math.abs(text.length - secret.text.length) <= secret.text.length / 4;
  if (!sameName && !(near && secret.isCode && isCodeFile(path))) return null;
  const own = codeLines(secret.text);
  const other = codeLines(text);
  if (own.length === other.length && own.every((line, at) => line === other[at])) return 'same';
  if (!sameName || !secret.isCode) return null;
  const lines = new Set(other);
  const shared = own.reduce((sum, line) => sum + (lines.has(line) ? line.length : 0), 0);
  const total = own.reduce((sum, line) => sum + line.length, 0);
  return total > 200 && shared >= total * 0.8 ? 'part' : null;
}

/** The text of a file of an image; null where it is not known. */
export function imageText(subject: Subject, { origin }: ImageFile): string | null {
  if (origin.kind === 'text') return origin.text;
  return origin.kind === 'context' ? subject.text(origin.file) : null;
}
