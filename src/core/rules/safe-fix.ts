import type { Fix } from '../finding';
import type { TaskConfig } from '../task/config';
import type { TomlDocument } from '../task/document';
import { readDocument } from '../task/document';
import { applyEdits } from '../text/edits';

/**
 * Whether a fix can change nothing but the spelling: it is the one its rule prefers, is made in task.toml alone, and
 * Harbor takes from the file afterwards exactly what it took before. Only such a fix may be made without a person
 * looking at it.
 */
export function isSafeFix(fix: Fix, toml: TomlDocument | null): boolean {
  if (fix.preferred !== true || fix.edits.length === 0 || !toml?.config) return false;
  if (fix.edits.some(({ file }) => file !== 'task.toml')) return false;
  const mended = applyEdits(toml.text, fix.edits);
  const after = mended === null ? null : readDocument(mended).config;
  return after !== null && isSameConfig(toml.config, after);
}

/** Every safe fix that can be made together with the ones before it, in the order given. */
export function safeFixes(fixes: readonly Fix[], toml: TomlDocument | null): readonly Fix[] {
  const chosen: Fix[] = [];
  for (const fix of fixes) {
    if (!isSafeFix(fix, toml)) continue;
    const edits = [...chosen, fix].flatMap((one) => one.edits);
    if (isSafeFix({ title: '', preferred: true, edits }, toml)) chosen.push(fix);
  }
  return chosen;
}

function isSameConfig(a: TaskConfig, b: TaskConfig): boolean {
  return comparable(a) === comparable(b);
}

/** JSON with what JSON has no word for. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `bigint ${one}`;
    if (typeof one === 'number' && (!Number.isFinite(one) || Object.is(one, -0))) return `number ${one}`;
    return one instanceof Map ? [...one] : one;
  });
}
