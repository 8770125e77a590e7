import path from 'node:path';

/** The folder for what may be made again, as the system's own conventions have it; null where there is none. */
export function cacheFolder(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string | null {
  const absolute = (folder: string | undefined): string | null =>
    folder !== undefined && path.isAbsolute(folder) ? folder : null;
  const base = ((): string | null => {
    if (platform === 'win32') return absolute(env.LOCALAPPDATA);
    if (platform === 'darwin') return home === '' ? null : path.join(home, 'Library', 'Caches');
    return absolute(env.XDG_CACHE_HOME) ?? (home === '' ? null : path.join(home, '.cache'));
  })();
  return base === null ? null : path.join(base, 'taskwright');
}
