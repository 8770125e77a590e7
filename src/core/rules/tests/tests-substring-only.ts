import type { PythonModule } from '../../text/python/module';
import { originsOf } from '../../text/python/origins';
import type { Rule } from '../rule';
import { plainText } from './asserted';
import { shortened } from './constant-condition';
import type { Search } from './tests-source-grep';
import { searches } from './tests-source-grep';
import type { TestModule } from './test-modules';
import { claimIn, isAgentPath, soundModules } from './test-modules';

export const testsSubstringOnly: Rule = {
  id: 'tests-substring-only',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests'],
  needsDisk: true,
  why: 'A test that only looks for short pieces is loose: extra, repeated or contradictory content passes as well.',
  docs: {
    finds: 'An output file of the agent that is checked by nothing but `x in text` or a search for short pieces.',
    silent:
      'Pieces of 30 characters or more, outputs that some test compares or parses, source code, and documents for people.',
    bad: 'assert "14" in text',
    good: 'assert text.split() == ["14"]',
  },
  *check(subject) {
    const modules = soundModules(subject);
    const byFile = new Map<string, { readonly test: TestModule; readonly search: Search }[]>();
    for (const test of modules)
      for (const search of searches(test.module)) {
        const path = search.negative ? null : searchedFile(test.module, search);
        if (path === null) continue;
        const known = byFile.get(path);
        if (known === undefined) byFile.set(path, [{ test, search }]);
        else known.push({ test, search });
      }
    for (const [path, found] of byFile) {
      const [first] = found;
      if (first === undefined || !found.every(({ search }) => isShort(search))) continue;
      const own = new Set(found.map(({ search }) => search.node));
      if (modules.some(({ module }) => isJudgedOtherwise(module, path, own))) continue;
      yield* claimIn(subject, first.test, first.search.node, {
        message: `${path} is only searched for ${found.length === 1 ? `\`${shortened(first.search.words ?? '')}\`` : `${found.length} short pieces`}, so that it may hold anything else besides.`,
      });
    }
  },
};

const prose = /\.(?:md|rst|html?|tex|adoc)$|(?:^|\/)readme/iu;
const code = /\.(?:py|js|mjs|ts|tsx|jsx|c|h|cc|cpp|hpp|go|rs|java|rb|kt|php|cs|pl|lua|hs|ml|jl|sh|bash|sql)$/iu;

function searchedFile(module: PythonModule, { text }: Search): string | null {
  const plain = plainText(module, text);
  if (plain === null || plain.output) return null;
  const [use] = module.files.filter((one) => one.node === plain.call.node && one.action === 'read');
  const path = use?.path ?? null;
  return path !== null && isAgentPath(path) && !prose.test(path.text) && !code.test(path.text) ? path.text : null;
}

function isShort({ words, pattern }: Search): boolean {
  // A pattern that is anchored at both ends bounds what else there is.
  return words !== null && words.length < 30 && !(pattern && /^\^|\$$|\\[AZ]/u.test(words));
}

/** Whether any other assertion, or a helper that is given the file, looks at it. */
function isJudgedOtherwise(module: PythonModule, path: string, own: ReadonlySet<unknown>): boolean {
  const reads = module.files.filter((use) => use.action === 'read' && use.path?.text === path);
  if (reads.length === 0)
    return module.commands.some(({ argv, shell }) => argv?.includes(path) === true || shell?.includes(path) === true);
  for (const comparison of module.comparisons) {
    if (own.has(comparison.node) || comparison.operator === 'not in') continue;
    // `text != ""` and `len(text) > 0` bound nothing.
    const bound = module.fold(comparison.right);
    if ((bound?.kind === 'text' && bound.text === '') || (bound?.kind === 'number' && bound.value === 0)) continue;
    for (const side of [comparison.left, comparison.right])
      if (originsOf(module, side).files.some((use) => use.action === 'read' && use.path?.text === path)) return true;
  }
  // Checks that are no comparison: `assert isinstance`, `validate(data)`.
  return module.calls.some(
    (call) =>
      !/^(?:exists|is_file|read|read_text|open|strip|lower|print|len|search|findall|match|split|splitlines|decode|str|Path)$/u.test(
        call.name,
      ) &&
      call.arguments.some((argument) =>
        originsOf(module, argument).files.some(
          (use) => use.action === 'read' && use.path?.text === path && use.node !== call.node,
        ),
      ),
  );
}
