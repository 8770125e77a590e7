import type { Files, Sha256 } from '../../core/files';
import type { Finding, Fix } from '../../core/finding';
import { applyEdits } from '../../core/text/edits';
import { writeFileAtomic } from '../../node/atomic-write';
import { overlay, type Overlay } from './overlay';

export interface MendedFinding {
  readonly finding: Finding;
  readonly fix: Fix;
}

export interface Mending {
  readonly mended: readonly MendedFinding[];
  /** Preferred fixes that were tried and left out, since they would have made something else worse. */
  readonly leftOut: readonly MendedFinding[];
  /** New texts by absolute path. */
  readonly changes: ReadonlyMap<string, string>;
  /** The texts they take the place of; null where there was no file. */
  readonly originals: ReadonlyMap<string, string | null>;
}

export interface MendOptions {
  /** Absolute folder that findings' files are relative to. */
  readonly dir: string;
  readonly files: Files;
  readonly sha256: Sha256;
  readonly signal: AbortSignal;
  /** Judges the folder as `files` show it. */
  readonly judge: (files: Files) => Promise<readonly Finding[]>;
  /** May a fix be made without a person looking at it? */
  readonly isSafe: (files: Files, fix: Fix) => Promise<boolean>;
}

/** Each fix is one step; a rule that proposes for ever must not keep the program. */
const mostSteps = 500;

/**
 * Works out the preferred fixes that are safe one by one, each on the text that the ones before it made, so that none meets a range
 * that has moved. A fix stays only when its finding is gone and there are no more errors than before. Writes nothing.
 */
export async function planMending(options: MendOptions): Promise<Mending> {
  const over = overlay(options.files, options.sha256);
  const originals = new Map<string, string | null>();
  const mended: MendedFinding[] = [];
  const leftOut: MendedFinding[] = [];
  const tried = new Set<string>();
  let findings = await options.judge(over.files);
  for (let step = 0; step < mostSteps && !options.signal.aborted; step++) {
    const next = nextFix(findings, tried);
    if (next === null) break;
    tried.add(keyOf(next));
    if (!(await options.isSafe(over.files, next.fix))) continue;
    const before = new Map(over.changes);
    if (!(await tryFix(next.fix, over, options, originals))) {
      leftOut.push(next);
      continue;
    }
    const after = await options.judge(over.files);
    if (isBetter(findings, after, next.finding)) {
      mended.push(next);
      findings = after;
    } else {
      leftOut.push(next);
      for (const path of over.changes.keys()) over.remove(path);
      for (const [path, text] of before) over.put(path, text);
    }
  }
  return { mended, leftOut, changes: over.changes, originals };
}

function nextFix(findings: readonly Finding[], tried: ReadonlySet<string>): MendedFinding | null {
  for (const finding of findings) {
    for (const fix of finding.fixes) {
      const step = { finding, fix };
      if (fix.preferred === true && fix.edits.length > 0 && !tried.has(keyOf(step))) return step;
    }
  }
  return null;
}

/** Two findings alike in text have one fingerprint, so the place is part of the key: it moves only when others mend. */
function keyOf({ finding, fix }: MendedFinding): string {
  return JSON.stringify([finding.fingerprint, fix.title, finding.file, finding.range]);
}

/** Puts all edits of a fix, or none. */
async function tryFix(
  fix: Fix,
  over: Overlay,
  { dir, files }: MendOptions,
  originals: Map<string, string | null>,
): Promise<boolean> {
  const texts = new Map<string, string>();
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    if (!isInside(file)) return false;
    const path = files.join(dir, ...file.split('/'));
    const found = await files.stat(path);
    // What a link leads to may lie outside of the task, and is not ours to change.
    if (found !== null && (found.isLink || found.kind !== 'file')) return false;
    const text = found === null && !over.changes.has(path) ? '' : await over.text(path);
    if (text === null) return false;
    const edited = applyEdits(
      text,
      fix.edits.filter((edit) => edit.file === file),
    );
    if (edited === null || edited === text) return false;
    if (!originals.has(path)) originals.set(path, found === null ? null : text);
    texts.set(path, edited);
  }
  for (const [path, text] of texts) over.put(path, text);
  return true;
}

function isInside(file: string): boolean {
  return file !== '' && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function isBetter(before: readonly Finding[], after: readonly Finding[], mended: Finding): boolean {
  const alike = (findings: readonly Finding[]): number =>
    findings.filter(({ fingerprint }) => fingerprint === mended.fingerprint).length;
  const errors = (findings: readonly Finding[]): number =>
    findings.filter(({ severity }) => severity === 'error').length;
  return alike(after) < alike(before) && errors(after) <= errors(before);
}

export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Writes the changes, each file at once, unless one of them is no longer what the fixes were worked out on. */
export async function writeMending(
  { changes, originals }: Mending,
  files: Files,
  sha256: Sha256,
): Promise<WriteResult> {
  for (const path of changes.keys()) {
    const original = originals.get(path) ?? null;
    const now = await files.sha256(path);
    if (now !== (original === null ? null : sha256(original))) {
      return { ok: false, message: `${path} was changed meanwhile; nothing was written. Run check --fix again.` };
    }
  }
  for (const [path, text] of changes) {
    const mode = (await files.stat(path))?.mode ?? (path.endsWith('.sh') ? 0o755 : 0o644);
    try {
      await writeFileAtomic(path, text, mode);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `${path} could not be written: ${why}` };
    }
  }
  return { ok: true };
}
