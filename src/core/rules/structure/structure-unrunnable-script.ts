import type { Fix } from '../../finding';
import type { Snapshot, TextFile } from '../../task/snapshot';
import { linesOf } from '../../text/lines';
import type { Range } from '../../text/position';
import { startOfFile } from '../../text/position';
import { knownImage } from '../image';
import type { Subject } from '../../model/subject';
import type { Claim, Rule } from '../rule';
import { scripts } from './scripts';

export const structureUnrunnableScript: Rule = {
  id: 'structure-unrunnable-script',
  severity: 'error',
  confidence: 'certain',
  inputs: ['shell:test', 'shell:solve', 'docker', 'tree', 'toml'],
  needsDisk: true,
  why: 'Harbor executes the script directly, so a broken first line means that nothing runs and no reward is written.',
  docs: {
    finds:
      "A script's first line cannot work: it ends in CR LF, something stands before `#!`, or it names an interpreter that the image is known to lack.",
    silent:
      'A script without a `#!` line is only a hint, since bash runs it. Nothing is said of an interpreter when the image installs or copies anything, or is no well-known one.',
    bad: '#!/usr/bin/zsh     (FROM alpine:3.20)',
    good: '#!/bin/sh',
  },
  *check(subject) {
    const { disk, layout } = subject;
    if (disk === null || layout?.os !== 'linux') return;
    for (const script of scripts(disk, 'sh')) {
      const claim = judge(script, disk, subject);
      if (claim) yield { ...claim, file: script.path };
    }
  },
};

function judge({ path, text }: TextFile & { text: string }, disk: Snapshot, subject: Subject): Claim | null {
  const firstEnd = /\r\n|\n|\r|$/u.exec(text);
  const first = text.slice(0, firstEnd?.index ?? text.length);
  const range: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: first.length } };
  const isCrlf = firstEnd?.[0] === '\r\n';

  // `setup.sh` is given to bash, so its first line is only a comment.
  if (path.endsWith('/setup.sh')) {
    if (!isCrlf || text.trim() === '') return null;
    const message = `The lines of ${path} end in CR LF, and bash takes the CR for a part of every command.`;
    return { range, message, fixes: lineFixes(path, text, disk) };
  }
  const misplaced = /^(\uFEFF?[ \t\r\n]*)#!(?!\[)[ \t]*\/\S+/u.exec(text);
  const lead = misplaced?.[1] ?? '';
  if (misplaced && lead !== '') return misplacedShebang(path, text, lead, misplaced[0]);
  if (!first.startsWith('#!')) {
    if (text.trim() === '') return null;
    return {
      range,
      severity: 'hint',
      message: `${path} has no "#!" line; bash runs it all the same.`,
      fixes: [{ title: 'Add #!/bin/bash', edits: [{ file: path, range: startOfFile, newText: '#!/bin/bash\n' }] }],
    };
  }
  const interpreter = first.slice(2).trim();
  if (isCrlf) {
    return {
      range,
      message: `The first line of ${path} ends in CR LF, so the kernel looks for ${JSON.stringify(`${interpreter}\r`)}, which does not exist.`,
      fixes: lineFixes(path, text, disk),
    };
  }
  const missing = missingInterpreter(interpreter, path, subject);
  if (missing === null) return null;
  return {
    range,
    confidence: 'likely',
    message: `${path} starts with ${missing.name}, which the image (${missing.base}) does not have.`,
    fixes: [{ title: `Write #!${missing.instead}`, edits: [{ file: path, range, newText: `#!${missing.instead}` }] }],
  };
}

function misplacedShebang(path: string, text: string, lead: string, upTo: string): Claim {
  const lines = linesOf(text);
  const range = lines.range(0, upTo.length);
  const fixes: Fix[] = [
    {
      title: 'Remove what stands before "#!"',
      edits: [{ file: path, range: lines.range(0, lead.length), newText: '' }],
      preferred: true,
    },
  ];
  const isShell = /\/(?:env[ \t]+)?(?:ba|da)?sh$/u.test(upTo);
  if (lead.startsWith('\uFEFF')) {
    return {
      range,
      message: `${path} starts with a byte-order mark, so the kernel does not see its "#!" line.`,
      fixes,
    };
  }
  return {
    range,
    // Bash takes over a file that the kernel does not know, and to it the line is a comment.
    severity: isShell ? 'warning' : 'error',
    message: isShell
      ? `Something stands before the "#!" of ${path}, so the kernel does not see it and bash runs the script instead.`
      : `Something stands before the "#!" of ${path}, so bash runs the script instead of ${upTo.slice(lead.length + 2).trim()}.`,
    fixes,
  };
}

function lineFixes(path: string, text: string, disk: Snapshot): readonly Fix[] {
  const whole = { file: path, range: linesOf(text).range(0, text.length), newText: text.replaceAll('\r\n', '\n') };
  const fixes: Fix[] = [{ title: 'Convert the line ends to LF', edits: [whole], preferred: true }];
  if (!disk.entries.has('.gitattributes')) {
    const newText = '*.sh text eol=lf\n';
    fixes.push({
      title: 'Let Git keep LF in scripts (.gitattributes)',
      edits: [{ file: '.gitattributes', range: startOfFile, newText }],
    });
  }
  return fixes;
}

// What official images are known to lack as long as nothing is installed or copied into them.
const lacking: Readonly<Record<string, readonly string[]>> = {
  debian: ['zsh', 'fish', 'ksh', 'python', 'python2', 'python3', 'node', 'ruby', 'pwsh', 'php'],
  ubuntu: ['zsh', 'fish', 'ksh', 'python', 'python2', 'python3', 'node', 'ruby', 'pwsh', 'php'],
  alpine: ['bash', 'zsh', 'fish', 'ksh', 'python', 'python2', 'python3', 'perl', 'node', 'ruby', 'pwsh', 'php'],
  busybox: ['bash', 'zsh', 'fish', 'ksh', 'python', 'python2', 'python3', 'perl', 'node', 'ruby', 'pwsh', 'php'],
  python: ['zsh', 'fish', 'ksh', 'ruby', 'pwsh', 'php'],
};

interface Missing {
  readonly name: string;
  readonly base: string;
  readonly instead: string;
}

/** Only when it is certain: the Dockerfile of the container the script runs in adds nothing to a well-known image. */
function missingInterpreter(line: string, path: string, { toml, disk, layout }: Subject): Missing | null {
  const config = toml?.config;
  if (disk === null || !config || layout?.composeFile !== null) return null;
  if (config.environment.docker_image !== null || layout.dockerfile === null) return null;
  // A separate verifier has an image of its own.
  if (path.includes('tests/') && (config.verifier.environment ?? config.verifier.environment_mode) !== null)
    return null;
  const text = disk.texts.get(layout.dockerfile)?.text ?? null;
  if (text === null) return null;
  const { base, dockerfile } = knownImage(text);
  if (base === null || dockerfile.stages.length !== 1) return null;
  if (dockerfile.instructions.some((one) => ['RUN', 'COPY', 'ADD', 'ONBUILD'].includes(one.keyword))) return null;
  const words = line.split(/[ \t]+/u);
  const program = (words[0] ?? '').endsWith('/env') ? words.slice(1).find((word) => !/^-|=/u.test(word)) : words[0];
  const name = program?.split('/').at(-1) ?? '';
  if (!(lacking[base] ?? []).includes(name)) return null;
  return { name: line, base, instead: base === 'alpine' || base === 'busybox' ? '/bin/sh' : '/bin/bash' };
}
