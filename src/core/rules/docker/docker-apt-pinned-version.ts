import type { Image } from '../../model/image';
import { installOf } from '../../model/installs';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import { fixIn } from '../file-fix';
import { buildCommands } from './builds';

export const dockerAptPinnedVersion: Rule = {
  id: 'docker-apt-pinned-version',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: "A distribution's mirror keeps only the newest build of a package, so an exact version stops to be found after its next security update.",
  docs: {
    finds: 'An exact version of a package of Debian or Ubuntu.',
    silent: 'Snapshot mirrors, patterns such as `=1.2.*`, and stages that add a package source of their own.',
    bad: 'RUN apt-get update && apt-get install -y curl=7.88.1-10',
    good: 'RUN apt-get update && apt-get install -y curl',
  },
  *check(subject) {
    for (const { command, image } of subject.derive(buildCommands)) {
      const install = installOf(command);
      if (install?.manager !== 'apt') continue;
      const pinned = install.items.filter(
        ({ version }) => version !== null && version !== '' && !version.includes('*'),
      );
      const first = pinned[0];
      if (first === undefined || !/^(?:debian|ubuntu|python|node|buildpack-deps)$/u.test(image.base?.official ?? ''))
        continue;
      if (hasOwnSources(image)) continue;
      const { start, end } = first.word;
      yield* claimAt(
        subject,
        { file: image.file, start, end },
        {
          message: `The mirror drops ${first.name} ${first.version ?? ''} as soon as a newer build is out${pinned.length > 1 ? ` (the same goes for ${pinned.length - 1} more of this command)` : ''}.`,
          fixes: fixIn(
            subject,
            image.file,
            pinned.length > 1 ? 'Remove the versions' : 'Remove the version',
            pinned.map(({ word, name }) => ({ start: word.start, end: word.end, newText: name })),
          ),
        },
      );
    }
  },
};

/** Package sources other than the distribution's own, where old builds may be kept. */
function hasOwnSources({ files, dockerfile }: Image): boolean {
  return (
    [...files.keys()].some((path) => path.startsWith('/etc/apt/sources.list')) ||
    /snapshot\.(?:debian|ubuntu)|sources\.list|add-apt-repository|\bsetup_\d/u.test(dockerfile.text)
  );
}
