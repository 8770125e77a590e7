import { agentImage } from '../model/agent-image';
import { baseName } from '../model/container-path';
import type { Image } from '../model/image';
import { hasWord } from '../model/path-words';
import type { StepView } from '../model/step-views';
import { stepViews } from '../model/step-views';
import type { Subject } from '../model/subject';
import type { InstructionText } from '../text/markdown/instruction-text';
import { readInstruction } from '../text/markdown/read-instruction';
import type { Facts, OutputFact } from './facts';
import type { NamedPath } from './instruction-facts';
import { instructionFacts } from './instruction-facts';
import { isOwnProgram, verifierFacts } from './verifier-facts';

/**
 * The facts of a task, from the same models that rules judge. They would rather miss an output than call an input one.
 * A subject without grammars gives what the instruction says and nothing of what is in `tests/`. Of a task with steps it
 * is the first one; none is run yet.
 */
export function readFacts(subject: Subject): Facts {
  const image = subject.derive(agentImage);
  const [view] = subject.derive(stepViews);
  if (view === undefined) return nothing;
  const workdir = subject.toml?.config?.environment.workdir ?? image?.workdir ?? null;
  const { instruction } = view.step;
  const text = view.own ?? readInstruction(instruction === null ? '' : (subject.text(instruction) ?? ''));
  const said = instructionFacts(text);
  const verifier = verifierFacts(subject, view);
  const imagePaths = pathsOf(image);
  const shipped = new Set(imagePaths);
  const verified = new Set(verifier.pathUses.map(({ path }) => path));

  const outputs: OutputFact[] = [];
  const inputs: string[] = [];
  for (const [path, mentions] of grouped(said.paths)) {
    const output = outputAmong(mentions, verified.has(path), view.space.has(path) === 'no');
    if (output !== null && !shipped.has(path) && !shipped.has(`${path}/`) && path !== workdir)
      outputs.push({ path, kind: output.kind, line: output.line });
    else inputs.push(path);
  }

  const ownModules = new Set(
    [...imagePaths, ...outputs.map(({ path }) => path)].map((path) => baseName(path).replace(/\.py$/u, '')),
  );
  return {
    outputs,
    inputs,
    examples: said.examples,
    keys: said.keys,
    ports: said.ports,
    imports: verifier.imports,
    thirdPartyImports: verifier.foreignImports.filter((name) => !ownModules.has(name)),
    verifierCommands: verifier.commands,
    verifierPaths: [...verified],
    successWords: verifier.successWords,
    verifierUsesPython: verifier.usesPython,
    verifierUsesPytest: verifier.usesPytest,
    imagePaths,
    graders:
      image === null
        ? []
        : verifier.programs.filter(
            (path) => isOwnProgram(image, path) && !isDeliverable(path, { text, view, outputs }),
          ),
    workdir,
    runners: verifier.runners,
    pathUses: verifier.pathUses,
  };
}

const nothing: Facts = {
  outputs: [],
  inputs: [],
  examples: [],
  keys: [],
  ports: [],
  imports: [],
  thirdPartyImports: [],
  verifierCommands: [],
  verifierPaths: [],
  successWords: [],
  verifierUsesPython: true,
  verifierUsesPytest: true,
  imagePaths: [],
  graders: [],
  workdir: null,
  runners: [],
  pathUses: [],
};

function pathsOf(image: Image | null): readonly string[] {
  if (image === null) return [];
  const folders = image.gaps.flatMap(({ below }) =>
    // What is copied from another image may be a file or a folder; then it is known as a file already.
    below === null || image.files.has(below) ? [] : [below === '/' ? below : `${below}/`],
  );
  return [...new Set([...image.files.keys(), ...folders])];
}

function grouped(mentions: readonly NamedPath[]): ReadonlyMap<string, readonly NamedPath[]> {
  const groups = new Map<string, NamedPath[]>();
  for (const mention of mentions) {
    const group = groups.get(mention.path);
    if (group === undefined) groups.set(mention.path, [mention]);
    else group.push(mention);
  }
  return groups;
}

/**
 * The mention that asks for the file: also to change one that is not there. One that nothing classifies counts when the
 * verifier looks at the file.
 */
function outputAmong(mentions: readonly NamedPath[], verified: boolean, isAbsent: boolean): NamedPath | null {
  const asking = mentions.find(({ role }) => role === 'output' || (role === 'edited' && isAbsent));
  if (asking !== undefined) return asking;
  const unclear = mentions.every(({ role }) => role === 'unclear');
  return unclear && verified ? (mentions[0] ?? null) : null;
}

interface Asked {
  readonly text: InstructionText;
  readonly view: StepView;
  readonly outputs: readonly OutputFact[];
}

/** What the agent is asked to make or mend, and what the reference solution touches, is no grader. */
function isDeliverable(path: string, { text, view, outputs }: Asked): boolean {
  const name = baseName(path);
  return (
    outputs.some((output) => output.path === path) ||
    hasWord(view.solution, name) ||
    passages(text).some((passage) => hasWord(passage, name) && !speaksOfChecking(passage))
  );
}

/** “Run `check.sh` to see whether it works” names a tool; “fix `check.sh`” and “the service is `ship.py`” do not. */
function speaksOfChecking(passage: string): boolean {
  return (
    /\b(?:check(?:s|ed|ing)?|verif(?:y|ies|ied)|grad(?:e|es|ed|ing)|validat(?:e|es|ed|ing)|tests?|tested)\b/iu.test(
      passage,
    ) &&
    !/\b(?:fix|repair|mend|edit|modify|change|implement|write|create|improve|complete|rewrite|refactor|bugs?)\b/iu.test(
      passage,
    )
  );
}

/** Sentences, and blocks of code with the sentence that introduces them. */
function passages({ sentences, fences }: InstructionText): readonly string[] {
  return [
    ...sentences.map(({ text }) => text),
    ...fences.map(({ lead, code }) => `${sentences[lead ?? -1]?.text ?? ''}\n${code}`),
  ];
}
