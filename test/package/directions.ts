import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';

/** What each folder of src may import besides itself, type-only imports included. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  protocol: ['core'],
  node: ['core'],
  engine: ['core', 'protocol', 'node'],
  cli: ['core', 'protocol', 'node', 'engine'],
  host: ['core', 'protocol', 'node'],
  language: ['core', 'protocol', 'node'],
  webview: ['core', 'protocol'],
};

/** Folders that run anywhere, a browser included. */
const pure = new Set(['core', 'protocol', 'webview']);

/** Packages that only one folder may know. */
const reserved: readonly { readonly name: RegExp; readonly folder: string }[] = [
  { name: /^vscode$/, folder: 'src/host/' },
  { name: /^(dockerode|docker-modem|ssh2)$/, folder: 'src/engine/docker/' },
  { name: /^commander$/, folder: 'src/cli/' },
];

/** Every import that goes the wrong way, as `file -> what: why`. */
export function wrongImports(sources: ReadonlyMap<string, string>): readonly string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    const from = folderOf(file);
    const complaint = (specifier: string): string | null => {
      if (from === null || !(from in allowed)) return `src has no folder ${from ?? '(none)'}`;
      if (specifier.startsWith('.')) {
        const target = posix.join(posix.dirname(file), specifier);
        // The command line tells its version.
        if (from === 'cli' && target === 'package.json') return null;
        const to = folderOf(target);
        if (!target.startsWith('src/') || to === null) return 'leaves src';
        if (to !== from && !allowed[from]?.includes(to)) return `${from} may not import ${to}`;
        return null;
      }
      if (pure.has(from) && isBuiltin(specifier)) return `${from} may not import a module of Node`;
      const rule = reserved.find(({ name }) => name.test(specifier));
      if (rule !== undefined && !file.startsWith(rule.folder)) return `only ${rule.folder} may import it`;
      return null;
    };
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const why = complaint(fileName);
      if (why !== null) wrong.push(`${file} -> ${fileName}: ${why}`);
    }
    if (from === 'protocol' && hasValueImport(text)) wrong.push(`${file}: protocol holds types only`);
  }
  return wrong;
}

function folderOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function hasValueImport(text: string): boolean {
  const file = ts.createSourceFile('protocol.ts', text, ts.ScriptTarget.Latest);
  return file.statements.some(
    (node) => ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword,
  );
}
