import type { ShellPath, Written } from '../../text/shell/flow/flow';
import type { ShellCommand } from '../../text/shell/script';
import type { TestScript } from './test-scripts';
import { rewardFiles } from '../../model/harbor-paths';

/** Has a reward file something in it at the end of this path? */
export function isRewarded(path: ShellPath): boolean {
  return [...path.written.values()].some(({ value }) => value.text?.trim() !== '');
}

/** The reward that Harbor reads at the end of a path. */
export function finalReward(path: ShellPath): { readonly file: string; readonly written: Written } | null {
  for (const file of ['/logs/verifier/reward.json', '/logs/verifier/reward.txt']) {
    const written = path.written.get(file);
    if (written !== undefined) return { file, written };
  }
  return null;
}

/** The first write of a reward in the text; null when the script itself writes none. */
export function firstWrite(test: TestScript): ShellCommand | null {
  const found = test.flow.paths
    .flatMap((path) => [...path.written.values()])
    .flatMap(({ command, value }) => (command === null || value.text === '' ? [] : [command]));
  const lexical = test.commands
    .filter(({ command }) => command.writes.some(({ file }) => file !== null && rewardFiles.includes(file)))
    .map(({ command }) => command);
  return [...found, ...lexical].sort((a, b) => a.start - b.start)[0] ?? null;
}

/** The number in a constant reward, of whichever file; null when it is none. */
export function numberIn(text: string): number | null {
  const plain = /^\s*([-+]?\d+(?:\.\d*)?|\.\d+)\s*$/u.exec(text)?.[1];
  if (plain !== undefined) return Number(plain);
  const inObject = /^\s*\{\s*"[^"]*"\s*:\s*([-+]?\d+(?:\.\d+)?)\s*\}\s*$/u.exec(text)?.[1];
  return inObject === undefined ? null : Number(inObject);
}
