import type { InstructionText } from '../text/markdown/instruction-text';
import type { AgentSpace } from './agent-space';
import { agentSpaceOf } from './agent-space';
import { agentImage } from './agent-image';
import { absolutePath } from './container-path';
import type { Expectations } from './expectations';
import { withRoles } from './path-roles';
import { contactsIn, usesIn } from './path-uses';
import { composeReader } from './readers/compose';
import { instructionReader } from './readers/instruction';
import { pythonReader } from './readers/python';
import { shellReader, testsShellReader } from './readers/shell';
import type { Image } from './image';
import { taskImages } from './task-images';
import type { TaskStep } from './steps';
import { steps } from './steps';
import type { Derivation, Subject } from './subject';
import type { Reach } from './verifier-reach';
import { reachOf } from './verifier-reach';

/** All that rules across files know of one step. */
export interface StepView {
  readonly step: TaskStep;
  readonly space: AgentSpace;
  readonly reach: Reach;
  readonly expectations: Expectations;
  /** The instruction of this step; null where there is none that can be read. */
  readonly own: InstructionText | null;
  /** Those that the agent has read by then: of this step and of the steps before. */
  readonly instructions: readonly InstructionText[];
  /** Their texts, joined. */
  readonly instruction: string;
  /** The texts of the reference solution, joined; of all steps up to this one. */
  readonly solution: string;
  /** True when the solution consists of texts only, so that what they do not say it does not do. */
  readonly isSolutionWhole: boolean;
  /** The texts of the verifier's files, joined. */
  readonly tests: string;
}

/** The steps with all that is known of them, in order. */
export const stepViews: Derivation<readonly StepView[]> = {
  name: 'step-views',
  derive: (subject) => {
    const all = subject.derive(steps);
    return all.map((step, index) => viewOf(subject, step, all.slice(0, index + 1)));
  },
};

function viewOf(subject: Subject, step: TaskStep, soFar: readonly TaskStep[]): StepView {
  const config = subject.toml?.config ?? null;
  const image = subject.derive(agentImage);
  const workdir = config?.environment.workdir ?? image?.workdir ?? null;
  const space = agentSpaceOf({
    step,
    image,
    volumes: volumesOf(subject),
    artifacts: artifactsOf(subject, step, workdir),
    workdirFiles: workdirFiles(subject, soFar),
    workdir,
    textOf: (file) => subject.text(file),
  });
  const instructions = soFar.flatMap(({ instruction }) => {
    const read = instruction === null ? null : subject.read(instructionReader, instruction);
    return read === null ? [] : [read];
  });
  const startFolder = step.verifier === 'separate' ? (verifierImageOf(subject, step)?.workdir ?? null) : workdir;
  const reach = reachOf({
    tests: step.tests,
    // A batch file is no shell script.
    testScript: step.testScript?.endsWith('.sh') === true ? step.testScript : null,
    startFolder,
    shell: (file, folder) => subject.read(folder === '/tests' ? testsShellReader : shellReader, file),
    python: (file) => subject.read(pythonReader, file),
    isInImage: (path) => space.has(path) === 'yes',
  });
  const solutionFiles = [...new Set(soFar.flatMap(({ solution }) => [...solution.values()]))];
  const solution = textsOf(subject, solutionFiles);
  const uses = withRoles(reach.files.flatMap(usesIn), {
    space,
    instructions,
    solution,
    copies: [...reach.copies.keys()],
  });
  return {
    step,
    space,
    reach,
    expectations: {
      step,
      startFolder,
      files: reach.files,
      uses,
      contacts: reach.files.flatMap(contactsIn),
      complete: reach.complete,
    },
    own: step.instruction === null ? null : subject.read(instructionReader, step.instruction),
    instructions,
    instruction: instructions.map(({ text }) => text).join('\n'),
    solution,
    isSolutionWhole: solutionFiles.length > 0 && solutionFiles.every((file) => subject.text(file) !== null),
    tests: textsOf(subject, [...step.tests.values()]),
  };
}

function textsOf(subject: Subject, files: readonly string[]): string {
  return files.map((file) => subject.text(file) ?? '').join('\n');
}

/** Folders of the agent's container that volumes cover; null when that is unknown. */
function volumesOf(subject: Subject): readonly string[] | null {
  const file = subject.layout?.composeFile ?? null;
  if (file === null) return [];
  const read = subject.read(composeReader, file);
  if (read?.ok !== true || read.compose.incomplete) return null;
  const main = read.compose.services.get('main');
  // With an image or a build of its own the model of the Dockerfile is not the agent's container.
  if (main !== undefined && (main.image !== null || main.build !== null)) return null;
  const folders: string[] = [];
  for (const { target } of main?.volumes ?? []) {
    if (target?.constant !== true) return null;
    folders.push(target.text);
  }
  return folders;
}

function artifactsOf(subject: Subject, step: TaskStep, workdir: string | null): string[] {
  const config = subject.toml?.config ?? null;
  const all = [...(config?.artifacts ?? []), ...(config?.steps[step.index ?? -1]?.artifacts ?? [])];
  return all.flatMap(({ source }) => absolutePath(source, workdir) ?? []);
}

function workdirFiles(subject: Subject, soFar: readonly TaskStep[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { dir } of soFar) {
    if (dir === '') continue;
    const folder = `${dir}/workdir/`;
    for (const [path, kind] of subject.disk?.entries ?? []) {
      if (kind === 'file' && path.startsWith(folder)) found.set(path.slice(folder.length), path);
    }
  }
  return found;
}

/** The image of a step's separate verifier; null where it is not built from a Dockerfile of the task. */
export function verifierImageOf(subject: Subject, step: TaskStep): Image | null {
  const files = [`${step.dir === '' ? '' : `${step.dir}/`}tests/Dockerfile`, 'tests/Dockerfile'];
  const images = subject.derive(taskImages).filter(({ role }) => role === 'verifier');
  for (const file of files) {
    const found = images.find(({ image }) => image.file === file);
    if (found !== undefined) return found.image;
  }
  return null;
}
