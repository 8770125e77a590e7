import { claimAt } from '../places';
import type { Rule } from '../rule';
import { fixIn } from '../file-fix';
import { builds, ownInstructions } from './builds';

export const dockerNoWorkdir: Rule = {
  id: 'docker-no-workdir',
  severity: 'information',
  confidence: 'certain',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'Without a working directory the agent and the verifier start in /, and relative paths mean something else than their author thought.',
  docs: {
    finds: 'A final stage without `WORKDIR`, where neither `[environment].workdir` nor the base image sets one.',
    silent: 'Base images that set one, or about which nothing is known.',
    bad: 'FROM debian:12.8-slim\nCOPY tides.csv /srv/tides/',
    good: 'FROM debian:12.8-slim\nCOPY tides.csv /srv/tides/\nWORKDIR /srv/tides',
  },
  *check(subject) {
    if (subject.toml?.config?.environment.workdir !== null) return;
    for (const { image, role } of subject.derive(builds)) {
      if (role !== 'agent' || image.base?.facts?.workdir !== '/') continue;
      const own = ownInstructions(image);
      if (own.some(({ keyword }) => keyword === 'WORKDIR')) continue;
      const stage = image.dockerfile.stages[image.finalStage];
      const last = own.at(-1);
      if (stage === undefined || last === undefined) continue;
      const { text, lines } = image.dockerfile;
      const at = lines.start(last.endLine + 1) || text.length;
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const before = at >= text.length && !text.endsWith('\n') ? eol : '';
      yield* claimAt(
        subject,
        { file: image.file, start: stage.from.start, end: stage.from.end },
        {
          message: 'No WORKDIR is set, so the agent and the verifier start in /.',
          fixes: fixIn(subject, image.file, 'Add WORKDIR /app', [
            { start: at, end: at, newText: `${before}WORKDIR /app${eol}` },
          ]),
        },
      );
    }
  },
};
