import { baseName } from '../../model/container-path';
import type { ReachedFile } from '../../model/expectations';
import { hasWord } from '../../model/path-words';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { Import } from '../../text/python/module';
import { claimAt, eachStep, listed } from '../places';
import type { Claim, Rule } from '../rule';
import { isLocal } from './consistency-port-mismatch';

export const consistencyValueUnknownToAgent: Rule = {
  id: 'consistency-value-unknown-to-agent',
  severity: 'information',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'docker', 'texts'],
  needsDisk: true,
  why: 'A name that only the tests know can be met by luck alone.',
  docs: {
    finds:
      'The tests import a name from a module of the agent, or ask its service for a path or at a port, that neither the instruction nor any text of the image mentions. One finding a test file.',
    silent: 'Names of libraries and of the tests themselves, and everything that the image shows.',
    bad: 'from planner import build_plan   # never mentioned',
    good: 'Provide `build_plan(stops)` in `/srv/planner.py`.',
  },
  *check(subject) {
    yield* eachStep(subject, (view) =>
      view.instructions.length === 0
        ? []
        : view.reach.files.flatMap((reached) => [...unknownNames(subject, view, reached)]),
    );
  },
};

function* unknownNames(subject: Subject, view: StepView, reached: ReachedFile): Generator<Claim> {
  const { python, file, via } = reached;
  if (python === null || via === 'read') return;
  const isKnown = (word: string): boolean =>
    hasWord(view.instruction, word) || view.space.texts.some(({ text }) => hasWord(text, word));
  const unknown: { readonly what: string; readonly start: number; readonly end: number }[] = [];
  for (const one of python.imports) {
    if (one.name === null || one.name === '*' || !isAgentModule(view, one)) continue;
    if (!isKnown(one.name)) unknown.push({ what: one.name, start: one.nameNode.start, end: one.nameNode.end });
  }
  for (const contact of view.expectations.contacts) {
    if (contact.file !== file || !isLocal(contact.host)) continue;
    const { route, port } = contact;
    if (port !== null && port >= 1024 && !isKnown(String(port))) unknown.push({ ...contact, what: `port ${port}` });
    const words = (route ?? '').split('/').filter((word) => /^[A-Za-z][\w-]{2,}$/u.test(word));
    if (words.length > 0 && words.every((word) => !isKnown(word))) unknown.push({ ...contact, what: route ?? '' });
  }
  const [first] = unknown;
  if (first === undefined) return;
  const names = [...new Set(unknown.map(({ what }) => what))];
  yield* claimAt(
    subject,
    { file, start: first.start, end: first.end },
    {
      message: `${baseName(file)} uses ${listed(names)}, which neither the instruction nor the image mentions.`,
    },
  );
}

/** A module that the agent writes or finds in the image: the instruction names its file, or the image has it. */
function isAgentModule({ instruction, space, solution, step }: StepView, { module }: Import): boolean {
  const parts = module.split('.');
  const [top = ''] = parts;
  const name = `${parts.at(-1) ?? ''}.py`;
  if (module.startsWith('.') || top === '' || [...step.tests.keys()].some((one) => baseName(one) === name))
    return false;
  if (space.texts.some(({ path }) => path.endsWith(`/${parts.join('/')}.py`))) return true;
  return hasWord(instruction, name) || (hasWord(solution, name) && hasWord(instruction, top));
}
