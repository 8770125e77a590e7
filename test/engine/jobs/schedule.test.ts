import { describe, expect, it } from 'vitest';
import { capacityOf, needOf, Schedule, type Need, type Release } from '../../../src/engine/job/schedule';

const gib = 1024 ** 3;
const never = new AbortController().signal;
const small: Need = { cpus: 1, memoryBytes: gib };

/** Lets what has been granted become visible. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await Promise.resolve();
}

function asker(schedule: Schedule): {
  ask: (name: string, need: Need, signal?: AbortSignal) => void;
  running: Map<string, Release>;
  gone: string[];
} {
  const running = new Map<string, Release>();
  const gone: string[] = [];
  const ask = (name: string, need: Need, signal = never): void => {
    void schedule.acquire(need, signal).then((release) => {
      if (release) running.set(name, release);
      else gone.push(name);
    });
  };
  return { ask, running, gone };
}

describe('trials side by side', () => {
  it('as many as fit, the others in the order they came', async () => {
    const { ask, running } = asker(new Schedule({ trials: 4, cpus: 2, memoryBytes: 8 * gib }));
    for (const name of ['a', 'b', 'c', 'd']) ask(name, small);
    await settle();
    expect([...running.keys()]).toEqual(['a', 'b']);
    running.get('a')!();
    running.get('a')!();
    await settle();
    expect([...running.keys()]).toEqual(['a', 'b', 'c']);
  });

  it('by memory and by number too', async () => {
    const memory = asker(new Schedule({ trials: 9, cpus: 99, memoryBytes: 2 * gib }));
    for (const name of ['a', 'b', 'c']) memory.ask(name, small);
    const number = asker(new Schedule({ trials: 1, cpus: 99, memoryBytes: 99 * gib }));
    for (const name of ['a', 'b']) number.ask(name, small);
    await settle();
    expect([memory.running.size, number.running.size]).toEqual([2, 1]);
  });

  it('a large one is not overtaken, and runs alone when nothing else does', async () => {
    const { ask, running } = asker(new Schedule({ trials: 4, cpus: 2, memoryBytes: 2 * gib }));
    ask('a', small);
    ask('large', { cpus: 16, memoryBytes: 64 * gib });
    ask('b', small);
    await settle();
    expect([...running.keys()]).toEqual(['a']);
    running.get('a')!();
    await settle();
    expect([...running.keys()]).toEqual(['a', 'large']);
    running.get('large')!();
    await settle();
    expect([...running.keys()]).toEqual(['a', 'large', 'b']);
  });

  it('whoever stops waiting lets the next one in', async () => {
    const { ask, running, gone } = asker(new Schedule({ trials: 4, cpus: 2, memoryBytes: 2 * gib }));
    const stop = new AbortController();
    ask('a', small);
    ask('large', { cpus: 16, memoryBytes: gib }, stop.signal);
    ask('b', small);
    stop.abort();
    await settle();
    expect([[...running.keys()], gone]).toEqual([['a', 'b'], ['large']]);
    ask('late', small, stop.signal);
    await settle();
    expect(gone).toEqual(['large', 'late']);
  });

  it('counts what a task declares, and little where it declares nothing', () => {
    expect(needOf({ cpus: 3, memory_mb: 2048 })).toEqual({ cpus: 3, memoryBytes: 2 * gib });
    expect(needOf({ cpus: 0, memory_mb: -1 })).toEqual(needOf(null));
    expect(capacityOf({ cpus: 2, memoryBytes: gib }, null)).toEqual({ trials: 4, cpus: 2, memoryBytes: gib });
    expect(capacityOf({ cpus: 2, memoryBytes: gib }, 8)).toEqual({ trials: 8, cpus: Infinity, memoryBytes: gib });
  });
});
