import { baseName } from '../../model/container-path';
import { installOf } from '../../model/installs';
import { isAtOrBelow } from '../../model/container-path';
import type { NetworkNeed } from '../../model/shell-network';
import { needOf } from '../../model/shell-network';
import { pathOf } from '../../model/shell-walk';
import type { Subject } from '../../model/subject';
import { claimAt, listed, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import type { VerifierCommand } from './verifier-commands';
import { verifierCommands } from './verifier-commands';

export const verifierRuntimeInstall: Rule = {
  id: 'verifier-runtime-install',
  severity: 'information',
  confidence: 'certain',
  inputs: ['shell:test', 'toml', 'tree', 'docker'],
  needsDisk: true,
  why: 'Grading then depends on the network and the servers of the day, and on tools that the agent may have replaced.',
  docs: {
    finds:
      'The test script installs packages or tools: system packages, Python or Node packages, `uvx`, `npx`, or an installer piped from the network to a shell. Said once a script. For a separate verifier it is an error, since its image is the place for them.',
    silent:
      'Installing what the agent made or what its own manifest lists, offline installs, wheels that lie in `tests/`.',
    bad: 'apt-get install -y curl && curl -LsSf https://…/install.sh | sh',
    good: '# tests/Dockerfile\nRUN pip install pytest==8.4.1',
  },
  *check(subject) {
    const byFile = new Map<string, { readonly command: VerifierCommand; readonly need: NetworkNeed }[]>();
    for (const command of subject.derive(verifierCommands)) {
      const need = needOf(command.command);
      if (need === null || !isInstall(command, need)) continue;
      const known = byFile.get(command.file) ?? [];
      byFile.set(command.file, [...known, { command, need }]);
    }
    for (const [file, found] of byFile) yield* claim(subject, file, found);
  },
};

/** A download is one only where a shell runs it. */
export function isInstall({ command, folder, script }: VerifierCommand, need: NetworkNeed): boolean {
  if (need.kind === 'download') return runsInShell(command, script);
  const install = installOf(command);
  if (install === null) return true;
  // Plain `npx` starts what the project has, and fetches only what it has not.
  if (install.tool === 'npx') return install.options.some(({ value }) => value === '-y' || value === '--yes');
  const isAgents = (path: string | null): boolean =>
    path !== null && !isAtOrBelow(path, '/tests') && !isAtOrBelow(path, '/tmp');
  // The agent's manifest says what its work needs.
  const names = install.items.some(({ kind }) => kind === 'name' || kind === 'direct');
  if (!names && install.requirements.length > 0) {
    return !install.requirements.every((word) => isAgents(pathOf(word, folder)));
  }
  return names || !(install.manager === 'npm' && isAgents(folder));
}

function runsInShell({ context, index }: VerifierCommand['command'], script: VerifierCommand['script']): boolean {
  const { pipeline } = context;
  if (pipeline === null || pipeline.index + 1 >= pipeline.length) return false;
  const next = script.commands[index + 1];
  return /^(?:ba|da|z|k)?sh$/u.test(next?.program ?? '');
}

function* claim(
  subject: Subject,
  file: string,
  found: readonly { readonly command: VerifierCommand; readonly need: NetworkNeed }[],
): Generator<Claim> {
  const [first] = found;
  if (first === undefined) return;
  const isSeparate = found.some(({ command }) => command.view.step.verifier === 'separate');
  const tools = [...new Set(found.map(({ need }) => (need.kind === 'download' ? `${need.tool} | sh` : need.tool)))];
  yield* claimAt(
    subject,
    { file, start: first.need.start, end: first.need.end },
    {
      severity: isSeparate ? 'error' : 'information',
      message: `${baseName(file)} installs while it grades: ${listed(tools)}.`,
      related: found
        .slice(1, 5)
        .flatMap(({ need }) => relatedTo(subject, { file, start: need.start, end: need.end }, `${need.tool} here.`)),
    },
  );
}
