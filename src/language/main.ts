import { createConnection, LSPErrorCodes, ProposedFeatures } from 'vscode-languageserver/node';
import path from 'node:path';
import { nodeFiles } from '../node/files';
import { loadGrammars } from '../node/grammars';
import type { Grammars } from '../core/text/syntax-tree';
import { serve } from './server';

// The transport is what the command line says: --node-ipc, --stdio, --socket=N or --pipe=NAME.
const connection = createConnection(ProposedFeatures.all, {
  // What was cancelled before its turn came is not begun.
  connectionStrategy: {
    cancelUndispatched: (message) => ({
      jsonrpc: message.jsonrpc,
      id: 'id' in message ? (message.id as number) : null,
      error: { code: LSPErrorCodes.RequestCancelled, message: 'cancelled' },
    }),
  },
});

let grammars: Promise<Grammars | null> | null = null;

serve(connection, {
  files: nodeFiles,
  grammars: () => {
    grammars ??= loadGrammars((file) => path.join(__dirname, 'grammars', path.basename(file))).catch(
      (error: unknown) => {
        connection.console.error(
          `Shell and Python are not read: ${error instanceof Error ? error.message : String(error)}`,
        );
        return null;
      },
    );
    return grammars;
  },
  variables: Object.keys(process.env).filter((name) => !/^(?:VSCODE|ELECTRON|npm|_)/u.test(name)),
});
connection.listen();
