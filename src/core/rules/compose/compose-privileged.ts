import type { Range } from '../../text/position';
import type { ComposeService } from '../../text/compose';
import type { Rule } from '../rule';
import { servicesOf } from './files';

export const composePrivileged: Rule = {
  id: 'compose-privileged',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['compose', 'toml', 'tree'],
  needsDisk: true,
  why: 'It takes down the wall between the container and the machine that runs the trial and judges it.',
  docs: {
    finds:
      '`privileged`, `pid`, `ipc` or `network_mode` of the host, the capabilities `SYS_ADMIN`, `SYS_PTRACE`, `NET_ADMIN` and `ALL`, `devices`, and security profiles that are unconfined, on any service.',
    silent: 'Other capabilities, and values that depend on a variable.',
    bad: 'privileged: true',
    good: '# removed',
  },
  *check(subject) {
    for (const { used, service } of servicesOf(subject)) {
      for (const { range, message } of grants(service)) yield { file: used.file, range, message };
    }
  },
};

interface Grant {
  readonly range: Range;
  readonly message: string;
}

function* grants(service: ComposeService): Generator<Grant> {
  const { name, privileged, pid, ipc, networkMode, capAdd, devices, securityOpt } = service;
  if (privileged?.value === true)
    yield {
      range: { start: privileged.keyRange.start, end: privileged.range.end },
      message: `${name} is privileged, which is root on the host in all but name.`,
    };
  if (pid?.text === 'host') yield { range: pid.range, message: `${name} sees and can end every process of the host.` };
  if (ipc?.text === 'host') yield { range: ipc.range, message: `${name} shares the memory segments of the host.` };
  if (networkMode?.text === 'host')
    yield {
      range: networkMode.range,
      message: `${name} uses the network of the host, past every rule that Harbor sets.`,
    };
  for (const { text, range } of capAdd) {
    const capability = text.toUpperCase().replace(/^CAP_/u, '');
    if (['ALL', 'SYS_ADMIN', 'SYS_PTRACE', 'NET_ADMIN'].includes(capability))
      yield { range, message: `${name} is given the capability ${capability}.` };
  }
  for (const { text, range, constant } of devices)
    if (constant) yield { range, message: `${name} is given the device ${text.split(':')[0] ?? text} of the host.` };
  for (const { text, range } of securityOpt)
    if (/[:=]unconfined$/u.test(text))
      yield {
        range,
        message: `${name} runs without the profile that ${text.split(/[:=]/u)[0] ?? 'security'} would put on it.`,
      };
}
