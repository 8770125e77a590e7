import type { Dockerfile, Instruction } from '../text/dockerfile/dockerfile';
import type { ShellScript } from '../text/shell/script';
import type { BaseImage } from './base-image';
import type { ImageContext } from './image/context';
import type { PackageManager } from './installs';

/** Where the content of a file of an image comes from. */
export type Origin =
  /** A file of the build context; `file` is relative to the task folder. */
  | { readonly kind: 'context'; readonly file: string }
  /** Written in the Dockerfile: by a here-document, `echo` or `printf`. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'download'; readonly url: string | null }
  /** The output of a command, a file of another image, or anything else that reading does not tell. */
  | { readonly kind: 'unknown' };

export interface ImageFile {
  /** Absolute path in the image. */
  readonly path: string;
  readonly origin: Origin;
  /** What put it there, as far back as it is known: in a builder stage for what `COPY --from` carries over. */
  readonly by: Instruction;
  /** The place in the Dockerfile that names it: a source of COPY, a target of a command. */
  readonly start: number;
  readonly end: number;
  /** As `--chown`, `chown` or USER set it; null where unknown. */
  readonly owner: string | null;
  /** As `--chmod` or `chmod` set it, such as `755` or `+x`; null where nobody did. */
  readonly mode: string | null;
}

export interface RemovedFile extends ImageFile {
  readonly removedBy: Instruction;
}

/** Something that may have put files into the image that are not known. */
export interface Gap {
  readonly instruction: Instruction;
  /** Absolute folder below which the unknown files are; null for anywhere. */
  readonly below: string | null;
  readonly reason: 'archive' | 'clone' | 'command' | 'download' | 'image' | 'not-understood' | 'variable';
}

export interface Package {
  readonly manager: PackageManager;
  /** Lower case, as the manager compares it; without version and extras. */
  readonly name: string;
  /** The version after `==` or `=`; null without an exact one. */
  readonly version: string | null;
  readonly instruction: Instruction;
  readonly start: number;
  readonly end: number;
}

/** What a Dockerfile and the list of its context's files tell of an image (task-rules.md, section 4.4). */
export interface Image {
  readonly dockerfile: Dockerfile;
  /** What RUN, CMD, ENTRYPOINT and HEALTHCHECK run; null where that is no POSIX shell. */
  readonly script: (instruction: Instruction) => ShellScript | null;
  /** The Dockerfile, relative to the task folder. */
  readonly file: string;
  /** null where what is copied from is not known. */
  readonly context: ImageContext | null;
  /** Index of the stage that becomes the image. */
  readonly finalStage: number;
  /** The stages whose files are in the image as a whole: the final one and those it builds on. */
  readonly lineage: ReadonlySet<number>;
  /** Those the final stage needs at all, by FROM, `COPY --from` or a mount. */
  readonly needed: ReadonlySet<number>;
  /** What it builds on at the bottom; null when that is unknown. */
  readonly base: BaseImage | null;
  /** The files there at the end, by absolute path, without those of the base image. */
  readonly files: ReadonlyMap<string, ImageFile>;
  /** Folders made or filled, without those of the base image. */
  readonly folders: ReadonlySet<string>;
  /** Files that a later command of the image removes. */
  readonly removed: readonly RemovedFile[];
  readonly gaps: readonly Gap[];
  /** False when a file may be there that `files` lacks; files of the base image and of packages do not count. */
  readonly complete: boolean;
  readonly packages: readonly Package[];
  /** The folder in which each RUN starts; null where unknown. */
  readonly workdirs: ReadonlyMap<Instruction, string | null>;
  /** In force at the end; null where unknown. */
  readonly workdir: string | null;
  readonly user: string | null;
  readonly env: ReadonlyMap<string, string | null>;
  /** The last one of the lineage; null without. */
  readonly entrypoint: Instruction | null;
  readonly cmd: Instruction | null;
  /** Numbers of ports. */
  readonly exposed: readonly number[];
}
