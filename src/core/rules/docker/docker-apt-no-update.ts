import { installOf } from '../../model/installs';
import type { Instruction } from '../../text/dockerfile/dockerfile';
import type { ShellCommand } from '../../text/shell/script';
import { claimAt } from '../places';
import type { Rule } from '../rule';
import type { BuildCommand } from './builds';
import { fixIn } from '../file-fix';
import { buildCommands } from './builds';

export const dockerAptNoUpdate: Rule = {
  id: 'docker-apt-no-update',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'A layer with package lists is kept while the mirror moves on: a later build asks for versions that are no longer there.',
  docs: {
    finds: '`apt-get install` in a RUN that has not run `apt-get update` before.',
    silent: 'Local `.deb` files, and a RUN that starts another script first, which may have updated the lists.',
    bad: 'RUN apt-get update\nRUN apt-get install -y jq',
    good: 'RUN apt-get update && apt-get install -y jq',
  },
  *check(subject) {
    const settled = new Set<Instruction>();
    const updates = new Map<Instruction, BuildCommand>();
    for (const one of subject.derive(buildCommands)) {
      const { command, instruction, image } = one;
      if (isUpdate(command)) {
        settled.add(instruction);
        updates.set(instruction, one);
        continue;
      }
      if (settled.has(instruction)) continue;
      if (mayUpdate(command)) settled.add(instruction);
      const install = installOf(command);
      if (install?.manager !== 'apt' || !install.items.some(({ kind }) => kind === 'name')) continue;
      settled.add(instruction);
      const earlier = [...updates].filter(([at]) => at.stage === instruction.stage).at(-1)?.[1];
      const before =
        earlier === undefined ? null : image.dockerfile.lines.range(earlier.command.start, earlier.command.end);
      const { start } = one.command;
      yield* claimAt(
        subject,
        { file: image.file, start: install.start, end: install.end },
        {
          message:
            before === null
              ? 'This installs packages without `apt-get update` in the same RUN, so there are no package lists to install from.'
              : 'This installs from package lists of an earlier RUN, which may be long out of date when only this one is built again.',
          // With nothing known of the base, it may bring lists of its own.
          confidence: before !== null || image.base?.facts?.manager === 'apt' ? 'certain' : 'likely',
          related: before === null ? [] : [{ file: image.file, range: before, message: 'The lists are fetched here.' }],
          fixes: fixIn(subject, image.file, 'Update the lists in the same RUN', [
            { start, end: start, newText: `${install.tool.split(' ')[0] ?? 'apt-get'} update && ` },
          ]),
        },
      );
    }
  },
};

function isUpdate({ program, args }: ShellCommand): boolean {
  return /^(?:apt-get|apt|aptitude)$/u.test(program ?? '') && args.some(({ value }) => value === 'update');
}

/** Starts a script or a program that may run apt by itself. */
function mayUpdate({ program, programWord, inline, sourced }: ShellCommand): boolean {
  if (inline !== null || sourced !== null) return false;
  if (program === null) return programWord !== null;
  return /^(?:bash|sh|zsh|dash|source|\.|add-apt-repository|apt-add-repository|python[\d.]*|make|eval)$/u.test(program)
    ? true
    : programWord?.value?.includes('/') === true;
}
