import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
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
    // Making a connection costs a process and a handshake: a few are kept until the agent is destroyed.
    super({ keepAlive: true, maxFreeSockets: 3 });
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
    const stream = new SshStream(child);
    callback?.(null, stream);
    return stream;
  }
}

/** The program's standard streams as one connection, with what the HTTP client asks of a socket beyond that. */
class SshStream extends Duplex {
  private complaint = '';

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    super();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complaint = (this.complaint + text).slice(-2000);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    // What is wrong is said by the program's last words, and not by the pipe that broke.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => this.destroy(new SshError(`the ssh program cannot be run (${error.message})`)));
    child.on('close', (code) => {
      if (code === 0 || this.destroyed) this.push(null);
      else
        this.destroy(new SshError(this.complaint.trim() || `the ssh program ended with exit code ${code ?? 'none'}`));
    });
  }

  override _read(): void {
    this.child.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.child.stdin.write(chunk, (error) => {
      if (!error) done();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.child.stdin.end(() => {
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.child.kill();
    done(error);
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** The connection over ssh broke or was never made; the message is what the program said. */
class SshError extends Error {
  override readonly name = 'SshError';
}
