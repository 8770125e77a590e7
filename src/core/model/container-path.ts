/** A path of a container without `.`, `..`, `//` and a trailing `/`; `from` is the folder of a relative one. null without. */
export function absolutePath(path: string, from: string | null): string | null {
  const whole = path.startsWith('/') ? path : from === null ? null : `${from}/${path}`;
  if (whole === null || whole.includes('\0')) return null;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `/` for what lies at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** Is it the folder itself or anything in it? */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The extension in lower case, without its dot; empty without one. */
export function extensionOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var',
];

/** Does an operating system or its packages put files there? What they are, an image model does not say. */
export function isSystemPath(path: string): boolean {
  return path === '/' || systemFolders.some((folder) => isAtOrBelow(path, folder));
}
