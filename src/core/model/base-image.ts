/** Facts about an image that is known by name. */
export interface BaseImage {
  /** As written, with tag and digest. */
  readonly reference: string;
  /** The official name, such as `python`; null when the image is no official one. */
  readonly official: string | null;
  readonly tag: string | null;
  readonly digest: string | null;
  /** null where unknown. */
  readonly facts: BaseFacts | null;
}

export interface BaseFacts {
  readonly user: string;
  readonly workdir: string;
  readonly manager: 'apt' | 'apk' | 'dnf' | 'none';
  /** Names of programs that are there, of those that tasks commonly use. */
  readonly programs: ReadonlySet<string>;
  /** Programs of the same list that are not there. */
  readonly lacks: ReadonlySet<string>;
  /** Does `pip install` refuse outside of a virtual environment (PEP 668)? */
  readonly pythonManaged: boolean;
}
