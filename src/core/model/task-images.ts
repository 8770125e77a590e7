import { verifierMode } from '../task/verifier-mode';
import { readIgnoreFile } from '../text/dockerfile/ignore-file';
import type { ComposeBuild, ComposeService } from '../text/compose';
import { absolutePath } from './container-path';
import { dockerfileReader } from './dockerfile-model';
import type { Image } from './image';
import { buildImage } from './image/build-image';
import { contextOf, type ContextEntry, type ImageContext } from './image/context';
import { composeReader } from './readers/compose';
import type { Derivation, Subject } from './subject';

/** An image that a task builds. */
export interface TaskImage {
  readonly image: Image;
  /** `agent`: where the agent works. `verifier`: of a separate verifier. `service`: of another service of a compose file. */
  readonly role: 'agent' | 'verifier' | 'service';
  /** Name of the service; null for a plain Dockerfile. */
  readonly service: string | null;
}

/** Every image that a task builds, the agent's first. A Dockerfile that nothing uses makes none. */
export const taskImages: Derivation<readonly TaskImage[]> = {
  name: 'task-images',
  derive: (subject) => {
    const found: TaskImage[] = [];
    const add = (role: TaskImage['role'], service: string | null, build: BuildPlace): void => {
      const image = imageAt(subject, build);
      if (image !== null) found.push({ image, role, service });
    };
    const { layout } = subject;
    const config = subject.toml?.config ?? null;
    if (layout === null) return found;
    // An image that is named takes the place of the one built from the Dockerfile.
    const isBuilt = (config?.environment.docker_image ?? '') === '';
    const services = layout.composeFile === null ? null : servicesOf(subject, layout.composeFile);
    const main = services?.get('main')?.build ?? null;
    const own = main === null ? placeIn('environment') : placeOf(main, 'environment');
    if (isBuilt && own !== null && (main !== null || layout.dockerfile !== null)) {
      add('agent', main === null ? null : 'main', own);
    }
    for (const [name, { build }] of services ?? []) {
      const place = name === 'main' || build === null ? null : placeOf(build, 'environment');
      if (place !== null) add('service', name, place);
    }
    for (const dir of verifierDirs(subject)) add('verifier', null, placeIn(dir));
    return found;
  },
};

/** Where a build takes its parts from, relative to the task folder. */
interface BuildPlace {
  readonly context: string;
  readonly dockerfile: string;
  readonly target: string | null;
}

function placeIn(dir: string): BuildPlace {
  return { context: dir, dockerfile: `${dir}/Dockerfile`, target: null };
}

function servicesOf(subject: Subject, file: string): ReadonlyMap<string, ComposeService> | null {
  const read = subject.read(composeReader, file);
  return read?.ok === true ? read.compose.services : null;
}

/** Where a service is built from; null where that depends on the host, or is out of the task. */
function placeOf({ context, dockerfile, target, inline }: ComposeBuild, dir: string): BuildPlace | null {
  if (inline !== null || dockerfile?.constant === false || target?.constant === false) return null;
  // Harbor sets this variable to the folder of the environment.
  const isDir = /^\$(?:CONTEXT_DIR|\{CONTEXT_DIR(?::-[^}]*)?\})$/u.test(context.text);
  if (!context.constant && !isDir) return null;
  const folder = isDir ? dir : insideTask(context.text, dir);
  const file = folder === null ? null : insideTask(dockerfile?.text ?? 'Dockerfile', folder);
  return folder === null || file === null ? null : { context: folder, dockerfile: file, target: target?.text ?? null };
}

function imageAt(subject: Subject, { context, dockerfile, target }: BuildPlace): Image | null {
  const model = subject.read(dockerfileReader, dockerfile);
  return model === null
    ? null
    : buildImage({ model, file: dockerfile, context: contextAt(subject, context, dockerfile), target });
}

/** The folders from which images of separate verifiers are built. */
function verifierDirs(subject: Subject): readonly string[] {
  const { layout, disk } = subject;
  const config = subject.toml?.config ?? null;
  if (config === null || layout === null || disk === null) return [];
  const dirs = new Set<string>();
  const look = (step: number | null, dir: string | null): void => {
    const verifier = verifierMode(config, step);
    if (verifier.mode !== 'separate' || dir === null) return;
    if ((verifier.environment.docker_image ?? '') === '') dirs.add(dir);
  };
  if (layout.steps.length === 0) look(null, layout.testsDir);
  for (const [index, step] of layout.steps.entries()) look(index, step.testsDir ?? layout.testsDir);
  return [...dirs].filter((dir) => disk.entries.has(`${dir}/Dockerfile`));
}

function contextAt(subject: Subject, dir: string, dockerfile: string): ImageContext | null {
  const { disk } = subject;
  if (disk === null) return null;
  const prefix = dir === '' ? '' : `${dir}/`;
  const entries: ContextEntry[] = [];
  for (const [file, kind] of disk.entries) {
    if (file.startsWith(prefix) && (kind === 'file' || kind === 'directory'))
      entries.push({ path: file.slice(prefix.length), file, isFolder: kind === 'directory' });
  }
  return contextOf(dir, entries, ignoreFileOf(subject, prefix, dockerfile), disk.limit === null);
}

/** An ignore file named after the Dockerfile wins over the context's. */
function ignoreFileOf(
  subject: Subject,
  prefix: string,
  dockerfile: string,
): { readonly file: string; readonly rules: ReturnType<typeof readIgnoreFile> } | null {
  for (const file of [`${dockerfile}.dockerignore`, `${prefix}.dockerignore`]) {
    const text = subject.text(file);
    if (text !== null) return { file, rules: readIgnoreFile(text) };
  }
  return null;
}

/** A path from a folder of the task, relative to the task folder; null when it leads out. */
export function insideTask(path: string, from: string): string | null {
  if (path.startsWith('/') || escapes(path, from)) return null;
  return absolutePath(path, `/${from}`)?.slice(1) ?? null;
}

function escapes(path: string, from: string): boolean {
  let depth = from === '' ? 0 : from.split('/').length;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
