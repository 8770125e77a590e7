import { bakedAnswers } from '../../model/baked-answers';
import { claimAt, once, relatedTo } from '../places';
import type { Rule } from '../rule';

export const dockerBakesAnswer: Rule = {
  id: 'docker-bakes-answer',
  severity: 'error',
  confidence: 'likely',
  inputs: ['docker', 'py:tests', 'instruction'],
  needsDisk: true,
  why: 'An agent looks around before it works. An answer that lies in its image is found and copied, and where the tests read it there, it can be changed as well.',
  docs: {
    finds:
      'A file of the final image that the tests read the expected value from, or whose whole content is a value that they expect. It is a warning where only the name says so: `expected`, `golden`, `answer`, `truth`, `oracle` or `solution`, in a data file that nothing mentions.',
    silent:
      'Files that the instruction names, values computed from inputs, files that a later command removes or that stay in a builder stage, and the files of a project’s own tests.',
    bad: 'RUN echo 731598 > /opt/.checksum\n# test: assert total == int(open("/opt/.checksum").read())',
    good: '# tests/expected_total.txt\n# test: assert total == int(open("/tests/expected_total.txt").read())',
  },
  *check(subject) {
    for (const { image, file, path, how, proof } of subject.derive(bakedAnswers)) {
      yield* once(
        claimAt(
          subject,
          { file: image.file, start: file.start, end: file.end },
          {
            severity: how === 'name' ? 'warning' : 'error',
            confidence: how === 'name' ? 'possible' : 'likely',
            message:
              how === 'read'
                ? `The tests take the expected value from ${path}, which the agent can read and change.`
                : how === 'equal'
                  ? `${path} holds a value that the tests expect, so the agent can read it instead of finding it.`
                  : `${path} is in the agent’s image, is called like an answer, and nothing mentions it.`,
            related: relatedTo(
              subject,
              proof,
              how === 'read' ? 'The test reads it here.' : 'The test expects it here.',
            ),
            section: path,
          },
        ),
      );
    }
  },
};
