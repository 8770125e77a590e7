import type { Instruction } from './dockerfile';

export interface StepReference {
  /** Name that the builder gives the stage; null in a Dockerfile of one stage. */
  readonly stage: string | null;
  readonly index: number;
  readonly total: number;
  /** The instruction as the builder writes it. */
  readonly name: string;
  /** Whether `index` counts the steps of a stage (BuildKit) or all instructions of the file (the older builder). */
  readonly counting: 'stage' | 'all';
}

/** The instruction that a builder's step stands for; null when it cannot be told for sure. */
export function findInstruction(instructions: readonly Instruction[], step: StepReference): Instruction | null {
  if (step.counting === 'all') {
    const found = instructions[step.index - 1];
    return step.total === instructions.length && found ? found : byText(instructions, step.name);
  }
  const froms = instructions.filter((one) => one.keyword === 'FROM');
  const stage = step.stage === null ? (froms.length === 1 ? 0 : -1) : stageNamed(froms, step.stage);
  const inStage = instructions.filter((one) => one.stage === stage && one.step !== null);
  const found = inStage.find((one) => one.step === step.index);
  const keyword = (/^[A-Za-z]+/.exec(step.name)?.[0] ?? '').toUpperCase();
  // A base image's ONBUILD instructions are counted too, so that ordinals are off: then only the text tells.
  if (inStage.length === step.total && found?.keyword === keyword) return found;
  return byText(stage < 0 ? instructions : inStage, step.name);
}

function stageNamed(froms: readonly Instruction[], name: string): number {
  const wanted = name.toLowerCase();
  const named = froms.findIndex((one) => /\sAS\s+(\S+)\s*$/i.exec(one.text)?.[1]?.toLowerCase() === wanted);
  if (named >= 0) return named;
  const numbered = /^stage-(\d+)$/.exec(wanted);
  return numbered ? Number(numbered[1]) : -1;
}

function byText(instructions: readonly Instruction[], name: string): Instruction | null {
  const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const found = instructions.filter((one) => plain(one.text) === plain(name));
  return found.length === 1 ? (found[0] ?? null) : null;
}
