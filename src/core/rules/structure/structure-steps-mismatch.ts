import { stepDir } from '../../task/layout';
import type { Snapshot } from '../../task/snapshot';
import { editDistance } from '../../text/edit-distance';
import { startOfFile } from '../../text/position';
import { tomlString } from '../../text/toml-edit';
import type { TomlSource } from '../../text/toml-edit';
import { entryAt } from '../../text/toml-tree';
import type { Claim, Rule } from '../rule';
import { sourceOf, tableRange, tomlFix } from '../config/toml-places';

export const structureStepsMismatch: Rule = {
  id: 'structure-steps-mismatch',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['tree', 'toml'],
  needsDisk: true,
  why: 'A step that is not wired up is never run and never graded, and Harbor refuses a task with a step that has no folder.',
  docs: {
    finds:
      '`[[steps]]` and the folders under `steps/` differ: a step without a folder (an error, as Harbor refuses the task), a folder that no step names, names that repeat or lead elsewhere, a root `instruction.md` that a task with steps ignores, or `steps/` without `[[steps]]`.',
    silent: 'Files that lie directly in `steps/`.',
    bad: '[[steps]]\nname = "survey"      # the folder is steps/surveys',
    good: '[[steps]]\nname = "survey"      # the folder is steps/survey',
  },
  *check({ toml, disk }) {
    const source = sourceOf(toml);
    const config = toml?.config;
    if (source === null || !config || disk === null) return;
    const names = config.steps.map((step) => step.name);
    const used = new Set(names.map(stepDir));
    const folders = [...disk.entries].flatMap(([path, kind]) =>
      kind === 'directory' && /^steps\/[^/]+$/u.test(path) && !path.startsWith('steps/.') ? [path] : [],
    );
    const strays = folders.filter((path) => !used.has(path));
    if (names.length === 0) {
      if (strays.length > 0) {
        yield {
          file: 'steps',
          range: startOfFile,
          message: `task.toml has no [[steps]], so nothing in steps/ is used (${strays.map((path) => path.slice(6)).join(', ')}).`,
          fixes: tomlFix('Add [[steps]] for each folder', appendSteps(source, strays)),
        };
      }
      return;
    }
    for (const [index, name] of names.entries()) yield* judgeStep(name, index, names, strays, source, disk);
    for (const path of strays) {
      // It is offered as the right name of a step without a folder.
      if (names.some((name) => !exists(name, disk) && isNear(path, name))) continue;
      yield {
        file: path,
        range: startOfFile,
        message: `No [[steps]] names the folder ${path}, so it is never run.`,
        fixes: tomlFix(`Add [[steps]] for ${path.slice(6)}`, appendSteps(source, [path])),
      };
    }
    if (disk.entries.has('instruction.md')) {
      yield {
        file: 'instruction.md',
        range: startOfFile,
        message: 'A task with [[steps]] does not use the instruction.md at its root.',
      };
    }
  },
};

function* judgeStep(
  name: string,
  index: number,
  names: readonly string[],
  strays: readonly string[],
  source: TomlSource,
  disk: Snapshot,
): Generator<Claim> {
  const path = ['steps', index, 'name'];
  const range = entryAt(source.root, path)?.value.range ?? tableRange(source, ['steps', index]);
  if (!exists(name, disk)) {
    const near = strays.find((stray) => isNear(stray, name))?.slice(6);
    yield {
      path,
      range,
      severity: 'error',
      message: `The step ${JSON.stringify(name)} has no folder steps/${name}/${near === undefined ? '' : `; there is steps/${near}/`}.`,
      fixes:
        near === undefined ? [] : tomlFix(`Rename the step to ${near}`, [{ range, newText: tomlString(near) }], true),
    };
    return;
  }
  if (names.indexOf(name) < index) {
    yield { path, range, message: `Two steps are named ${JSON.stringify(name)}, so both use the same folder.` };
  } else if (name === '' || name === '.' || /[/\\]|^\.\.$/u.test(name)) {
    yield { path, range, message: `${JSON.stringify(name)} is a path and no name of a folder below steps/.` };
  }
}

function exists(name: string, disk: Snapshot): boolean {
  const dir = stepDir(name);
  return dir !== null && disk.entries.has(dir);
}

function isNear(path: string, name: string): boolean {
  const folder = path.slice('steps/'.length);
  return folder.toLowerCase() === name.toLowerCase() || editDistance(folder, name) <= 2;
}

function appendSteps(source: TomlSource, folders: readonly string[]): Parameters<typeof tomlFix>[1] {
  const end = source.lines.position(source.text.length);
  const eol = source.text.includes('\r\n') ? '\r\n' : '\n';
  const lead = source.text === '' || source.text.endsWith('\n') ? '' : eol;
  const tables = folders.map((path) => `${eol}[[steps]]${eol}name = ${tomlString(path.slice(6))}${eol}`);
  return [{ range: { start: end, end }, newText: lead + tables.join('') }];
}
