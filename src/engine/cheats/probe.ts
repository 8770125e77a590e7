import type { Facts, Probe } from '../../core/cheats/facts';
import { isWhole, parseProbe } from '../../core/cheats/probe';
import type { Image, SandboxEngine } from '../sandbox';
import { EngineError } from '../sandbox';

export interface ProbeTarget {
  readonly image: Image;
  /** The agent's; null is the image's own. */
  readonly user: string | number | null;
  /** null is the image's own. */
  readonly workdir: string | null;
  /** The folders that the instruction names are looked at as well. */
  readonly facts: Facts;
  readonly signal: AbortSignal;
}

/** Answers null where the image could not be probed: nothing is known then, and nothing may be concluded. */
export type Prober = (target: ProbeTarget) => Promise<Probe | null>;

const probeLimit = 60;

/** Looks at images of one engine, at each one once, in a container of its own without a network. */
export function createProber(engine: SandboxEngine, script: string): Prober {
  const known = new Map<string, Promise<Probe | null>>();
  return async (target) => {
    const folders = foldersOf(target.facts);
    const key = JSON.stringify([target.image.id, target.user, target.workdir, folders]);
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    // An engine that broke off shows in the trials; here it only means that nothing is known.
    const probing = probe(engine, script, target, folders).catch((error: unknown) => {
      if (error instanceof EngineError) return null;
      throw error;
    });
    known.set(key, probing);
    const found = await probing;
    // What failed, or was cancelled, may work the next time.
    if (found === null) known.delete(key);
    return found;
  };
}

async function probe(
  engine: SandboxEngine,
  script: string,
  { image, user, workdir, signal }: ProbeTarget,
  folders: readonly string[],
): Promise<Probe | null> {
  const started = await engine.start({
    image,
    name: 'probe',
    cpus: 1,
    memoryMb: 512,
    pidsLimit: 256,
    env: {},
    workdir,
    network: 'no-network',
    logFolders: ['/logs/agent', '/logs/verifier', '/logs/artifacts'],
    signal,
    limitSec: probeLimit,
  });
  if (!started.ok) return null;
  await using sandbox = started.sandbox;
  const exit = await sandbox.exec(
    { argv: ['sh', '-c', script, 'probe.sh', ...folders], user, cwd: null, env: {} },
    { limitSec: probeLimit, idleLimitSec: null, signal },
  );
  const found = parseProbe(exit.stdout.text);
  return isWhole(found) ? found : null;
}

/** The folders of the paths that the instruction names, at most twenty. */
function foldersOf(facts: Facts): readonly string[] {
  const paths = [...facts.outputs.map(({ path }) => path), ...facts.inputs];
  return [...new Set(paths.map((path) => path.replace(/\/[^/]*$/, '') || '/'))].sort().slice(0, 20);
}
