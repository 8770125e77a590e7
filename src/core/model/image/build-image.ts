import type { Dockerfile, Instruction, Word } from '../../text/dockerfile/dockerfile';
import { sourceStage, stageNamed } from '../../text/dockerfile/dockerfile';
import { absolutePath } from '../container-path';
import { baseImage } from '../base-image';
import type { DockerfileModel } from '../dockerfile-model';
import type { Image, Package } from '../image';
import { installOf } from '../installs';
import type { ShellCommand } from '../../text/shell/script';
import type { ImageContext } from './context';
import { applyCopy } from './copy';
import { ImageFiles, imageWork, type ImageWork } from './image-files';
import { applyRun } from './run';

export interface ImageSource {
  readonly model: DockerfileModel;
  /** The Dockerfile, relative to the task folder. */
  readonly file: string;
  /** null where it is not known. */
  readonly context: ImageContext | null;
  /** Name of the stage that is built; null for the last one. */
  readonly target: string | null;
}

/** Predicts an image (task-rules.md, section 4.4). Never throws on any Dockerfile. */
export function buildImage({ model, file, context, target }: ImageSource): Image {
  const { dockerfile } = model;
  const finalStage = finalStageOf(dockerfile, target);
  const stages = new Map<number, StageResult>();
  const workdirs = new Map<Instruction, string | null>();
  const work = imageWork();
  const stageAt = (index: number): StageResult => {
    const known = stages.get(index);
    if (known !== undefined) return known;
    const parent = dockerfile.stages[index]?.parent ?? null;
    const below = parent === null ? null : stageAt(parent);
    const result = followStage({ model, context, index, stageAt, workdirs, work }, below);
    stages.set(index, result);
    return result;
  };
  const lineage = lineageOf(dockerfile, finalStage);
  // From the first stage on, so that no chain of stages is followed by recursion.
  const needed = neededStages(dockerfile, finalStage);
  for (const index of [...needed].sort((a, b) => a - b)) stageAt(index);
  const { files, workdir, user, env, entrypoint, cmd, exposed, packages, base } = stageAt(finalStage);
  const last = dockerfile.instructions.at(-1);
  if (last !== undefined) files.closeWhenCutOff(last);
  return {
    dockerfile,
    script: model.script,
    file,
    context,
    finalStage,
    lineage,
    needed,
    base,
    files: files.files,
    folders: files.folders,
    removed: files.removed,
    gaps: files.gaps,
    complete: files.gaps.length === 0 && context?.isWhole === true,
    packages,
    workdirs,
    workdir,
    user,
    env,
    entrypoint,
    cmd,
    exposed,
  };
}

interface StageResult extends Pick<
  Image,
  'workdir' | 'user' | 'env' | 'entrypoint' | 'cmd' | 'exposed' | 'packages' | 'base'
> {
  readonly files: ImageFiles;
}

const nothing: StageResult = {
  files: new ImageFiles(imageWork()),
  workdir: null,
  user: null,
  env: new Map(),
  entrypoint: null,
  cmd: null,
  exposed: [],
  packages: [],
  base: null,
};

interface StageParts {
  readonly model: DockerfileModel;
  readonly context: ImageContext | null;
  readonly index: number;
  readonly stageAt: (index: number) => StageResult;
  /** Filled with the folder of each RUN. */
  readonly workdirs: Map<Instruction, string | null>;
  readonly work: ImageWork;
}

function followStage(parts: StageParts, parent: StageResult | null): StageResult {
  const { model, context, index, stageAt, workdirs, work } = parts;
  const stage = model.dockerfile.stages[index];
  if (stage === undefined) return nothing;
  const reference = stage.reference?.value ?? null;
  const base = parent?.base ?? (reference === null ? null : baseImage(reference));
  const files = new ImageFiles(work, parent?.files ?? null);
  const packages: Package[] = [...(parent?.packages ?? [])];
  const exposed = [...(parent?.exposed ?? [])];
  const env = new Map(parent?.env);
  let workdir =
    parent === null ? (base?.facts?.workdir ?? (base?.reference === 'scratch' ? '/' : null)) : parent.workdir;
  let user = parent === null ? (base?.facts?.user ?? null) : parent.user;
  let entrypoint = parent?.entrypoint ?? null;
  let cmd = parent?.cmd ?? null;
  for (const instruction of stage.instructions) {
    const [word] = instruction.words;
    switch (instruction.keyword) {
      case 'WORKDIR':
        workdir = absolutePath(word?.value ?? '\0', workdir);
        if (workdir !== null) files.addFolder(workdir);
        break;
      case 'USER':
        user = userName(word);
        break;
      case 'ENV':
        for (const one of instruction.assignments) env.set(one.name, one.value?.value ?? null);
        break;
      case 'ENTRYPOINT':
        entrypoint = instruction;
        // An entrypoint takes back the command of the images below.
        if (cmd !== null && cmd.stage !== index) cmd = null;
        break;
      case 'CMD':
        cmd = instruction;
        break;
      case 'EXPOSE':
        for (const { value } of instruction.words) {
          const port = Number(value?.replace(/\/(?:tcp|udp)$/u, ''));
          if (Number.isInteger(port) && port > 0) exposed.push(port);
        }
        break;
      case 'COPY':
      case 'ADD':
      case 'RUN': {
        const state = {
          dockerfile: model.dockerfile,
          context,
          stage: (from: number) => stageAt(from).files,
          files,
          workdir,
          user,
        };
        if (instruction.keyword === 'RUN') workdirs.set(instruction, workdir);
        if (instruction.keyword !== 'RUN') applyCopy(instruction, state);
        else
          applyRun(instruction, model.script(instruction), state, (command) =>
            packages.push(...packagesOf(instruction, command)),
          );
        break;
      }
      default:
    }
  }
  return { files, workdir, user, env, entrypoint, cmd, exposed, packages, base };
}

function packagesOf(instruction: Instruction, command: ShellCommand): Package[] {
  const install = installOf(command);
  if (install === null) return [];
  return install.items
    .filter((item) => item.kind === 'name')
    .map(({ name, version, word }) => ({
      manager: install.manager,
      name,
      version,
      instruction,
      start: word.start,
      end: word.end,
    }));
}

/** `name` of `name:group`; null where it depends on something unknown. */
function userName(word: Word | undefined): string | null {
  const name = word?.value?.split(':')[0] ?? '';
  return name === '' ? null : name;
}

function finalStageOf(dockerfile: Dockerfile, target: string | null): number {
  const named = target === null ? null : stageNamed(dockerfile, target, dockerfile.stages.length);
  return named ?? dockerfile.stages.length - 1;
}

function lineageOf(dockerfile: Dockerfile, final: number): ReadonlySet<number> {
  const lineage = new Set<number>();
  for (
    let at: number | null = final;
    at !== null && at >= 0 && !lineage.has(at);
    at = dockerfile.stages[at]?.parent ?? null
  )
    lineage.add(at);
  return lineage;
}

function neededStages(dockerfile: Dockerfile, final: number): ReadonlySet<number> {
  const needed = new Set<number>(final < 0 ? [] : [final]);
  // A set grows while it is walked; every stage names earlier ones only.
  for (const index of needed) {
    const stage = dockerfile.stages[index];
    if (stage === undefined) continue;
    if (stage.parent !== null) needed.add(stage.parent);
    for (const instruction of stage.instructions) {
      const from = sourceStage(dockerfile, instruction);
      if (from !== null) needed.add(from);
      for (const flag of instruction.flags) {
        const name = flag.name === 'mount' ? /(?:^|,)from=([^,]+)/u.exec(flag.value.value ?? '')?.[1] : undefined;
        const mounted = name === undefined ? null : stageNamed(dockerfile, name, index);
        if (mounted !== null) needed.add(mounted);
      }
    }
  }
  return needed;
}
