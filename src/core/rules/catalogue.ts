import { composeRules } from './compose/list';
import { configRules } from './config/list';
import { consistencyRules } from './consistency/list';
import { dockerRules } from './docker/list';
import { hygieneRules } from './hygiene/list';
import { instructionRules } from './instruction/list';
import { rubricRules } from './rubric/list';
import { solutionRules } from './solution/list';
import { structureRules } from './structure/list';
import { suppressionRules } from './suppression/list';
import { testsRules } from './tests/list';
import { verifierRules } from './verifier/list';
import type { Rule } from './rule';

/** Every static rule there is, in the order of the documentation. */
export const rules: readonly Rule[] = [
  ...structureRules,
  ...configRules,
  ...dockerRules,
  ...composeRules,
  ...instructionRules,
  ...verifierRules,
  ...testsRules,
  ...solutionRules,
  ...consistencyRules,
  ...hygieneRules,
  ...rubricRules,
  ...suppressionRules,
];

/** Those that judge the configuration and the folders it names: what the reading of a task shows by itself. */
export const configurationRules: readonly Rule[] = [...structureRules, ...configRules];
