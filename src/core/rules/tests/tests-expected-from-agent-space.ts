import { baseName } from '../../model/container-path';
import type { ComparedFiles } from '../../model/compared-files';
import { comparedFiles } from '../../model/compared-files';
import { expectedPath } from '../../model/expected-path';
import { isNamed } from '../../model/path-words';
import { bakedAnswers } from '../../model/baked-answers';
import { claimAt, once } from '../places';
import type { Claim, Rule } from '../rule';
import type { Subject } from '../../model/subject';

export const testsExpectedFromAgentSpace: Rule = {
  id: 'tests-expected-from-agent-space',
  severity: 'error',
  confidence: 'likely',
  inputs: ['py:tests', 'docker', 'instruction'],
  needsDisk: true,
  why: 'When the agent can write to the file that its work is compared with, it can make both sides say the same.',
  docs: {
    finds:
      'In a shared container, a test compares what the agent made with a value that it reads, as it stands, from a file that the agent can change. It is information where the instruction hands that file out as input.',
    silent:
      'Files below `/tests`, files that the test writes itself, values that are computed from inputs, and two outputs that are compared with each other.',
    bad: 'want = json.load(open("/srv/ref/want.json"))\nassert json.load(open("/srv/plan.json")) == want',
    good: 'want = json.load(open("/tests/want.json"))\nassert json.load(open("/srv/plan.json")) == want',
  },
  *check(subject) {
    const baked = new Set(subject.derive(bakedAnswers).map(({ path }) => path));
    yield* once(subject.derive(comparedFiles).flatMap((one) => [...claims(subject, one, baked)]));
  },
};

function* claims(subject: Subject, one: ComparedFiles, baked: ReadonlySet<string>): Generator<Claim> {
  if (one.view.step.verifier === 'separate') return;
  for (const [expected, actual] of [
    [one.left, one.right],
    [one.right, one.left],
  ] as const) {
    const path = expectedPath(expected, actual, one);
    if (path === null || baked.has(path.path)) continue;
    const named = isNamed(one.view.instruction, path.path);
    const place = path.use.literal ?? path.use.pathNode;
    yield* claimAt(
      subject,
      { file: one.reached.file, start: place.start, end: place.end },
      {
        severity: named ? 'information' : 'error',
        message: named
          ? `The expected value is read from ${path.path}, which the agent is given and can change: a copy in tests/ could not be.`
          : `The expected value is read from ${path.path}, where the agent can change it to whatever it made.`,
        section: baseName(path.path),
      },
    );
    return;
  }
}
