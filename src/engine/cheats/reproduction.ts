import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HitExplanation } from '../../core/cheats/strategy';
import type { CheatRun } from '../trial/spec';

export interface Reproduction {
  readonly run: CheatRun;
  readonly taskName: string;
  readonly explanation: HitExplanation;
}

/**
 * A script that plants the same again: everything that the cheat needs is in it, readable. It is meant for a container
 * of the task; its comments say how to get there.
 */
export function reproductionScript({ run, taskName, explanation }: Reproduction): string {
  const { whatHappened, whyItWorked, whatToChange, howToCheck } = explanation;
  return `${[
    '#!/bin/sh',
    `# Repeats ${flat(run.label)} on ${flat(taskName)}.`,
    '#',
    ...[whatHappened, whyItWorked, whatToChange, howToCheck].map((text) => `# ${flat(text)}`),
    '#',
    '# By hand: start a container from the image of the task with a folder /logs/verifier that everyone may write, run',
    `# this script in it ${run.user === 'root' ? 'as root' : 'as the agent'}, in the working directory, and leave the container running. Then copy tests/ to /tests,`,
    '# run /tests/test.sh and look at /logs/verifier.',
    'set -u',
    'folder=$(mktemp -d) || exit 1',
    ...run.files.flatMap(unpacked),
    ...Object.keys(run.env).map((key) => `# Set ${key} as [solution].env of the task does.`),
    `"$folder"/${[run.entry, ...run.args].map(quoted).join(' ')}`,
    'status=$?',
    'rm -rf "$folder"',
    'exit "$status"',
  ].join('\n')}\n`;
}

/** Writes the script into the trial's folder, whole or not at all; returns its absolute path. */
export async function writeReproduction(trialDir: string, reproduction: Reproduction): Promise<string> {
  const folder = path.join(trialDir, 'cheat');
  const target = path.join(folder, 'reproduce.sh');
  const draft = path.join(folder, `.reproduce-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(draft, reproductionScript(reproduction), { flag: 'wx' });
    await chmod(draft, 0o755);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return target;
}

function unpacked({ name, content, mode }: CheatRun['files'][number]): readonly string[] {
  const target = `"$folder"/${quoted(name)}`;
  const parent = name.includes('/') ? [`mkdir -p "$folder"/${quoted(name.replace(/\/[^/]*$/, ''))}`] : [];
  const access = (mode & 0o111) === 0 ? [] : [`chmod 755 ${target}`];
  const text = asText(content);
  if (text === '') return [...parent, `: >${target}`, ...access];
  if (text === null) {
    const lines =
      Buffer.from(content)
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    return [...parent, `# ${flat(name)} is no text.`, `base64 -d >${target} <<'END'`, ...lines, 'END', ...access];
  }
  const lines = text.replace(/\n$/, '').split('\n');
  let end = 'END';
  while (lines.includes(end)) end += '_';
  return [...parent, `cat >${target} <<'${end}'`, ...lines, end, ...access];
}

/** null for what a here-document cannot carry. */
function asText(content: Uint8Array): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
