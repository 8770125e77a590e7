import { parsePackage, pipName } from '../../model/installs';
import { lineAt } from '../../text/dockerfile/joined-lines';

/** A package of a requirements file. */
export interface Requirement {
  /** As pip compares it. */
  readonly name: string;
  /** The exact version; null without. */
  readonly version: string | null;
  readonly constraint: string;
  readonly start: number;
  readonly end: number;
}

/** The packages that a requirements file names; options, URLs, local paths and variables are no names. */
export function readRequirements(text: string): readonly Requirement[] {
  const found: Requirement[] = [];
  for (let at = 0; at < text.length;) {
    const line = lineAt(text, at);
    at = line.next;
    const whole = text.slice(line.start, line.end);
    const comment = /(?:^|\s)#/u.exec(whole)?.index ?? whole.length;
    const content = whole.slice(0, comment);
    const written = content
      .replace(/\s--\S.*$/u, '')
      .replace(/\\\s*$/u, '')
      .trim();
    if (written === '' || written.startsWith('-') || written.includes('$')) continue;
    const parsed = parsePackage('pip', written);
    if (parsed.kind !== 'name') continue;
    const start = line.start + content.indexOf(written);
    const nameEnd = start + (/^[\w.-]+(?:\[[^\]]*\])?/u.exec(written)?.[0].length ?? written.length);
    found.push({
      name: pipName(parsed.name),
      version: parsed.version,
      constraint: parsed.constraint,
      start,
      end: nameEnd,
    });
  }
  return found;
}
