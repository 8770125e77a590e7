import { absolutePath, isAtOrBelow, isSystemPath } from './container-path';
import type { Image } from './image';
import type { TaskStep } from './steps';

/** A text that the agent can read in its container. */
export interface VisibleText {
  /** Absolute path in the container. */
  readonly path: string;
  /** The file of the task that it comes from; null for one written in the Dockerfile. */
  readonly file: string | null;
  readonly text: string;
}

/** What the agent of a step finds in its container and can change there (task-rules.md, section 4.4). */
export interface AgentSpace {
  readonly image: Image | null;
  /** Can the agent do whatever it likes? null when unknown. */
  readonly isRoot: boolean | null;
  /** In the image, as a file or a folder: `no` only where nothing unknown could have put it there. */
  has(path: string): 'yes' | 'no' | 'unknown';
  /** Can the agent change what the verifier finds at this path? null when unknown. Never what the verifier brings itself. */
  writable(path: string): boolean | null;
  readonly texts: readonly VisibleText[];
}

export interface AgentSpaceParts {
  readonly step: TaskStep;
  /** null without a Dockerfile, or where another image is used instead. */
  readonly image: Image | null;
  /** Folders that volumes of a compose file cover; null when that is unknown. */
  readonly volumes: readonly string[] | null;
  /** Absolute paths of what Harbor collects for a separate verifier. */
  readonly artifacts: readonly string[];
  /** Files that a step puts into the working directory, by their path there. */
  readonly workdirFiles: ReadonlyMap<string, string>;
  readonly workdir: string | null;
  readonly textOf: (file: string) => string | null;
}

/** UTF-16 units of all visible texts together. */
const maxText = 4 << 20;

export function agentSpaceOf(parts: AgentSpaceParts): AgentSpace {
  const { step, image, volumes, artifacts } = parts;
  const isRoot = rootOf(step, image);
  const added = new Map<string, string>();
  for (const [name, file] of parts.workdirFiles) {
    const path = absolutePath(name, parts.workdir);
    if (path !== null) added.set(path, file);
  }
  const folders = new Set<string>();
  for (const path of [...(image?.files.keys() ?? []), ...added.keys()]) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  let texts: VisibleText[] | null = null;
  return {
    image,
    isRoot,
    has: (path) => {
      if (image?.files.has(path) === true || image?.folders.has(path) === true || folders.has(path)) return 'yes';
      if (added.has(path)) return 'yes';
      if (image === null || volumes === null || parts.workdir === null) return 'unknown';
      return volumes.some((folder) => isAtOrBelow(path, folder)) ? 'unknown' : inImage(image, path);
    },
    writable: (path) => {
      if (step.verifier === 'separate') {
        return isAtOrBelow(path, '/logs/artifacts') || artifacts.some((folder) => isAtOrBelow(path, folder));
      }
      if (isAtOrBelow(path, '/tests') || isAtOrBelow(path, '/proc') || isAtOrBelow(path, '/sys')) return false;
      if (isRoot === true || ['/tmp', '/var/tmp', '/logs'].some((folder) => isAtOrBelow(path, folder))) return true;
      return null;
    },
    get texts() {
      texts ??= visibleTexts(parts, added);
      return texts;
    },
  };
}

/** Is there a file or folder at a path of an image? `no` only where nothing unknown could have put it there. */
export function inImage(image: Image, path: string): 'yes' | 'no' | 'unknown' {
  if (image.files.has(path) || image.folders.has(path)) return 'yes';
  for (const file of image.files.keys()) if (isAtOrBelow(file, path)) return 'yes';
  if (isSystemPath(path) || isAtOrBelow(path, '/root') || isAtOrBelow(path, '/home')) return 'unknown';
  if ((image.base?.official ?? null) === null) return 'unknown';
  if (image.gaps.some(({ below }) => below === null || isAtOrBelow(path, below))) return 'unknown';
  return image.complete || image.gaps.length > 0 ? 'no' : 'unknown';
}

function rootOf(step: TaskStep, image: Image | null): boolean | null {
  const user = step.agentUser ?? image?.user ?? null;
  if (user === null) return null;
  if (String(user).split(':')[0] === 'root' || String(user).split(':')[0] === '0') return true;
  // Whoever may call sudo is root when it likes.
  return image === null || image.packages.some(({ name }) => name === 'sudo') ? null : false;
}

function visibleTexts({ image, textOf }: AgentSpaceParts, added: ReadonlyMap<string, string>): VisibleText[] {
  const found: VisibleText[] = [];
  let left = maxText;
  const add = (path: string, file: string | null, text: string | null): void => {
    if (text === null || text.length > left) return;
    left -= text.length;
    found.push({ path, file, text });
  };
  for (const { path, origin } of image?.files.values() ?? []) {
    if (origin.kind === 'context') add(path, origin.file, textOf(origin.file));
    else if (origin.kind === 'text') add(path, null, origin.text);
  }
  for (const [path, file] of added) add(path, file, textOf(file));
  return found;
}
