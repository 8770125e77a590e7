import type { Files, Sha256 } from '../../core/files';
import type { GateInputs, NewProof, Receipt } from '../../core/gates/receipt';
import { parseReceipt, receiptText, updateReceipt } from '../../core/gates/receipt';
import type { Task } from '../../core/task/task';
import { receiptPath, type Workspace } from '../../core/workspace';
import { writeFileAtomic } from '../../node/atomic-write';

const largest = 16 * 1024 * 1024;

export type KeptReceipt =
  | { readonly ok: true; /** Absolute. */ readonly path: string; readonly note: string | null }
  | { readonly ok: false; readonly message: string };

/** Writes what was proved into the task's receipt; gates that did not run keep what is there. */
export async function keepReceipt(
  task: Task,
  workspace: Workspace,
  proofs: readonly NewProof[],
  inputs: GateInputs,
  files: Files,
  sha256: Sha256,
): Promise<KeptReceipt> {
  const path = receiptPath(files, workspace);
  const { receipt: previous, note } = await readPrevious(path, files);
  const receipt = updateReceipt(previous, { path: workspace.taskPath, name: task.name }, proofs, inputs, sha256);
  try {
    await writeFileAtomic(path, receiptText(receipt));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `${task.name}: the receipt could not be written to ${path}: ${why}.` };
  }
  return { ok: true, path, note };
}

async function readPrevious(path: string, files: Files): Promise<{ receipt: Receipt | null; note: string | null }> {
  const read = await files.read(path, largest);
  if (!read.ok) return { receipt: null, note: null };
  const reading = parseReceipt(new TextDecoder().decode(read.bytes));
  if (reading.ok) return { receipt: reading.receipt, note: null };
  return { receipt: null, note: `${path} was replaced, as it could not be read: ${reading.message}` };
}
