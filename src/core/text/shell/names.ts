/** Last part of a path: `/usr/bin/python3` gives `python3`. */
export function baseName(path: string): string {
  const trimmed = path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : path;
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** What `dirname` prints. */
export function folderName(path: string): string {
  const trimmed = path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : path;
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 ? '/' : trimmed.slice(0, slash);
}

/** Shells whose scripts this reader can read. */
export function isShell(program: string): boolean {
  return program === 'bash' || program === 'sh' || program === 'dash' || program === 'zsh' || program === 'ash';
}

/** Programs that run the code they get on their standard input or after `-c` / `-e`. */
export function isInterpreter(program: string): boolean {
  return isShell(program) || isPython(program) || /^(?:node|deno|bun|perl|ruby|php|Rscript|lua)$/u.test(program);
}

export function isPython(program: string): boolean {
  return /^(?:python|pypy)[0-9.]*$/u.test(program);
}

/** `/a/./b//c/../d` gives `/a/b/d`; a relative path keeps its leading `..`. */
export function normalPath(path: string): string {
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push('..');
  }
  return (absolute ? '/' : '') + parts.join('/');
}
