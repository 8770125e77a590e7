import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CliContext, Register, TextSink } from '../../src/cli/context';
import { buildProgram, runProgram } from '../../src/cli/program';
import { nodeFiles, sha256 } from '../../src/node/files';
import { onceGrammars } from '../../src/node/grammars';

const grammars = onceGrammars(createRequire(import.meta.url).resolve);

export interface Called {
  /** null when the command never finished. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command in this process, with a real disk and no terminal. */
export async function call(
  register: Register,
  args: readonly string[],
  world: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Called> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const codes: number[] = [];
  const context: CliContext = {
    stdout: sink(stdout),
    stderr: sink(stderr),
    cwd: world.cwd,
    env: world.env ?? process.env,
    files: nodeFiles,
    sha256,
    signal: new AbortController().signal,
    grammars,
    workerFile: null,
    cores: 1,
    resourceDir: resolve(import.meta.dirname, '../../media'),
    version: '0.0.0',
    emit: () => undefined,
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    finish: (code) => {
      codes.push(code);
    },
    complain: (message) => {
      stderr.push(`error: ${message}\n`);
    },
  };
  await runProgram(buildProgram(context, [register]), context, args);
  if (codes.length > 1) throw new Error(`finished ${codes.length} times`);
  return { code: codes[0] ?? null, stdout: stdout.join(''), stderr: stderr.join('') };
}

function sink(parts: string[]): TextSink {
  return {
    write: (text) => {
      parts.push(text);
    },
    isTTY: false,
    columns: 80,
    color: false,
  };
}

/** A folder of its own for a test, gone after it. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'taskwright test '));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}
