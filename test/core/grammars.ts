import { createRequire } from 'node:module';
import { loadGrammars } from '../../src/node/grammars';

/** The real parsers, once for a test file. */
export const grammars = await loadGrammars(createRequire(import.meta.url).resolve);
