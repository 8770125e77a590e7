import type { Register } from './context';

/** Every command, in the order of `--help`. */
export const commands: readonly Register[] = [];
