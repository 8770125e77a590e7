import type { Facts } from './facts';

export interface FactFile {
  /** Relative to the folder of the script, with `/`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes facts so that a script can read them with nothing but a shell: `facts/facts.json` has everything, the others
 * are lists with one entry a line. `outputs.tsv` and `examples.tsv` have two columns, kind and path, name of the file in
 * `facts/examples/` and output. A list without entries is an empty file. A blind cheat gets nothing of what was read in
 * `tests/`.
 */
export function factFiles(
  facts: Facts,
  rewardKey: string | null,
  knowledge: 'blind' | 'informed',
): readonly FactFile[] {
  const examples = facts.examples.flatMap(({ text, output }, index) =>
    output === null ? [] : [{ name: `${index + 1}.txt`, text, output }],
  );
  const { outputs, inputs, keys, ports, workdir } = facts;
  const known = knowledge === 'informed' ? facts : { outputs, inputs, examples: facts.examples, keys, ports, workdir };
  return [
    { name: 'facts/facts.json', text: `${JSON.stringify(known, null, 2)}\n` },
    { name: 'facts/outputs.tsv', text: lines(outputs.map(({ kind, path }) => `${kind}\t${path}`)) },
    { name: 'facts/inputs.txt', text: lines(inputs) },
    { name: 'facts/examples.tsv', text: lines(examples.map(({ name, output }) => `${name}\t${output}`)) },
    ...examples.map(({ name, text }) => ({ name: `facts/examples/${name}`, text })),
    { name: 'facts/keys.txt', text: lines(keys) },
    { name: 'facts/reward-key.json', text: `${JSON.stringify(rewardKey ?? 'reward')}\n` },
    ...(knowledge === 'blind'
      ? []
      : [
          { name: 'facts/third-party-imports.txt', text: lines(facts.thirdPartyImports) },
          { name: 'facts/graders.txt', text: lines(facts.graders) },
          { name: 'facts/success-words.txt', text: lines(facts.successWords) },
        ]),
  ];
}

function lines(entries: readonly string[]): string {
  return entries
    .filter((entry) => !entry.includes('\n'))
    .map((entry) => `${entry}\n`)
    .join('');
}
