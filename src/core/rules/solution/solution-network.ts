import { networkNeeds } from '../../model/shell-network';
import { solutionViews } from '../../model/solution-view';
import type { Subject } from '../../model/subject';
import { claimAt, once } from '../places';
import { baseName } from '../../model/container-path';
import type { Claim, Rule } from '../rule';

export const solutionNetwork: Rule = {
  id: 'solution-network',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['shell:solve', 'instruction', 'tree', 'toml'],
  needsDisk: true,
  why: 'A reference solution that needs somebody else’s server proves the task only on the days on which that server answers as before.',
  docs: {
    finds:
      'The solve script, or a shell script beside it, installs a package or downloads something from another host.',
    silent:
      'What the instruction asks for: it names the host, or speaks of installing or downloading. Local files and the task’s own services.',
    bad: 'pip install ortools==9.11',
    good: '# in environment/Dockerfile\nRUN pip install ortools==9.11',
  },
  *check(subject) {
    yield* once(claims(subject));
  },
};

function* claims(subject: Subject): Generator<Claim> {
  for (const { view, files } of subject.derive(solutionViews)) {
    const isAsked = /\b(?:install|download|fetch|clone|pull)/i.test(view.instruction);
    const hosts = new Set(view.instructions.flatMap(({ mentions }) => mentions.urls.map(({ host }) => host)));
    for (const { file, shell } of files) {
      if (shell === null) continue;
      for (const need of networkNeeds(shell)) {
        if (isAsked || (need.host !== null && hosts.has(need.host))) continue;
        const where = need.host ?? 'a package server';
        yield* claimAt(
          subject,
          { file, start: need.start, end: need.end },
          {
            message: `${baseName(file)} needs ${where} for ${need.tool}, so the oracle depends on the network of the day.`,
          },
        );
      }
    }
  }
}
