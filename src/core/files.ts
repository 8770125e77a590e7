export type FileKind = 'file' | 'directory' | 'link' | 'other';

export interface FileStat {
  /** What the name leads to after following links; `link` only for a link that leads nowhere. */
  readonly kind: FileKind;
  /** True when the name itself is a symbolic link. */
  readonly isLink: boolean;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface DirEntry {
  readonly name: string;
  readonly kind: FileKind;
  /** True when the name itself is a symbolic link. */
  readonly isLink?: boolean;
}

export type ReadResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | {
      readonly ok: false;
      readonly reason: 'missing' | 'not-a-file' | 'denied' | 'too-large' | 'failed';
      readonly message: string;
    };

/**
 * The folders and files of the world outside. Paths are absolute and use the platform's separator for the part given
 * by the caller; `join` adds to them. No method throws: trouble is a value.
 */
export interface Files {
  join(base: string, ...names: string[]): string;
  /** null when nothing is there or it cannot be seen. */
  stat(path: string): Promise<FileStat | null>;
  /** Sorted by code point; null when it is no readable directory. */
  list(path: string): Promise<readonly DirEntry[] | null>;
  /** Where a symbolic link says it leads, as it is written in the link; null when it is none. */
  linkTarget(path: string): Promise<string | null>;
  /** Reads a file of at most `maxBytes` bytes. */
  read(path: string, maxBytes: number): Promise<ReadResult>;
  /** SHA-256 of a file's content, read in pieces; null when it cannot be read. */
  sha256(path: string): Promise<string | null>;
}

/** SHA-256 in lower-case hexadecimal of bytes, or of a text's UTF-8. */
export type Sha256 = (data: Uint8Array | string) => string;
