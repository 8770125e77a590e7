import type { Subject } from '../../model/subject';
import { flagOf } from '../../text/dockerfile/dockerfile';
import type { ShellCommand, ShellWord } from '../../text/shell/script';
import { claimAt } from '../places';
import type { Claim, Rule } from '../rule';
import type { BuildCommand } from './builds';
import { buildCommands, builds, neededInstructions } from './builds';

export const dockerRemoteScript: Rule = {
  id: 'docker-remote-script',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['docker', 'tree', 'toml', 'compose'],
  needsDisk: true,
  why: 'What an address serves can be changed by whoever runs it, and it becomes a part of the task unseen.',
  docs: {
    finds:
      'A download that is piped into a shell, `bash <(curl …)`, an archive or program fetched without a check of its sum, and `ADD` of a URL without `--checksum`. It is information when the address carries a version, and for plain data.',
    silent:
      'A checksum or signature test in the same RUN, keys of package sources, and addresses of the machine itself.',
    bad: 'RUN curl -sSL https://get.example/i.sh | sh',
    good: 'ADD --checksum=sha256:9f86d0… https://get.example/tool-1.4.tgz /tmp/',
  },
  *check(subject) {
    const commands = subject.derive(buildCommands);
    for (const one of commands) {
      const url = fetchedUrl(one.command);
      if (url === null || isOwn(url)) continue;
      yield* downloadClaim(subject, one, url, commands);
    }
    for (const { image } of subject.derive(builds)) {
      for (const instruction of neededInstructions(image)) {
        if (instruction.keyword !== 'ADD' || flagOf(instruction, 'checksum') !== null) continue;
        for (const { value, raw, start, end } of instruction.words.slice(0, -1)) {
          const url = value ?? raw;
          if (!/^https?:\/\//iu.test(url) || /\.git(?:#|$)/u.test(url) || isKey(url)) continue;
          yield* claimAt(
            subject,
            { file: image.file, start, end },
            {
              severity: hasVersion(url) || !isProgram(url) ? 'information' : 'warning',
              message: `ADD takes what ${hostIn(url)} serves without a checksum.`,
            },
          );
        }
      }
    }
  },
};

function* downloadClaim(
  subject: Subject,
  { command, image, instruction }: BuildCommand,
  url: ShellWord,
  all: readonly BuildCommand[],
): Generator<Claim> {
  const address = url.value ?? url.prefix;
  const beside = all.filter((one) => one.image === image && one.instruction === instruction);
  if (beside.some(({ command: other }) => verifies(other))) return;
  const place = { file: image.file, start: url.start, end: url.end };
  const versioned = hasVersion(address) || url.variables.length > 0;
  const runner = beside.find(({ command: other }) => receives(other, command));
  if (runner !== undefined) {
    yield* claimAt(subject, place, {
      severity: versioned ? 'information' : 'warning',
      message: `${runner.command.program ?? 'A shell'} runs ${versioned ? 'what' : 'whatever'} ${hostIn(address)} serves on the day of the build${versioned ? ', and no checksum holds it to that version' : ''}.`,
    });
    return;
  }
  if (isKey(address) || feedsKeys(command, beside)) return;
  if (!isProgram(address)) return;
  yield* claimAt(subject, place, {
    severity: versioned ? 'information' : 'warning',
    message: `Nothing checks that what ${hostIn(address)} serves here is the same at each build.`,
  });
}

/** The address that a command fetches; null for none. */
function fetchedUrl({ program, args }: ShellCommand): ShellWord | null {
  if (program !== 'curl' && program !== 'wget') return null;
  return args.find(({ prefix }) => /^(?:https?|ftp):\/\//iu.test(prefix)) ?? null;
}

/** Is it the shell at the end of the download's pipe, or one that runs `<(curl …)` or `$(curl …)`? */
function receives(other: ShellCommand, download: ShellCommand): boolean {
  if (!/^(?:bash|sh|zsh|dash|ksh|python[\d.]*|perl|ruby|node|eval|source|\.)$/u.test(other.program ?? '')) return false;
  const { pipeline } = other.context;
  if (pipeline !== null && pipeline.index > 0 && download.context.pipeline?.length === pipeline.length) {
    // A program that gets a file or code as argument does not run its input.
    const plain = other.args.filter(({ prefix }) => !prefix.startsWith('-'));
    const runsInput = plain.length === 0 || other.args.some(({ value }) => value === '-s' || value === '-');
    return (
      runsInput && other.start > download.start && !other.args.some(({ value }) => value === '-c' || value === '-m')
    );
  }
  return other.start < download.start && download.end <= other.end;
}

function verifies({ program, args }: ShellCommand): boolean {
  if (/^(?:sha\d*sum|md5sum|b2sum|shasum|cosign|minisign)$/u.test(program ?? '')) return true;
  return /^gpgv?$/u.test(program ?? '') && args.some(({ value }) => value === '--verify' || value === '--batch');
}

function feedsKeys(command: ShellCommand, beside: readonly BuildCommand[]): boolean {
  if (command.args.some(({ value }) => value !== null && isKey(value))) return true;
  if (command.context.pipeline === null) return false;
  return beside.some(
    ({ command: { program, start } }) => start > command.start && /^(?:gpg|apt-key|tee)$/u.test(program ?? ''),
  );
}

function isKey(address: string): boolean {
  return /\.(?:asc|gpg|key|pub|pem|crt|sig)(?:$|\?)|\/gpg$|keyring|\.list$/iu.test(address);
}

/** A version number, a commit or a digest in the path. */
function hasVersion(address: string): boolean {
  const path = address.replace(/^[a-z]+:\/\/[^/]+/iu, '');
  return /\d+\.\d+(?:\.\d+)?|\/v?\d+\.\d+|[0-9a-f]{12,40}/iu.test(path);
}

/** Something that is run or unpacked, rather than data. */
function isProgram(address: string): boolean {
  const path = address.replace(/[?#].*$/u, '');
  return /\.(?:sh|bash|py|pl|run|bin|appimage|deb|rpm|apk|whl|jar|tar|tgz|tbz2|txz|zip|gz|bz2|xz|zst|exe)$/iu.test(
    path,
  );
}

function hostIn(address: string): string {
  return /^[a-z]+:\/\/(?:[^@/]*@)?([^/:]+)/iu.exec(address)?.[1] ?? 'the address';
}

function isOwn(url: ShellWord): boolean {
  return /^[a-z]+:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/iu.test(url.value ?? url.prefix);
}
