// What src/core may use beyond the language: it stands in every JavaScript there is. tsconfig.core.json has neither the
// types of Node nor those of browsers, so anything else does not compile.
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
interface AbortSignal {
  readonly aborted: boolean;
}
