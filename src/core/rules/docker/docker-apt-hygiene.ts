import { installOf } from '../../model/installs';
import type { Instruction } from '../../text/dockerfile/dockerfile';
import type { Span } from '../../text/shell/script';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands } from './builds';

const lists = '/var/lib/apt/lists';

export const dockerAptHygiene: Rule = {
  id: 'docker-apt-hygiene',
  severity: 'hint',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'Package lists and upgrades make the image larger and its builds less alike.',
  docs: {
    finds:
      '`apt-get upgrade` and `dist-upgrade`, an install whose package lists stay in the layer, and (as information) one that names no package.',
    silent: 'Builder stages, cache mounts, and installs that run from a script.',
    bad: 'RUN apt-get update && apt-get upgrade -y',
    good: 'RUN apt-get update && apt-get install -y jq && rm -rf /var/lib/apt/lists/*',
  },
  *check(subject) {
    const byRun = new Map<Instruction, BuildCommand[]>();
    for (const one of subject.derive(buildCommands)) {
      if (!one.image.lineage.has(one.instruction.stage)) continue;
      const group = byRun.get(one.instruction);
      if (group === undefined) byRun.set(one.instruction, [one]);
      else group.push(one);
    }
    for (const [instruction, group] of byRun) {
      const [first] = group;
      if (first === undefined || instruction.flags.some(({ name }) => name === 'mount')) continue;
      const { image } = first;
      for (const { command, script } of group) {
        const empty = installsNothing(command);
        if (empty !== null && !script.text.includes('xargs'))
          yield* claimAt(
            subject,
            { file: image.file, ...empty },
            { severity: 'information', message: 'This names no package, so nothing is installed.' },
          );
      }
      const upgrade = group.find(({ command }) => upgrades(command) !== null);
      if (upgrade !== undefined) {
        const span = upgrades(upgrade.command) ?? upgrade.command;
        yield* claimAt(
          subject,
          { file: image.file, start: span.start, end: span.end },
          { message: 'An upgrade replaces packages of the base image, by others at each build.' },
        );
        continue;
      }
      const install = group.map(({ command }) => installOf(command)).find((one) => one?.manager === 'apt');
      if (install === undefined || install === null || first.script.text.includes(lists)) continue;
      const { end, heredocs, form } = instruction;
      yield* claimAt(
        subject,
        { file: image.file, start: install.start, end: install.end },
        {
          message: 'The package lists stay in this layer of the image.',
          fixes:
            heredocs.length === 0 && form === 'shell'
              ? fixIn(subject, image.file, 'Remove the lists', [{ start: end, end, newText: ` && rm -rf ${lists}/*` }])
              : [],
        },
      );
    }
  },
};

/** `apt-get install -y` with options only. */
function installsNothing({ program, programWord, args }: BuildCommand['command']): Span | null {
  if (programWord === null || !/^(?:apt-get|apt)$/u.test(program ?? '')) return null;
  const [action, ...more] = args.filter(({ value }) => !value?.startsWith('-'));
  return action?.value === 'install' && more.length === 0 ? { start: programWord.start, end: action.end } : null;
}

function upgrades({ program, programWord, args }: BuildCommand['command']): Span | null {
  if (programWord === null || !/^(?:apt-get|apt)$/u.test(program ?? '')) return null;
  const action = args.find(({ value }) => /^(?:upgrade|dist-upgrade|full-upgrade)$/u.test(value ?? ''));
  return action === undefined ? null : { start: programWord.start, end: action.end };
}
