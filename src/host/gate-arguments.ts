import type { GateName } from '../core/gates/verdict';
import type { RunSettings } from './settings';

/** The command line that runs gates as the settings say: what is forked, and what a person can repeat. */
export function gateArguments(paths: readonly string[], gates: readonly GateName[], settings: RunSettings): string[] {
  return ['gate', ...options(gates, settings), '--format', 'json', '--', ...paths];
}

/** The same for a terminal, quoted for a POSIX shell. */
export function reproductionCommand(
  paths: readonly string[],
  gates: readonly GateName[],
  strategy: string | null,
  settings: RunSettings,
): string {
  const words = ['taskwright', 'gate', ...paths, ...options(gates, settings)];
  if (strategy !== null) words.push('--strategy', strategy);
  if (settings.dockerHost !== null) words.push('--docker-host', settings.dockerHost);
  return words.map(shellWord).join(' ');
}

function options(gates: readonly GateName[], settings: RunSettings): string[] {
  const list = ['--gates', gates.join(',')];
  if (settings.jobsDir !== null) list.push('--jobs-dir', settings.jobsDir);
  if (settings.rewardKey !== null) list.push('--reward-key', settings.rewardKey);
  if (settings.passThreshold !== null) list.push('--pass-threshold', String(settings.passThreshold));
  if (settings.maxConcurrentTrials !== null) list.push('-n', String(settings.maxConcurrentTrials));
  return list;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
