import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import Docker from 'dockerode';
import type Modem from 'docker-modem';
import { EngineError } from '../sandbox';
import { onAbort } from './deadline';
import type { Endpoint } from './endpoints';
import { SshAgent } from './ssh';

export interface ApiRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Without version and query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly tar?: Readable;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is being asked, for messages: `start a container`. */
  readonly what: string;
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer, or the start of a streamed one; default 60,000; null is no limit. */
  readonly limitMs?: number | null;
}

/** The engine answered, and said no. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const WELL: Readonly<Record<number, true>> = { 200: true, 201: true, 202: true, 204: true, 304: true };

/**
 * Requests to one engine. Every request has a time limit, since the library below waits for ever when an engine breaks
 * off in the middle of an answer; and every failure is either `RefusedError` (the engine's own words), `EngineError`
 * (it cannot be spoken to) or the signal's reason.
 */
export class EngineClient {
  private readonly modem: Modem & { version?: string };
  private readonly agent: HttpAgent;

  constructor(
    readonly endpoint: Endpoint,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    const { modem, agent } = makeModem(endpoint, env);
    this.modem = modem;
    this.agent = agent;
  }

  /** Such as `1.45`; what the engine calls its newest until this is set. */
  useVersion(version: string): void {
    this.modem.version = `v${version}`;
  }

  /** Ends connections that are kept for later requests. Requests are possible nevertheless. */
  close(): void {
    this.agent.destroy();
  }

  async json<T>(request: ApiRequest): Promise<T> {
    return (await this.dial(request, {})) as T;
  }

  /** The answer's body, to be read or destroyed by the caller. */
  async stream(request: ApiRequest): Promise<IncomingMessage> {
    return (await this.dial(request, { isStream: true })) as IncomingMessage;
  }

  /** The raw connection after an upgrade. */
  async hijack(request: ApiRequest): Promise<Duplex> {
    return (await this.dial(request, { isStream: true, hijack: true, allowEmpty: true })) as Duplex;
  }

  private async dial(request: ApiRequest, how: Partial<Modem.DialOptions>): Promise<unknown> {
    const { signal, limitMs = 60_000 } = request;
    signal?.throwIfAborted();
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let forget = (): void => undefined;
    const given = new Promise<never>((_resolve, reject) => {
      forget = onAbort(signal, () => {
        reject(abortReason(signal));
        abort.abort();
      });
      if (limitMs !== null) {
        timer = setTimeout(() => {
          reject(
            new EngineError(
              `Docker (${this.endpoint.url}) did not answer within ${Math.round(limitMs / 1000)} s when asked to ${request.what}. Is it overloaded or stuck? Try again, or restart it.`,
            ),
          );
          abort.abort();
        }, limitMs);
      }
    });
    const asked = new Promise<unknown>((resolve, reject) => {
      const options: Modem.DialOptions = {
        ...how,
        path: `${request.path}?`,
        method: request.method,
        abortSignal: abort.signal,
        statusCodes: WELL,
        options: { _query: request.query ?? {}, _body: request.body ?? {} },
        ...(request.headers ? { headers: { ...request.headers } } : {}),
        ...(request.tar ? { file: request.tar } : {}),
      };
      this.modem.dial(options, (error, result) => {
        if (error) reject(this.translate(error, request));
        else resolve(result);
      });
    });
    // Whichever loses the race may still fail later.
    given.catch(() => undefined);
    asked.catch(() => undefined);
    try {
      return await Promise.race([given, asked]);
    } finally {
      clearTimeout(timer);
      // A streamed answer goes on after this: the caller ends it by destroying it.
      forget();
      if (request.tar && !request.tar.readableEnded) request.tar.destroy();
    }
  }

  private translate(error: Error, request: ApiRequest): Error {
    const status = (error as { statusCode?: unknown }).statusCode;
    if (typeof status === 'number')
      return new RefusedError(
        status,
        plainMessage(error.message) || `it answered with HTTP status ${status} and no word`,
      );
    if (error.name === 'PackError') return error;
    return new EngineError(
      `Docker (${this.endpoint.url}) broke off when asked to ${request.what}: ${describeConnection(error)}. Is it still running?`,
      { cause: error },
    );
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('cancelled');
}

/** Takes the library's wrapping off the engine's own words. */
function plainMessage(message: string): string {
  return message.replace(/^\(HTTP code \d+\) .*? - /s, '').trim();
}

export function describeConnection(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  switch (code) {
    case 'ENOENT':
      return 'no socket is there';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ECONNREFUSED':
      return 'the connection was refused, so nothing is listening there';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name cannot be resolved';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'its host cannot be reached';
    default:
      return error.message;
  }
}

function makeModem(
  endpoint: Endpoint,
  env: Readonly<Record<string, string | undefined>>,
): { modem: Modem; agent: HttpAgent } {
  // The library reads DOCKER_HOST by itself for whatever is not given: everything is given here, even as undefined.
  const nothing = {
    host: undefined,
    port: undefined,
    socketPath: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    protocol: 'http' as const,
    pathPrefix: '/',
    timeout: undefined,
  };
  const made = (agent: HttpAgent, options: Record<string, unknown>): { modem: Modem; agent: HttpAgent } => ({
    agent,
    modem: construct({ ...nothing, ...options, agent }),
  });
  const { address } = endpoint;
  switch (address.kind) {
    case 'socket':
      return made(new HttpAgent({ keepAlive: false }), { socketPath: address.path });
    case 'ssh':
      // The library sees plain HTTP; the agent carries it.
      return made(new SshAgent(address, env), { host: 'docker', port: 80 });
    case 'tcp': {
      const { port, tls } = address;
      const host = address.host.includes(':') ? `[${address.host}]` : address.host;
      if (tls === null) return made(new HttpAgent({ keepAlive: false }), { host, port });
      const agent = new HttpsAgent({
        keepAlive: false,
        rejectUnauthorized: tls.verify,
        ...(tls.ca ? { ca: tls.ca } : {}),
        ...(tls.cert ? { cert: tls.cert } : {}),
        ...(tls.key ? { key: tls.key } : {}),
      });
      return made(agent, { host, port, protocol: 'https' });
    }
  }
}

/** Its constructor throws over a DOCKER_HOST that it cannot read, even when that is not asked for. */
function construct(options: Record<string, unknown>): Modem {
  const saved = process.env.DOCKER_HOST;
  delete process.env.DOCKER_HOST;
  try {
    return new Docker(options).modem;
  } finally {
    if (saved !== undefined) process.env.DOCKER_HOST = saved;
  }
}
