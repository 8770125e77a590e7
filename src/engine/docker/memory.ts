import type { EngineClient } from './client';

/** Prints how often the kernel has killed something in this container for want of memory, in either cgroup version. */
const COUNTER_SCRIPT = `
for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r $file ] || continue
  while read -r key count; do [ "$key" = oom_kill ] && echo "killed $count"; done < $file
  exit 0
done
`;

/**
 * Tells whether memory ran out during a command. The engine's flag goes up once and for all, its events come a moment
 * late, and the kernel's counter costs a command of its own: the first two say when it is worth reading the third.
 */
export class MemoryWatch {
  private flagged = false;
  private killed = 0;

  constructor(
    private readonly client: EngineClient,
    private readonly containerId: string,
    /** Milliseconds that the engine's clock is ahead of ours. */
    private readonly clockSkewMs: number,
    private readonly limited: boolean,
    /** Runs a shell script in the container and gives its output; null when that is impossible. */
    private readonly shell: (script: string) => Promise<string | null>,
  ) {}

  async ranOut(flag: boolean, running: boolean, sinceMs: number, suspicious: boolean): Promise<boolean> {
    const fresh = flag && !this.flagged;
    this.flagged = flag;
    if (!running) return fresh;
    const told = fresh || (flag && (await this.eventSince(sinceMs)));
    if (!told && !(suspicious && this.limited)) return false;
    const killed = await this.count();
    if (killed === null) return told;
    const more = killed > this.killed;
    this.killed = killed;
    return more;
  }

  private async count(): Promise<number | null> {
    const match = /^killed (\d+)$/m.exec((await this.shell(COUNTER_SCRIPT)) ?? '');
    return match ? Number(match[1]) : null;
  }

  private async eventSince(sinceMs: number): Promise<boolean> {
    const seconds = (ms: number): string => ((ms + this.clockSkewMs) / 1000).toFixed(3);
    const stream = await this.client.stream({
      method: 'GET',
      path: '/events',
      query: {
        since: seconds(sinceMs),
        until: seconds(Date.now()),
        filters: JSON.stringify({ container: [this.containerId], event: ['oom'] }),
      },
      what: 'list events',
    });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text.trim() !== '';
  }
}
