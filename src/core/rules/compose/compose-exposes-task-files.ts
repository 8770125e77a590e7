import { isAtOrBelow } from '../../model/container-path';
import { insideTask } from '../../model/task-images';
import type { ComposeBuild, ComposeService, ComposeVolume } from '../../text/compose';
import type { Claim, Rule } from '../rule';
import type { UsedCompose } from './files';
import { servicesOf } from './files';

export const composeExposesTaskFiles: Rule = {
  id: 'compose-exposes-task-files',
  severity: 'error',
  confidence: 'certain',
  inputs: ['compose', 'tree', 'toml'],
  needsDisk: true,
  why: 'A folder of the host that is mounted is seen as it is, with all that was to stay hidden, and what is written there stays for the next trial.',
  docs: {
    finds:
      "A bind mount of the task's `tests/`, `solution/`, root or `task.toml`, of the Docker socket, `/`, `/etc` or `/home`. Another path outside of `environment/` is a warning, as is a build context that reaches the tests, and a mount inside of it information: it works on this machine only.",
    silent: 'Named volumes, `tmpfs`, and paths that depend on a variable, such as those that Harbor sets.',
    bad: 'volumes: ["../tests:/mnt"]',
    good: 'volumes: ["seed-data:/mnt"]',
  },
  *check(subject) {
    for (const { used, service } of servicesOf(subject)) {
      if (used.role !== 'agent') continue;
      for (const volume of service.volumes) {
        const claim = volumeClaim(used, service, volume);
        if (claim !== null) yield claim;
      }
      const claim = service.build === null ? null : contextClaim(used, service, service.build);
      if (claim !== null) yield claim;
    }
  },
};

const hostFolders = ['/', '/etc', '/home', '/root', '/var/run', '/run', '/proc', '/sys', '/dev', '/var/lib/docker'];

function volumeClaim(
  { file, dir }: UsedCompose,
  { name }: ComposeService,
  { type, source, range }: ComposeVolume,
): Claim | null {
  if (type !== 'bind' || source?.constant !== true) return null;
  const path = source.text;
  const who = name === 'main' ? 'the agent' : `the service ${name}`;
  if (path.endsWith('docker.sock'))
    return { file, range, message: `${path} gives ${who} command of the Docker engine, and so of the host.` };
  if (path.startsWith('/') || path.startsWith('~')) {
    const clean = path === '/' ? '/' : path.replace(/\/+$/u, '');
    const bad =
      path.startsWith('~') ||
      hostFolders.includes(clean) ||
      (isAtOrBelow(clean, '/home') && clean.split('/').length <= 3);
    return {
      file,
      range,
      severity: bad ? 'error' : 'warning',
      message: `${path} is a folder of the host that ${who} gets, and another one on each machine.`,
    };
  }
  const inner = insideTask(path, dir);
  if (inner === null)
    return { file, range, severity: 'warning', message: `${path} lies outside of the task, and ${who} gets it.` };
  const hidden = hiddenPart(inner);
  if (hidden !== null) {
    return {
      file,
      range,
      severity: name === 'main' ? 'error' : 'warning',
      message: `${path} is ${hidden}, and ${who} gets it.`,
    };
  }
  if (inner === dir || isAtOrBelow(`/${inner}`, `/${dir}`))
    return {
      file,
      range,
      severity: 'information',
      message: `${path} is mounted from the host, which works only where the task's folder is on the engine's own machine.`,
    };
  return { file, range, severity: 'warning', message: `${path} lies outside of ${dir}/, and ${who} gets it.` };
}

/** What of the task is there that the agent must not see; null for nothing. */
function hiddenPart(path: string): string | null {
  if (path === '') return 'the whole task, with its tests and its solution';
  if (path === 'task.toml') return 'the task.toml of this task';
  const part = /^(?:steps\/[^/]+\/)?(tests|solution)(?:\/|$)/u.exec(path)?.[1];
  if (part !== undefined) return `in ${part}/ of this task`;
  return path === 'steps' || /^steps\/[^/]+$/u.test(path) ? 'a folder with tests and solutions of this task' : null;
}

function contextClaim({ file, dir }: UsedCompose, { name }: ComposeService, { context }: ComposeBuild): Claim | null {
  if (!context.constant || /^(?:[a-z]+:\/\/|git@)/iu.test(context.text)) return null;
  const inner = insideTask(context.text, dir);
  const hidden = inner === null ? null : hiddenPart(inner);
  if (hidden === null) return null;
  const isPart = inner !== '';
  return {
    file,
    range: context.range,
    severity: isPart && name === 'main' ? 'error' : 'warning',
    message: `The build context of ${name} is ${hidden}: a COPY can bring ${isPart ? 'it' : 'them'} into the image.`,
  };
}
