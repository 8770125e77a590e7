import type { ReachedFile } from '../model/expectations';
import type { PythonModule } from '../text/python/module';
import { eachShellNode } from '../text/shell/nodes';
import type { ShellScript } from '../text/shell/script';

const success =
  /\b(?:pass(?:ed)?|ok(?:ay)?|success(?:ful(?:ly)?)?|all (?:tests|checks) passed|valid|verified|correct|done|good)\b/iu;

/** Texts that a passing program prints and that a file compares with or searches for, as far as they look like it. */
export function successWordsIn({ shell, python }: ReachedFile): readonly string[] {
  const texts = shell !== null ? soughtInShell(shell) : python !== null ? soughtInPython(python) : [];
  return texts.map((text) => text.trim()).filter(isSuccess);
}

export function isSuccess(text: string): boolean {
  return text.length <= 60 && success.test(text) && !/[{}$%\\/]/u.test(text);
}

const comparing = new Set(['grep', 'egrep', 'fgrep', 'rg', '[', '[[', 'test', 'expr']);

function soughtInShell(script: ShellScript): string[] {
  const found = script.commands.flatMap(({ program, args, inline }) => [
    ...(program !== null && comparing.has(program) ? args.flatMap(({ value }) => value ?? []) : []),
    ...(inline === null ? [] : soughtInShell(inline)),
  ]);
  const patterns: string[] = [];
  for (const node of eachShellNode(script.body)) {
    if (node.kind !== 'case') continue;
    for (const arm of node.arms) for (const { value } of arm.patterns) if (value !== null) patterns.push(value);
  }
  return [...found, ...patterns.map((pattern) => pattern.replace(/^\*+|\*+$/gu, ''))];
}

const searching = /^(?:search|match|fullmatch|findall|startswith|endswith|find|index|count|assert(?:Not)?Regex)$/u;

function soughtInPython(module: PythonModule): string[] {
  const sought = [
    ...module.comparisons.flatMap(({ left, right }) => [left, right]),
    ...module.calls.flatMap(({ name, arguments: given }) => (searching.test(name) ? given : [])),
  ];
  sought.sort((a, b) => a.start - b.start);
  return sought.flatMap((node) => {
    const value = module.fold(node);
    const isList = value?.kind === 'list' || value?.kind === 'tuple' || value?.kind === 'set';
    return (isList ? value.items : [value]).flatMap((one) =>
      one?.kind === 'text' || one?.kind === 'bytes' ? [one.text] : [],
    );
  });
}
