import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface HostTest {
  readonly name: string;
  readonly run: () => Promise<void> | void;
}

interface Outcome {
  readonly name: string;
  readonly ms: number;
  readonly failure: string | null;
}

/**
 * Runs tests one after the other inside the extension host and writes what came out where the rig looks for it. The
 * promise rejects when one failed, which is how VS Code's own protocol hears of it.
 */
export async function runTests(
  tests: readonly HostTest[],
  facts: () => Record<string, unknown> = () => ({}),
): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of tests) {
    const started = performance.now();
    let failure: string | null = null;
    try {
      await within(120_000, run, name);
    } catch (error) {
      failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    outcomes.push({ name, ms: Math.round(performance.now() - started), failure });
  }
  const file = process.env.TASKWRIGHT_HOST_RESULTS;
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ outcomes, facts: facts() }));
  }
  const failed = outcomes.filter(({ failure }) => failure !== null);
  if (failed.length > 0) throw new Error(failed.map(({ name, failure }) => `${name}\n${failure ?? ''}`).join('\n\n'));
}

/** Waits until a condition holds; says what was awaited when it does not within the time. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  holds: (value: T) => boolean,
  ms = 30_000,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`${what}: still not so after ${ms} ms; last seen: ${show(value)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function show(value: unknown): string {
  return typeof value === 'string' ? `\n${value}` : JSON.stringify(value, null, 2);
}

async function within(ms: number, run: () => Promise<void> | void, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      run(),
      new Promise<never>((_, fail) => {
        timer = setTimeout(() => {
          fail(new Error(`${name} did not end within ${ms / 1000} s`));
        }, ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
