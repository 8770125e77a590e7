import { spawn } from 'node:child_process';
import { Agent, type ClientRequestArgs } from 'node:http';
import { Duplex } from 'node:stream';

export interface SshTarget {
  readonly user: string | null;
  readonly host: string;
  readonly port: number | null;
}

/**
 * Carries requests over the `ssh` program, as the `docker` command does, so that a person's keys, configuration and
 * known hosts hold. (The ssh client inside the Docker library accepts any host key.)
 */
export class SshAgent extends Agent {
  constructor(
    private readonly target: SshTarget,
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {
    super({ keepAlive: true, maxFreeSockets: 2, timeout: 20_000 });
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex {
    const { user, host, port } = this.target;
    const args = ['-T', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15'];
    if (user !== null) args.push('-l', user);
    if (port !== null) args.push('-p', String(port));
    args.push('--', host, 'docker', 'system', 'dial-stdio');
    const child = spawn('ssh', args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...this.env }, windowsHide: true });
    const stream = socketLike(Duplex.from({ readable: child.stdout, writable: child.stdin }));
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000);
    });
    child.on('error', (error) => stream.destroy(new SshError(`the ssh program cannot be run (${error.message})`)));
    child.on('close', (code) => {
      if (code !== 0 && code !== null) {
        stream.destroy(new SshError(complaint.trim() || `the ssh program ended with exit code ${code}`));
      }
    });
    stream.on('close', () => child.kill());
    callback?.(null, stream);
    return stream;
  }
}

/** The connection over ssh broke or was never made; the message is what the program said. */
export class SshError extends Error {
  override readonly name = 'SshError';
}

/** The HTTP client asks of its socket what a pipe does not have. */
function socketLike(stream: Duplex): Duplex {
  const nothing = (): Duplex => stream;
  return Object.assign(stream, {
    setTimeout: nothing,
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  });
}
