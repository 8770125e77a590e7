import { packageNameFormat } from './task/keys/formats';

/** `ORG/NAME` of a package, as Harbor accepts it, but for the line break that it lets pass at the end. */
export function isPackageName(text: string): boolean {
  return !/\s/.test(text) && packageNameFormat.parse(text).ok;
}

/**
 * The name a new task gets from its folder: `local/` and the folder's name in lower case with `-` for what a name may
 * not hold; null when nothing is left of it.
 */
export function packageNameFor(folderName: string): string | null {
  const short = folderName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[._-]+|[._-]+$/g, '');
  return short === '' ? null : `local/${short}`;
}

/** Puts the name into a template's task.toml, whose `[task]` table begins with it; null when it does not. */
export function nameTask(configText: string, name: string): string | null {
  const line = /^(\[task\]\r?\nname = )"[^"\\]*"/m;
  return line.test(configText) ? configText.replace(line, (_whole, head: string) => `${head}"${name}"`) : null;
}
