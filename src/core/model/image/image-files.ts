import type { Instruction } from '../../text/dockerfile/dockerfile';
import { matchSegment } from '../../text/dockerfile/glob';
import { absolutePath, baseName, isAtOrBelow } from '../container-path';
import type { Gap, ImageFile, RemovedFile } from '../image';

/** Folders that images have before anything is put into them. */
const usualFolders = (
  '/ /bin /boot /dev /etc /home /lib /media /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib ' +
  '/usr/local /usr/local/bin /usr/local/lib /usr/local/sbin /usr/sbin /usr/share /usr/src /var /var/lib /var/log /var/tmp'
).split(' ');

/** What all stages of an image may cost; a folder that is copied into itself doubles each time. */
const maxWork = 3_000_000;

/** What a file costs: one to look at, more to hold (and a character of its path costs one), less when a stage inherits it. */
const costs = { held: 40, inherited: 10 };

/** Gaps of one stage: beyond them anything may be anywhere. */
const maxGaps = 500;

/** What is left of the work on one image; all its stages share it. */
export interface ImageWork {
  left: number;
}

export function imageWork(): ImageWork {
  return { left: maxWork };
}

/** The files of a stage while its instructions are followed. */
export class ImageFiles {
  readonly files: Map<string, ImageFile>;
  readonly folders: Set<string>;
  readonly removed: RemovedFile[];
  readonly gaps: Gap[];

  constructor(
    readonly work: ImageWork,
    base: ImageFiles | null = null,
  ) {
    const isWhole =
      base === null || this.spend((base.files.size + base.folders.size + base.removed.length) * costs.inherited);
    this.files = new Map(isWhole ? base?.files : undefined);
    this.folders = new Set(isWhole ? base?.folders : undefined);
    this.removed = isWhole ? [...(base?.removed ?? [])] : [];
    this.gaps = [...(base?.gaps ?? [])];
  }

  /** Takes from the work that is left; false when it is not enough, and for all that comes after. */
  spend(steps: number): boolean {
    this.work.left = this.work.left < steps ? -1 : this.work.left - steps;
    return this.work.left >= 0;
  }

  /** Where there was too much to follow, nothing is known: what was found so far may be gone by the end. */
  closeWhenCutOff(by: Instruction): void {
    if (this.work.left >= 0) return;
    this.files.clear();
    this.folders.clear();
    this.removed.length = 0;
    this.gaps.splice(0, this.gaps.length, { instruction: by, below: null, reason: 'not-understood' });
  }

  add(file: ImageFile): void {
    if (this.spend(costs.held + file.path.length)) this.files.set(file.path, file);
  }

  addFolder(path: string): void {
    if (this.spend(costs.held + path.length)) this.folders.add(path);
  }

  addGap(gap: Gap): void {
    if (this.gaps.length === maxGaps) this.gaps.push({ ...gap, below: null, reason: 'not-understood' });
    if (this.gaps.length >= maxGaps) return;
    // The same command in the same place says nothing new.
    const isKnown = this.gaps.some(
      ({ instruction, below, reason }) =>
        instruction === gap.instruction && below === gap.below && reason === gap.reason,
    );
    if (!isKnown) this.gaps.push(gap);
  }

  isFolder(path: string): boolean {
    if (usualFolders.includes(path) || this.folders.has(path)) return true;
    if (!this.spend(this.files.size)) return false;
    for (const file of this.files.keys()) if (file !== path && isAtOrBelow(file, path)) return true;
    return false;
  }

  /** The files that a path or pattern names: itself, or all in the folder, with what is below the named one. */
  at(path: string): { readonly file: ImageFile; readonly inner: string; readonly root: string }[] {
    if (!this.spend(this.files.size)) return [];
    const segments = path.split('/');
    const found: { file: ImageFile; inner: string; root: string }[] = [];
    for (const file of this.files.values()) {
      const parts = file.path.split('/');
      if (parts.length < segments.length) continue;
      if (path !== '/' && !segments.every((segment, at) => matchSegment(segment, parts[at] ?? ''))) continue;
      const rest = path === '/' ? parts.slice(1) : parts.slice(segments.length);
      found.push({ file, inner: rest.join('/'), root: parts.slice(0, segments.length).join('/') });
    }
    return found;
  }

  remove(path: string, by: Instruction, isWanted: (file: ImageFile) => boolean = () => true): void {
    for (const { file } of this.at(path)) {
      if (!isWanted(file)) continue;
      this.files.delete(file.path);
      this.removed.push({ ...file, removedBy: by });
    }
    const segments = path.split('/');
    if (!this.spend(this.folders.size)) return;
    for (const folder of this.folders) {
      const parts = folder.split('/');
      if (parts.length >= segments.length && segments.every((part, at) => matchSegment(part, parts[at] ?? '')))
        this.folders.delete(folder);
    }
    const whole = this.gaps.filter((gap) => gap.below === null || !isAtOrBelow(gap.below, path));
    if (whole.length < this.gaps.length) this.gaps.splice(0, this.gaps.length, ...whole);
  }

  /** Gives files to another place; `into` as `cp` and `COPY` decide. */
  copy(from: ImageFiles, source: string, target: string, as: (file: ImageFile) => Partial<ImageFile>): boolean {
    const found = from.at(source);
    const isFile = found.some(({ inner }) => inner === '');
    for (const { file, inner, root } of found) {
      const folder = isFile && !target.endsWith('/') && !this.isFolder(target) ? null : absolutePath(target, null);
      const path = folder === null ? target : absolutePath(inner === '' ? baseName(root) : inner, folder);
      if (path !== null) this.add({ ...file, ...as(file), path });
    }
    if (!this.spend(from.folders.size)) return found.length > 0;
    for (const folder of [...from.folders])
      if (isAtOrBelow(folder, source)) {
        const path = absolutePath(`.${folder.slice(source === '/' ? 0 : source.length)}`, absolutePath(target, null));
        if (path !== null) this.addFolder(path);
      }
    // A copy of the list: a folder copied into itself adds to the one that is walked.
    for (const gap of isFile ? [] : [...from.gaps])
      if (gap.below === null || isAtOrBelow(gap.below, source) || isAtOrBelow(source, gap.below))
        this.addGap({ ...gap, below: absolutePath(target, null) });
    return found.length > 0;
  }

  /** Changes what is known of files that are there, such as their mode. */
  change(path: string, deep: boolean, change: (file: ImageFile) => ImageFile): void {
    for (const { file, inner } of this.at(path)) if (deep || inner === '') this.files.set(file.path, change(file));
  }
}
