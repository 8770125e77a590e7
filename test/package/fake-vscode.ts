import { createRequire } from 'node:module';
import Module from 'node:module';

/**
 * Loads the extension's bundle with a `vscode` that answers everything with nothing, activates it, and tells which
 * commands it registered. Not a stand-in for the editor, in which test/host runs: only a way to read the registrations.
 */
export async function registeredCommands(bundle: string, extensionPath: string): Promise<readonly string[]> {
  const registered: string[] = [];
  const vscode = nothing({
    registerCommand: (id: string) => {
      registered.push(id);
      return { dispose: () => undefined };
    },
    asAbsolutePath: (path: string) => path,
    ExtensionMode: { Production: 1, Development: 2, Test: 3 },
    extensionMode: 1,
    extensionPath,
    workspaceFolders: [],
    // A fresh array: the extension fills it.
    subscriptions: [],
  });
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));
  try {
    const extension = createRequire(bundle)(bundle) as { activate: (context: unknown) => unknown };
    await extension.activate(vscode);
    return registered;
  } finally {
    loader._load = load;
  }
}

/** Every property is the like again, every call and every `new` too; `known` are the exceptions, at any depth. */
function nothing(known: Readonly<Record<string, unknown>>): unknown {
  // Only a function can be called and constructed through a proxy.
  const callable = function callable() {
    return undefined;
  };
  const proxy: unknown = new Proxy(callable, {
    get: (target, key) => {
      if (key === 'prototype') return target.prototype as unknown;
      // Awaited, iterated or turned into text it has to end somewhere.
      if (key === 'then') return undefined;
      if (key === Symbol.iterator) return () => [][Symbol.iterator]();
      if (key === Symbol.toPrimitive) return () => '';
      return typeof key === 'string' && key in known ? known[key] : proxy;
    },
    apply: () => proxy,
    construct: (target, args, newTarget) =>
      // A class of the extension that extends one of the editor's gets a real object.
      newTarget === proxy ? proxy : (Reflect.construct(target, args, newTarget) as object),
    has: () => true,
    set: () => true,
  });
  return proxy;
}
