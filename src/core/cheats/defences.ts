/** What a defence of cheats.md, section 5, asks of an author, as a sentence without names. */
export function defence(id: string): string | null {
  switch (id) {
    case 'D-content':
      return 'Compare the whole content with values that the test works out by itself.';
    case 'D-exact':
      return 'Compare for full equality, or count: reject what is there twice, or in another order, or too much.';
    case 'D-clear':
      return 'At the top of tests/test.sh, close the folder (chmod 700 /logs/verifier), then remove both reward files (rm -rf).';
    case 'D-default-zero':
      return 'Let tests/test.sh write a reward on every path, also when it stops early.';
    case 'D-pytest':
      return 'Pin pytest down: -c /dev/null --rootdir=/tests --noconftest -p no:cacheprovider, and PYTEST_DISABLE_PLUGIN_AUTOLOAD=1.';
    case 'D-isolated':
      return 'Start the interpreter with python3 -I, with an empty environment (env -i), from a folder that no agent can write.';
    case 'D-graders-in-tests':
      return 'Keep the programs that check in tests/, which is uploaded only after the agent.';
    default:
      return null;
  }
}
