import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkTask } from '../../../src/core/rules/check';
import { nodeFiles } from '../../../src/node/files';
import { grammars } from '../grammars';

/** What the rules say of an example, as `severity rule`, each once. */
async function said(example: string): Promise<readonly string[]> {
  const findings = await checkTask(nodeFiles, join(import.meta.dirname, '../../../examples', example), {
    grammars,
    onTrouble: (ruleId, error) => {
      throw new Error(`${ruleId} threw`, { cause: error });
    },
  });
  return [...new Set(findings.map(({ severity, ruleId }) => `${severity} ${ruleId}`))].sort();
}

const serious = (all: readonly string[]): readonly string[] => all.filter((one) => /^(?:error|warning) /u.test(one));

test('the sound example has nothing at error or warning', async () => {
  expect(serious(await said('log-shipper'))).toEqual([]);
});

test.each([
  ['log-shipper-fixed-sleep', 'warning tests-fixed-sleep'],
  ['log-shipper-source-grep', 'warning tests-source-grep'],
  ['log-shipper-lost-reward', 'error verifier-errexit-skips-reward'],
  // It asks whether each line is in the output, and accepts more.
  ['log-shipper-lines-present', 'information tests-substring-only'],
])('the flaw planted in %s is found, and no other one is seen there', async (example, finding) => {
  const all = await said(example);
  expect(all).toContain(finding);
  expect(serious(all).filter((one) => one !== finding)).toEqual([]);
});
