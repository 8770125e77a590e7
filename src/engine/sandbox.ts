import type { Readable } from 'node:stream';

/** One container, as a port. A trial asks for nothing else of the engine. */
export interface Sandbox extends AsyncDisposable {
  /** Short id, for labels and logs. */
  readonly id: string;
  /** Working directory that commands get when they name none. */
  readonly workdir: string;
  /**
   * Runs a command and drains both streams. Never rejects for anything the command or the container does: that is in
   * `Exit`. Rejects with `EngineError` when the engine itself cannot be spoken to.
   */
  exec(command: Command, options: ExecOptions): Promise<Exit>;
  /**
   * Unpacks a tar stream below `dest`, which must exist, merging into what is there. Rejects with `TransferError` when
   * the container does not take it (no such folder, no container any more), with `PackError` when the host cannot read
   * a file, with `EngineError` when the engine cannot be spoken to.
   */
  put(tar: Readable, dest: string): Promise<void>;
  /** A tar stream of a path; null when nothing is there. Works on a stopped container too. */
  get(path: string): Promise<Readable | null>;
  /** Whether something is at a path, links followed. */
  has(path: string): Promise<boolean>;
  /**
   * Ends every process that carries this command mark (also detached ones), as after a limit or a cancel. A normal end
   * kills nothing: services left running are part of a solution.
   */
  endProcesses(mark: string): Promise<void>;
  /** True while a process that carries the mark is alive. */
  hasProcesses(mark: string): Promise<boolean>;
  /** Kills and removes the container with its volumes. Idempotent, never rejects. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Command {
  readonly argv: readonly string[];
  /** null: the container's own default user. */
  readonly user: string | number | null;
  /** null: the sandbox's working directory. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
}

export interface ExecOptions {
  /** Seconds in all; null is no limit. */
  readonly limitSec: number | null;
  /** Seconds without output; null is no limit. */
  readonly idleLimitSec: number | null;
  readonly signal: AbortSignal;
  /** Decoded text, whole characters only, in the order it came. */
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
  /** Bytes of each stream that are kept in memory (default 1 MiB); the middle of what is longer is left out. */
  readonly keepBytes?: number;
  /** A host file that takes everything, up to `spillLimitBytes`. */
  readonly spillFile?: string;
  readonly spillLimitBytes?: number;
}

export interface Exit {
  /** null unless the command ended by itself. */
  readonly code: number | null;
  readonly ended: 'exited' | 'limit' | 'idle' | 'cancelled' | 'container-gone';
  /** The engine says that the container ran out of memory during this command. */
  readonly outOfMemory: boolean;
  readonly stdout: CapturedText;
  readonly stderr: CapturedText;
  readonly durationSec: number;
  /** The value by which this command's processes can be found (`endProcesses`). */
  readonly mark: string;
  /**
   * The engine's words when it could not start the command at all (no such program, user or working directory; then
   * `code` is 126 or 127 and there is no other output); left out when the command ran.
   */
  readonly notStarted?: string;
  /** Why the spill file does not hold everything (a full disk, its limit); left out when it does. */
  readonly spillFailure?: string;
}

export interface CapturedText {
  readonly text: string;
  /** Bytes received in all. */
  readonly bytes: number;
  /** Bytes that `text` leaves out. */
  readonly omitted: number;
}

/** Where an image comes from. */
export type ImageSource =
  | { readonly kind: 'build'; readonly contextDir: string; readonly dockerfile: string }
  | { readonly kind: 'image'; readonly reference: string };

export interface Image {
  /** Content id (`sha256:…`). */
  readonly id: string;
  /** Digest shown in receipts: the repository digest of a pulled image, else the id. */
  readonly digest: string;
  readonly architecture: string;
  readonly os: string;
  readonly workdir: string;
  readonly user: string;
  readonly env: readonly string[];
}

export interface BuildStep {
  readonly index: number;
  readonly total: number;
  /** As BuildKit names it, without its `[3/7]` prefix: `RUN apt-get update`. */
  readonly name: string;
}

export interface ImageOptions {
  readonly signal: AbortSignal;
  readonly limitSec: number | null;
  readonly noCache?: boolean;
  readonly onStep?: (step: BuildStep) => void;
  readonly onOutput?: (text: string) => void;
}

export type ImageResult =
  | {
      readonly ok: true;
      readonly image: Image;
      /** Releases this user's hold; the last one removes what was built here. */ readonly release: () => Promise<void>;
    }
  | {
      readonly ok: false;
      readonly reason: 'build-failed' | 'pull-failed' | 'timeout' | 'cancelled' | 'engine-failed';
      readonly message: string;
      /** Of the Dockerfile, from 0; null when it is not known. */
      readonly line: number | null;
      /** The last output of the step that failed. */
      readonly output: string;
    };

export interface SandboxSpec {
  readonly image: Image;
  /** Host folder names never enter: this is only a label for people (`docker ps`). */
  readonly name: string;
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly pidsLimit: number | null;
  readonly env: Readonly<Record<string, string>>;
  /** null: the image's own. */
  readonly workdir: string | null;
  readonly network: 'public' | 'no-network';
  /** Paths that become unnamed volumes with mode 777. */
  readonly logFolders: readonly string[];
  readonly signal: AbortSignal;
  readonly limitSec: number | null;
}

export type StartResult =
  | { readonly ok: true; readonly sandbox: Sandbox }
  | {
      readonly ok: false;
      readonly reason: 'start-failed' | 'timeout' | 'cancelled' | 'engine-failed';
      readonly message: string;
    };

export interface EngineInfo {
  readonly endpoint: string;
  /** Where the endpoint was found: `setting`, `DOCKER_HOST`, `context "x"`, `rootless socket` … */
  readonly source: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly os: string;
  readonly architecture: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly buildKit: boolean;
  readonly storageDriver: string;
  /** Where the engine keeps images and containers, as a path of its own machine; absent when it does not say. */
  readonly dataRoot?: string;
}

/** Makes images and sandboxes on one engine, and removes whatever it made. */
export interface SandboxEngine extends AsyncDisposable {
  readonly info: EngineInfo;
  /** Builds or pulls. Calls for the same source share one build. */
  prepareImage(source: ImageSource, options: ImageOptions): Promise<ImageResult>;
  start(spec: SandboxSpec): Promise<StartResult>;
  /** Removes what earlier, now dead runs of this program left on this engine. Returns how much. */
  reap(): Promise<{ containers: number; images: number; volumes: number }>;
}

/** Files could not be copied into or out of a container. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
}

/** The engine cannot be reached or broke off. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
