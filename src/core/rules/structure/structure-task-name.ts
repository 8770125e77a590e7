import { tomlString } from '../../text/toml-edit';
import type { Rule } from '../rule';
import { sourceOf, tomlFix, valueRange } from '../config/toml-places';

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

export const structureTaskName: Rule = {
  id: 'structure-task-name',
  severity: 'information',
  confidence: 'certain',
  inputs: ['tree', 'toml'],
  needsDisk: true,
  why: 'Names end up in job folders, reports and image tags, and trials are named after the folder.',
  docs: {
    finds:
      "The folder's name is not lower-case words joined by hyphens, says nothing (only digits or hexadecimal), or is longer than the profile allows; or the second part of `[task].name` is another than the folder's.",
    silent: 'Tasks without a `[task]` table.',
    bad: 'Task_0x9f2c/',
    good: 'kiln-schedule/',
  },
  *check({ toml, disk }) {
    const source = sourceOf(toml);
    const name = toml?.config?.task?.name.trimEnd();
    if (source === null || name === undefined || disk === null) return;
    const folder = disk.dirName;
    const path = ['task', 'name'];
    const range = valueRange(source, path);
    const [org = '', own = ''] = name.split('/');
    const isOpaque = /^(?:0x)?[0-9a-f]{6,}$/iu.test(folder) ? /\d/u.test(folder) : /^\d+$/u.test(folder);
    if (!kebab.test(folder)) {
      yield { path, range, message: `The folder ${folder} is not named in lower case with hyphens.` };
    } else if (isOpaque) {
      yield { path, range, message: `The name of the folder ${folder} says nothing about the task.` };
    }
    if (own === folder) return;
    yield {
      path,
      range,
      message: `The task is named ${own}, and its folder ${folder}; trials are named after the folder.`,
      fixes: kebab.test(folder)
        ? tomlFix(`Name it ${org}/${folder}`, [{ range, newText: tomlString(`${org}/${folder}`) }])
        : [],
    };
  },
};
