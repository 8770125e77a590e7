import type { Probe } from './facts';

/** Reads what `probe.sh` printed; a line without `=` is no answer. */
export function parseProbe(output: string): Probe {
  return output.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf('=');
    return at < 1 ? [] : [{ key: line.slice(0, at), value: line.slice(at + 1) }];
  });
}

/** Every value of a key, in order. */
export function probed(probe: Probe, key: string): readonly string[] {
  return probe.filter((entry) => entry.key === key).map(({ value }) => value);
}

/** True when the probe ran to its end. */
export function isWhole(probe: Probe): boolean {
  return probe.at(-1)?.key === 'end';
}
