import type { FilePath, TextValue, Value } from './value';

/** Takes `.`, `//` and, below a folder, `..` out of a path. */
export function normalisePath(path: string): string {
  const rooted = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (name !== '..' || !rooted) names.push(name);
  }
  return (rooted ? '/' : '') + names.join('/');
}

/** `os.path.join`, and `/` of a Path: an absolute part starts over. */
export function joinPaths(parts: readonly TextValue[], path: boolean): TextValue {
  let text = '';
  let inModuleFolder = false;
  for (const part of parts) {
    if (part.inModuleFolder || part.text.startsWith('/')) {
      text = part.text;
      inModuleFolder = part.inModuleFolder;
    } else text = text === '' || text.endsWith('/') ? text + part.text : `${text}/${part.text}`;
  }
  return { kind: 'text', text: path || inModuleFolder ? normalisePath(text) : text, path, inModuleFolder };
}

export function parentOf(value: TextValue): TextValue {
  const text = normalisePath(value.text);
  if (text === '/') return value;
  if (value.inModuleFolder && (text === '' || /(?:^|\/)\.\.$/u.test(text)))
    return { ...value, text: text === '' ? '..' : `${text}/..` };
  return { ...value, text: normalisePath(text.replace(/\/?[^/]*$/u, '')) || (text.startsWith('/') ? '/' : '') };
}

export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The file that a value names; null for anything else, a URL included. */
export function filePath(value: Value | null): FilePath | null {
  if (value?.kind === 'bytes') return filePath({ kind: 'text', text: value.text, path: false, inModuleFolder: false });
  if (value?.kind !== 'text' || value.text.includes('\0')) return null;
  if (value.inModuleFolder) return { text: normalisePath(value.text), from: 'module' };
  if (value.text === '' || value.text.includes('\n') || /^[a-z][a-z0-9+.-]*:\/\//iu.test(value.text)) return null;
  if (value.text.startsWith('~')) return null;
  return { text: normalisePath(value.text), from: value.text.startsWith('/') ? 'root' : 'cwd' };
}
