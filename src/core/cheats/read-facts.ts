import { dockerfilePaths } from './dockerfile-paths';
import type { FactInput, Facts, OutputFact } from './facts';
import type { PathMention } from './instruction-facts';
import { instructionFacts } from './instruction-facts';
import { verifierFacts } from './verifier-facts';

/**
 * A first, small reader of facts. It would rather miss an output than call an input one; a later reader with syntax
 * trees can fill the same shape.
 */
export function readFacts(input: FactInput): Facts {
  const image =
    input.dockerfile === null ? { paths: [], workdir: null } : dockerfilePaths(input.dockerfile, input.contextFiles);
  const workdir = input.workdir ?? image.workdir;
  const said = instructionFacts(input.instruction);
  const verifier = verifierFacts(input, workdir ?? '/');
  const shipped = new Set(image.paths);
  const verified = new Set(verifier.pathUses.map(({ path }) => path));

  const outputs: OutputFact[] = [];
  const inputs: string[] = [];
  for (const [path, mentions] of grouped(said.mentions)) {
    const output = outputMention(mentions, verified.has(path));
    if (output !== null && !shipped.has(path) && !shipped.has(`${path}/`) && path !== workdir)
      outputs.push({ path, kind: output.kind, line: output.line });
    else inputs.push(path);
  }

  const ownModules = new Set(
    [...image.paths, ...outputs.map(({ path }) => path)].map((path) => path.replace(/^.*\//, '').replace(/\.py$/, '')),
  );
  const graders = verifier.programs
    .map(({ path }) => path)
    .filter(
      (path) => shipped.has(path) || image.paths.some((folder) => folder.endsWith('/') && path.startsWith(folder)),
    )
    .filter((path) => !isDeliverable(path, input, outputs));

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
    imagePaths: image.paths,
    graders: [...new Set(graders)],
    workdir,
    runners: verifier.runners,
    pathUses: verifier.pathUses,
  };
}

function grouped(mentions: readonly PathMention[]): ReadonlyMap<string, readonly PathMention[]> {
  const groups = new Map<string, PathMention[]>();
  for (const mention of mentions) {
    const group = groups.get(mention.path);
    if (group === undefined) groups.set(mention.path, [mention]);
    else group.push(mention);
  }
  return groups;
}

/** The mention that asks for the file; one that nothing classifies counts when the verifier looks at the file. */
function outputMention(mentions: readonly PathMention[], verified: boolean): PathMention | null {
  const asking = mentions.find(({ role }) => role === 'output');
  if (asking !== undefined) return asking;
  const unclear = mentions.every(({ role }) => role === 'unclear');
  return unclear && verified && mentions[0] !== undefined ? mentions[0] : null;
}

/** What the agent is asked to make or mend, and what the reference solution touches, is no grader. */
function isDeliverable(path: string, input: FactInput, outputs: readonly OutputFact[]): boolean {
  const name = path.replace(/^.*\//, '');
  const word = new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`);
  return (
    outputs.some((output) => output.path === path) ||
    input.solution.some(({ text }) => word.test(text)) ||
    sentences(input.instruction).some((sentence) => word.test(sentence) && !speaksOfChecking(sentence))
  );
}

/** “Run `check.sh` to see whether it works” names a tool; “fix `check.sh`” and “the service is `ship.py`” do not. */
function speaksOfChecking(sentence: string): boolean {
  return (
    /\b(?:check(?:s|ed|ing)?|verif(?:y|ies|ied)|grad(?:e|es|ed|ing)|validat(?:e|es|ed|ing)|tests?|tested)\b/i.test(
      sentence,
    ) &&
    !/\b(?:fix|repair|mend|edit|modify|change|implement|write|create|improve|complete|rewrite|refactor|bugs?)\b/i.test(
      sentence,
    )
  );
}

function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?;])\s|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s/);
}
