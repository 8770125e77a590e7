import { describe, expect, it } from 'vitest';
import type { SyntaxNode } from '../../../src/core/text/syntax-tree';
import { grammars } from '../grammars';

function outline(node: SyntaxNode, text: string): string {
  if (node.children.length === 0) return text.slice(node.start, node.end);
  const field = node.field === null ? '' : `${node.field}:`;
  return `${field}${node.type}(${node.children.map((child) => outline(child, text)).join(' ')})`;
}

describe('the grammars', () => {
  it('give a shell script as plain nodes whose ranges are UTF-16 offsets', () => {
    const text = 'echo "🐝" && exit 1\n';
    expect(outline(grammars.bash(text), text)).toBe(
      'program(list(command(name:command_name(echo) argument:string(" 🐝 ")) && command(name:command_name(exit) 1)))',
    );
  });

  it('give a Python module', () => {
    const text = 'def test_a():\n    assert 1 == 1, "no"\n';
    expect(outline(grammars.python(text), text)).toContain('assert_statement(assert comparison_operator(1 == 1)');
  });

  it('give a tree for a text that is no program, however deep it nests', () => {
    expect(grammars.bash('(('.repeat(10_000)).type).toMatch(/program|ERROR/);
    expect(grammars.python('('.repeat(10_000)).type).toMatch(/module|ERROR/);
  });
});
