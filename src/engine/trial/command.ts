import type { Exit, Sandbox } from '../sandbox';

/**
 * Why a command did not even start, where Harbor shows no more than a missing reward (harbor-run.md, section 15;
 * harbor-task.md, P21). null when it did.
 */
export function whyNotStarted(exit: Exit, sandbox: Sandbox, user: string | number | null): string | null {
  if (exit.code !== 126 && exit.code !== 127) return null;
  // Every command sends its output to a file, so what is here is the engine's word.
  const words = `${exit.stdout.text}\n${exit.stderr.text}`;
  if (/exec: "bash"|"?bash"?: (?:executable file )?not found|stat bash/iu.test(words)) {
    return 'The image has no bash; Harbor runs every command with it. Install bash in environment/Dockerfile.';
  }
  if (/chdir|working directory|\bcwd\b/iu.test(words)) {
    return `The working directory "${sandbox.workdir}" does not exist in the image. Make it in environment/Dockerfile, or correct [environment].workdir.`;
  }
  if (/unable to find (?:user|group)|no matching entries/iu.test(words)) {
    return `The user "${String(user)}" does not exist in the image. Make it in environment/Dockerfile, or correct the user in task.toml.`;
  }
  return null;
}

/**
 * Why a script that the shell started did not do its work, as far as its text tells: Windows line ends mostly, with which
 * its interpreter is not found, or each command has a carriage return at its end (then whatever the exit code is).
 */
export function whyScriptFailed(name: string, content: Uint8Array | null, code: number | null): string | null {
  if (content === null) return null;
  const text = Buffer.from(content.subarray(0, scriptBytes)).toString('latin1');
  const first = text.split('\n', 1)[0] ?? '';
  const isMissing = code === 126 || code === 127;
  if (isMissing && first.startsWith('#!') && first.endsWith('\r')) {
    return `${name} has Windows line ends (CRLF), so its interpreter "${first.slice(2).trim()}" is not found. Save it with LF.`;
  }
  if (text.includes('\r\n')) {
    return `${name} has Windows line ends (CRLF), and a shell takes the carriage return for a part of each command. Save it with LF.`;
  }
  if (!isMissing) return null;
  if (first.startsWith('#!')) {
    return `${name} ended with code ${String(code)}; see whether "${first.slice(2).trim()}" and the commands it runs are in the image.`;
  }
  return null;
}

export function outOfMemory(when: string): string {
  return `The container ran out of memory while ${when}; raise [environment].memory_mb, or use less.`;
}

/** Enough of a script to see its line ends. */
const scriptBytes = 1 << 20;

export function describeEnd(exit: Exit): string {
  const memory = exit.outOfMemory ? '; the container ran out of memory' : '';
  switch (exit.ended) {
    case 'exited':
      return `ended with code ${String(exit.code)} after ${exit.durationSec.toFixed(1)} s${memory}`;
    case 'limit':
    case 'idle':
      return `was ended at its limit after ${exit.durationSec.toFixed(1)} s${memory}`;
    case 'cancelled':
      return `was cancelled after ${exit.durationSec.toFixed(1)} s`;
    case 'container-gone':
      return `ended with its container after ${exit.durationSec.toFixed(1)} s${memory}`;
  }
}
