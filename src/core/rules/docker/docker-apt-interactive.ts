import type { Install } from '../../model/installs';
import { installOf } from '../../model/installs';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands } from './builds';

export const dockerAptInteractive: Rule = {
  id: 'docker-apt-interactive',
  severity: 'error',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'The build has no keyboard: apt-get asks whether to go on, gets no answer and gives up.',
  docs: {
    finds: '`apt-get install` without `-y`, `--yes` or `-qq`.',
    silent: '`yes |` in front, and a configuration with `APT::Get::Assume-Yes`.',
    bad: 'RUN apt-get update && apt-get install gdal-bin',
    good: 'RUN apt-get update && apt-get install -y gdal-bin',
  },
  *check(subject) {
    for (const one of subject.derive(buildCommands)) {
      const install = installOf(one.command);
      if (install?.manager !== 'apt' || agrees(install) || isAnswered(one)) continue;
      if (install.items.length === 0) continue;
      yield* claimAt(
        subject,
        { file: one.image.file, start: install.start, end: install.end },
        {
          message: `${install.tool} asks before it installs ${install.items[0]?.word.text ?? 'packages'}, and nobody answers.`,
          fixes: fixIn(
            subject,
            one.image.file,
            'Add -y',
            [{ start: install.end, end: install.end, newText: ' -y' }],
            true,
          ),
        },
      );
    }
  },
};

function agrees({ command }: Install): boolean {
  return command.args.some(({ value, prefix }) => {
    if (value === null) return !prefix.startsWith('-') ? prefix === '' : true;
    return (
      /^-[a-zA-Z]*y/u.test(value) ||
      /^-[a-zA-Z]*q[a-zA-Z]*q/u.test(value) ||
      /^(?:--yes|--assume-yes|--simulate|--dry-run|--just-print|--download-only|-q=2|--force-yes)$/u.test(value) ||
      /^-[a-zA-Z]*[sd]$/u.test(value) ||
      /Assume-Yes/iu.test(value)
    );
  });
}

/** Something answers, or the system is told to agree. */
function isAnswered({ command, image }: BuildCommand): boolean {
  const { pipeline } = command.context;
  if (pipeline !== null && pipeline.index > 0) return true;
  if (command.redirects.some(({ operator }) => operator === '<' || operator === '<<<') || command.heredocs.length > 0)
    return true;
  return /Assume-Yes/iu.test(image.dockerfile.text) || image.folders.has('/etc/apt/apt.conf.d')
    ? true
    : [...image.files.keys()].some((path) => path.startsWith('/etc/apt/apt.conf'));
}
