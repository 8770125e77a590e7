import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError, type SandboxEngine } from '../../../src/engine/sandbox';
import { CAN_RUN_SECOND_ENGINE, importTinyImage, startSecondEngine, type SecondEngine } from './second-engine';
import { connectForTest, folderOf, NEVER, run, specOf, startForTest, until } from './support';

const TINY = 'tiny:1';

// Visible as skipped where it cannot be: only root can run an engine of its own, and only Linux has one to run.
describe.skipIf(!CAN_RUN_SECOND_ENGINE)('an engine that is stopped in the middle (needs root and dockerd)', () => {
  let second: SecondEngine;
  let engine: SandboxEngine;

  beforeEach(async () => {
    second = await startSecondEngine();
    importTinyImage(second, TINY);
    engine = await connectForTest({ host: second.host });
  });
  afterEach(async () => {
    await engine[Symbol.asyncDispose]();
    await second.remove();
  });

  it('ends a command, a build and every later request with a word, and soon', async () => {
    const image = await engine.prepareImage({ kind: 'image', reference: TINY }, { signal: NEVER, limitSec: 30 });
    if (!image.ok) throw new Error(image.message);
    const sandbox = await startForTest(engine, image.image);
    const contextDir = await folderOf({ Dockerfile: `FROM ${TINY}\nRUN echo building && sleep 900\n` });
    let commandRuns = false;
    let buildRuns = false;
    const running = run(sandbox, 'echo up; sleep 900', { onOutput: () => (commandRuns = true) }).then(
      (exit) => exit.ended,
      (error: unknown) => error,
    );
    const building = engine.prepareImage(
      { kind: 'build', contextDir, dockerfile: 'Dockerfile' },
      { signal: NEVER, limitSec: 90, onOutput: () => (buildRuns = true) },
    );
    await until('both run', () => commandRuns && buildRuns);
    second.process.kill('SIGTERM');
    const began = performance.now();
    const command = await running;
    // The engine kills its containers before it goes: whichever is seen first.
    if (command !== 'container-gone') expect(command).toBeInstanceOf(EngineError);
    const built = await building;
    expect(built.ok).toBe(false);
    expect(performance.now() - began).toBeLessThan(20_000);
    await until('the engine is gone', () => second.process.exitCode !== null);

    const after = performance.now();
    await expect(run(sandbox, 'true')).rejects.toThrow(EngineError);
    await expect(run(sandbox, 'true')).rejects.toThrow(second.host);
    const started = await engine.start(specOf(image.image));
    expect(started).toMatchObject({ ok: false, reason: 'engine-failed' });
    expect(started.ok ? '' : started.message).toContain('Is it still running?');
    await image.release();
    const again = await engine.prepareImage({ kind: 'image', reference: TINY }, { signal: NEVER, limitSec: 30 });
    expect(again).toMatchObject({ ok: false, reason: 'engine-failed' });
    await expect(engine.reap()).rejects.toThrow(EngineError);
    await sandbox[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    expect(performance.now() - after).toBeLessThan(10_000);
    await rm(contextDir, { recursive: true, force: true });
  });
});
