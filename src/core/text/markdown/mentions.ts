import { addressesOf } from './addresses';
import { contextsOf } from './context';
import type { InstructionText, Mentions } from './instruction-text';
import { keysOf } from './keys';
import { namesOf } from './names';
import { numbersOf } from './numbers';
import { pathMentionsOf } from './path-mentions';

/** What an instruction names. Each kind is looked for when it is first asked for. */
export function mentionsOf(text: InstructionText): Mentions {
  const contexts = contextsOf(text);
  const paths = once(() => pathMentionsOf(text, contexts));
  const names = once(() => namesOf(text, contexts));
  const addresses = once(() => addressesOf(text, contexts));
  const numbers = once(() => numbersOf(text, contexts));
  const keys = once(() => keysOf(text, contexts));
  return {
    get paths() {
      return paths().paths;
    },
    get base() {
      return paths().base;
    },
    get routes() {
      return paths().routes;
    },
    get urls() {
      return addresses().urls;
    },
    get ports() {
      return addresses().ports;
    },
    get numbers() {
      return numbers();
    },
    get functions() {
      return names().functions;
    },
    get variables() {
      return names().variables;
    },
    get keys() {
      return keys();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
