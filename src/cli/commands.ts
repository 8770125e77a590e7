import type { Register } from './context';
import { registerCheck } from './check';
import { registerDoctor } from './doctor';
import { registerGate } from './gate';
import { registerNew } from './new';
import { registerRun } from './run';
import { registerSchema } from './schema';

/** Every command, in the order of `--help`. */
export const commands: readonly Register[] = [
  registerCheck,
  registerGate,
  registerRun,
  registerNew,
  registerSchema,
  registerDoctor,
];
