import type { PythonModule } from '../../text/python/module';
import type { Rule } from '../rule';
import type { Subject } from '../../model/subject';
import type { SyntaxNode } from '../../text/syntax-tree';
import { assertedComparisons, plainText } from './asserted';
import { shortened } from './constant-condition';
import { claimIn, instructionText, isAgentPath, soundModules } from './test-modules';

export const testsExactText: Rule = {
  id: 'tests-exact-text',
  severity: 'information',
  confidence: 'likely',
  inputs: ['py:tests', 'instruction', 'texts'],
  needsDisk: true,
  why: 'A right answer in other words, or with other spacing, would be rejected, and nothing the agent can read says which words are wanted.',
  docs: {
    finds: 'A sentence that an output has to equal exactly, and that no text which the agent can read contains.',
    silent:
      'Sentences that the instruction or a file of `environment/` contains, formats for machines, and single words.',
    bad: 'assert out == "Done: 3 trams late.\\n"',
    good: 'assert int(re.search(r"\\d+", out)[0]) == 3',
  },
  *check(subject) {
    let visible: string | null = null;
    for (const test of soundModules(subject))
      for (const { operator, left, right } of assertedComparisons(test.module)) {
        if (operator !== '==') continue;
        const literal = [left, right].find((side) => isSentence(test.module, side));
        if (literal === undefined) continue;
        const other = literal === left ? right : left;
        const value = test.module.fold(literal);
        if (value?.kind !== 'text' || !isOutput(test.module, other)) continue;
        visible ??= squeezed(visibleText(subject));
        if (visible.includes(squeezed(value.text))) continue;
        yield* claimIn(subject, test, literal, {
          message: `An output has to be exactly \`${shortened(value.text.trim())}\`, which the agent can read nowhere.`,
        });
      }
  },
};

/** Words for people: three of them at least, and no table or program. */
function isSentence(module: PythonModule, side: SyntaxNode): boolean {
  const value = module.fold(side);
  if (value?.kind !== 'text' || value.path || value.text.length > 400) return false;
  const { text } = value;
  const words = text.match(/(?:^|[\s("'])[\p{L}’']{2,}(?=$|[\s.,:;!?)"'])/gu) ?? [];
  return (
    words.length >= 3 &&
    !/[{}<>=|\t]|^\s*[[(]/u.test(text) &&
    text.trim().split('\n').length <= 3 &&
    !text.trimStart().startsWith('/')
  );
}

function isOutput(module: PythonModule, side: SyntaxNode): boolean {
  const plain = plainText(module, side);
  if (plain === null) return false;
  if (plain.output) return true;
  const [use] = module.files.filter((one) => one.node === plain.call.node && one.action === 'read');
  return use !== undefined && isAgentPath(use.path);
}

function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ').trim();
}

function visibleText(subject: Subject): string {
  const texts = [instructionText(subject)];
  for (const [path, { text }] of subject.disk?.texts ?? [])
    if (text !== null && (path.startsWith('environment/') || /^steps\/[^/]+\/workdir\//u.test(path))) texts.push(text);
  return texts.join('\n');
}
