import { agentInstruction } from '../../task/instruction';
import { scriptExtension } from '../../task/layout';
import type { Range } from '../../text/position';
import { linesOf } from '../../text/lines';
import type { Rule } from '../rule';
import { scripts } from './scripts';

export const structureEmptyFile: Rule = {
  id: 'structure-empty-file',
  severity: 'error',
  confidence: 'certain',
  inputs: ['tree', 'instruction', 'shell:test', 'shell:solve', 'docker'],
  needsDisk: true,
  why: 'An empty script or instruction passes every check of the format, and measures nothing.',
  docs: {
    finds:
      '`instruction.md`, a test script, a solve script or the Dockerfile holds nothing but blank lines, comments, a `#!` line and `set` lines. Of an instruction the leading comment block that Harbor strips does not count.',
    silent: 'Empty data files, `__init__.py`, `.gitkeep`, and a Dockerfile that has only `FROM`.',
    bad: '#!/bin/bash\n# to be written',
    good: '#!/bin/bash\necho 0 > /logs/verifier/reward.txt',
  },
  *check({ toml, disk, layout }) {
    if (disk === null || layout === null) return;
    for (const instruction of [layout.instruction, ...layout.steps.map((step) => step.instruction)]) {
      const text = instruction === null ? null : (disk.texts.get(instruction)?.text ?? null);
      // With steps, the instruction at the root is not used.
      if (instruction === null || text === null || (layout.steps.length > 0 && instruction === layout.instruction))
        continue;
      if (agentInstruction(text).trim() !== '') continue;
      const hadCanary = text.trim() !== '';
      yield {
        file: instruction,
        range: wholeLine(text),
        message: hadCanary
          ? `${instruction} has nothing but canary lines, which Harbor removes, so the agent gets no instruction.`
          : `${instruction} is empty, so the agent gets no instruction.`,
      };
    }
    for (const { path, text } of scripts(disk, scriptExtension(layout.os))) {
      if (path.endsWith('setup.sh') || hasCommand(text, path.endsWith('.bat'))) continue;
      yield { file: path, range: wholeLine(text), message: `${path} has no command.` };
    }
    const dockerfile = layout.dockerfile === null ? null : (disk.texts.get(layout.dockerfile)?.text ?? null);
    const isUsed = toml?.config?.environment.docker_image === null && layout.composeFile === null;
    if (layout.dockerfile !== null && dockerfile !== null && isUsed && !/^[ \t]*[^#\s]/mu.test(dockerfile)) {
      yield {
        file: layout.dockerfile,
        range: wholeLine(dockerfile),
        message: `${layout.dockerfile} has no instruction.`,
      };
    }
  },
};

/** Anything but blank lines, comments, `set` and what only changes the shell. */
function hasCommand(text: string, isBatch: boolean): boolean {
  const idle = isBatch ? /^(?:@?echo off|@?rem\b.*|::.*|@?setlocal.*)?$/iu : /^(?:#.*|set\s+[-+].*|shopt\s.*|:)?$/u;
  return text
    .replace(/^\uFEFF/u, '')
    .split(/\r\n|\n|\r/u)
    .some((line) => !idle.test(line.trim()));
}

function wholeLine(text: string): Range {
  return { start: { line: 0, character: 0 }, end: { line: 0, character: linesOf(text).line(0).length } };
}
