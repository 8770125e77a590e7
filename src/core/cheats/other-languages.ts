import type { Lines } from '../text/lines';
import { isSuccess } from './success-words';

// Verifiers are also written in JavaScript, Ruby, Go and so on, for which there is no parser here. Of these, and of
// data, what stands in quotes on one line has to do.

const quotedPath = /(["'`])(\/[A-Za-z0-9._@+-]{1,100}(?:\/[A-Za-z0-9._@+-]{1,100}){0,30})\/?\1/gu;
const asks = /\bassert|\bin\b|[=!]=|\.(?:search|match|startsWith|endsWith|find|index|includes)\(|expect\(/u;
const says = /^\s*(?:#|\/\/|def |class |echo |printf |print\(|console\.)/u;
const maxLine = 2_000;

/** The lines that may hold something, with their numbers from 0. */
function* shortLines(lines: Lines): Iterable<readonly [text: string, line: number]> {
  for (let line = 0; line < lines.count; line++) {
    const text = lines.line(line);
    if (text.length <= maxLine) yield [text, line];
  }
}

/** Absolute paths in quotes, with the line from 0. */
export function quotedPaths(lines: Lines): readonly { readonly path: string; readonly line: number }[] {
  return [...shortLines(lines)].flatMap(([text, line]) =>
    text.includes('/') ? [...text.matchAll(quotedPath)].map((match) => ({ path: match[2] ?? '', line })) : [],
  );
}

/** Texts of success on lines that compare or search. */
export function quotedSuccess(lines: Lines): readonly string[] {
  return [...shortLines(lines)].flatMap(([text]) => {
    if (says.test(text) || !asks.test(text)) return [];
    return [...text.matchAll(/"([^"\\]*)"|'([^'\\]*)'/gu)]
      .map((match) => (match[1] ?? match[2] ?? '').trim())
      .filter(isSuccess);
  });
}
