import { innerPath } from '../../task/snapshot';
import type { Rule } from '../rule';
import { fileItself } from './files';

export const hygieneSymlink: Rule = {
  id: 'hygiene-symlink',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['tree'],
  needsDisk: true,
  why: 'On another machine such a link leads nowhere, or to a file that does not belong to the task.',
  docs: {
    finds: 'A symbolic link that leads nowhere, out of the task folder, or to an absolute path.',
    silent: 'Links within the task folder.',
    bad: 'environment/data -> ../../private',
    good: 'environment/data/',
  },
  *check({ disk }) {
    if (disk === null) return;
    const dangling = new Set(disk.danglingLinks);
    for (const [path, { link }] of disk.facts) {
      if (link === null) continue;
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
      const trouble = /^(?:\/|[A-Za-z]:[\\/])/u.test(link)
        ? 'an absolute path, which another machine does not have'
        : innerPath(folder + link) === null
          ? 'which is outside of the task folder'
          : dangling.has(path)
            ? 'where nothing is'
            : null;
      if (trouble !== null) yield { file: path, range: fileItself, message: `${path} leads to ${link}, ${trouble}.` };
    }
  },
};
