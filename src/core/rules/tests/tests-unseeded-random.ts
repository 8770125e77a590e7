import type { PythonFunction, PythonModule, RandomUse } from '../../text/python/module';
import { isWithin } from '../../text/python/checks';
import type { Rule } from '../rule';
import { claimIn, isIn, soundModules } from './test-modules';

export const testsUnseededRandom: Rule = {
  id: 'tests-unseeded-random',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A run that drew unlucky numbers cannot be repeated, so nobody can tell a wrong answer from a bad test.',
  docs: {
    finds:
      'Random inputs or samples without a fixed seed. Information where the test compares with a result that it computes itself, as then only the seed is missing from the log.',
    silent: 'Seeded generators, names of scratch files, ports, tokens and identifiers.',
    bad: 'xs = random.sample(range(999), 20)',
    good: 'rng = random.Random(7)\nxs = rng.sample(range(999), 20)',
  },
  *check(subject) {
    for (const test of soundModules(subject)) {
      const { module } = test;
      const told = new Set<PythonFunction | null>();
      for (const use of module.randoms) {
        const owner = use.block.function;
        if (
          use.seeded ||
          told.has(owner) ||
          !/^(?:random|numpy\.random|faker)$/u.test(use.source) ||
          isName(module, use)
        )
          continue;
        told.add(owner);
        const recomputed = isRecomputed(module, owner);
        yield* claimIn(subject, test, use.node, {
          ...(recomputed && { severity: 'information' as const }),
          message: recomputed
            ? `\`${module.source(use.node).slice(0, 50)}\` draws other inputs in every run and the seed is nowhere told, so that a failing run cannot be repeated.`
            : `\`${module.source(use.node).slice(0, 50)}\` has no fixed seed, so that every run tests something else.`,
        });
      }
    }
  },
};

/** Chance that only makes a name, a port or a secret, or a pause. */
function isName(module: PythonModule, { call, node }: RandomUse): boolean {
  for (const statement of call.block.statements) {
    if (statement.start > node.start || statement.end < node.end) continue;
    const source = module.source(statement).slice(0, 400);
    return (
      /^\s*\w*(?:name|id|ident|suffix|prefix|port|tmp|temp|token|user|nonce|key|secret|salt|marker|canary|tag|path|file|dir|jitter|delay|slug|label|email|password|seed)\w*\s*=/i.test(
        source,
      ) || /\b(?:sleep|ascii_lowercase|ascii_letters|hexdigits|getrandbits|randbytes)\b/u.test(source)
    );
  }
  return false;
}

/** Whether the function, or a test that calls it, compares two values that both are computed. */
function isRecomputed(module: PythonModule, owner: PythonFunction | null): boolean {
  return module.comparisons.some(({ operator, left, right, block }) => {
    if (operator !== '==' && operator !== '!=') return false;
    if (module.fold(left) !== null || module.fold(right) !== null) return false;
    return owner === null || isIn(block, owner.body) || isCalledFrom(module, owner, block.function);
  });
}

function isCalledFrom(module: PythonModule, called: PythonFunction, from: PythonFunction | null): boolean {
  return (
    from !== null &&
    (from.parameters.some(({ name }) => name === called.name) ||
      module.calls.some((call) => isWithin(call.block.function, from) && module.functionOf(call) === called))
  );
}
