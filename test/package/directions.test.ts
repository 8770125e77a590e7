import { describe, expect, it } from 'vitest';
import { wrongImports } from './directions';
import { sourceTexts } from './sources';

describe('import directions', () => {
  it('hold in every source file, type-only imports included', () => {
    const sources = sourceTexts();
    expect(sources.size).toBeGreaterThan(10);
    expect(wrongImports(sources)).toEqual([]);
  });

  it.each([
    ['a value', 'src/host/a.ts', "import { x } from '../engine/x';", 'host may not import engine'],
    ['a type', 'src/host/a.ts', "import type { X } from '../cli/x';", 'host may not import cli'],
    ['an export', 'src/core/a.ts', "export { x } from '../node/x';", 'core may not import node'],
    ['a dynamic import', 'src/node/a.ts', "void import('../engine/x');", 'node may not import engine'],
    ['an import type', 'src/host/a.ts', "type X = import('../engine/x').X;", 'host may not import engine'],
    ['a module of Node', 'src/core/a.ts', "import { join } from 'path';", 'core may not import a module of Node'],
    ['the editor', 'src/cli/a.ts', "import * as vscode from 'vscode';", 'only src/host/ may import it'],
    ['the Docker library', 'src/engine/a.ts', "import D from 'dockerode';", 'only src/engine/docker/ may import it'],
    ['outside src', 'src/core/a.ts', "import x from '../../test/x';", 'leaves src'],
    ['code in protocol', 'src/protocol/a.ts', "import { x } from '../core/x';", 'protocol holds types only'],
  ])('are violated by %s', (_what, file, text, why) => {
    expect(wrongImports(new Map([[file, text]])).join('\n')).toContain(why);
  });

  it('allow what the layout allows', () => {
    const text = "import type { X } from '../core/x'; import { readFile } from 'node:fs/promises';";
    expect(wrongImports(new Map([['src/engine/a.ts', text]]))).toEqual([]);
  });
});
