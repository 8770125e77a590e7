import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Child {
  readonly process: ChildProcess;
  /** Its first line of output, parsed. */
  readonly said: Promise<Record<string, unknown>>;
  readonly file: string;
}

/** Bundles a program of this folder and runs it as a process of its own. */
export async function runChild(
  name: string,
  args: readonly string[],
  options: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Child> {
  const file = join(tmpdir(), `taskwright-test-${process.pid}-${name}.cjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    external: ['cpu-features'],
    loader: { '.node': 'empty' },
  });
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: options.env ?? process.env,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
  });
  let text = '';
  const said = new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
    });
    child.on('close', (code) => {
      void rm(file, { force: true });
      reject(new Error(`The child ended (${code}) and said: ${text}`));
    });
  });
  said.catch(() => undefined);
  return { process: child, said, file };
}
