/** Where each instruction of a Dockerfile stands, and how builders count it. */
export interface Dockerfile {
  readonly instructions: readonly Instruction[];
  readonly stages: readonly Stage[];
}

export interface Instruction {
  /** Upper case. */
  readonly keyword: string;
  /** The instruction on one line: continuation lines joined by a blank, without comments and here-documents. */
  readonly text: string;
  /** From 0. */
  readonly line: number;
  /** Last line that belongs to it, here-documents included. */
  readonly endLine: number;
  /** Index of its stage; -1 before the first FROM. */
  readonly stage: number;
  /**
   * Ordinal within the stage, from 1, among the instructions that BuildKit counts as steps (those that change files, and
   * FROM); null for the others.
   */
  readonly step: number | null;
  /** Number of here-documents that belong to it. */
  readonly heredocs: number;
}

export interface Stage {
  /** As `AS` names it; null without. */
  readonly name: string | null;
  /** Number of steps. */
  readonly steps: number;
}

const STEP_KEYWORDS = new Set(['FROM', 'RUN', 'COPY', 'ADD', 'WORKDIR']);
const HEREDOC_KEYWORDS = new Set(['RUN', 'COPY', 'ADD']);

/** Reads the lines of a Dockerfile. Never fails: what is no instruction becomes one with an unknown keyword. */
export function readDockerfile(text: string): Dockerfile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escape = escapeCharacter(lines);
  const continued = escape === '`' ? /`[ \t]*$/ : /\\[ \t]*$/;
  const instructions: Instruction[] = [];
  const stages: { name: string | null; steps: number }[] = [];
  let at = 0;
  while (at < lines.length) {
    const first = lines[at] ?? '';
    if (isBlankOrComment(first)) {
      at += 1;
      continue;
    }
    const line = at;
    let joined = '';
    for (;;) {
      const current = lines[at] ?? '';
      at += 1;
      // Between continued lines, comments and empty lines count for nothing.
      if (at - 1 > line && isBlankOrComment(current)) {
        if (at >= lines.length) break;
        continue;
      }
      const more = continued.test(current);
      joined += `${joined === '' ? '' : ' '}${(more ? current.replace(continued, '') : current).trim()}`;
      if (!more || at >= lines.length) break;
    }
    const keyword = (/^[A-Za-z]+/.exec(joined)?.[0] ?? '').toUpperCase();
    const documents = HEREDOC_KEYWORDS.has(keyword) ? heredocs(joined) : [];
    for (const heredoc of documents) at = afterHeredoc(lines, at, heredoc);
    if (keyword === 'FROM')
      stages.push({ name: /\sAS\s+(\S+)\s*$/i.exec(joined)?.[1]?.toLowerCase() ?? null, steps: 0 });
    const stage = stages.at(-1);
    const counts = stage !== undefined && STEP_KEYWORDS.has(keyword);
    if (counts) stage.steps += 1;
    instructions.push({
      keyword,
      text: joined,
      line,
      endLine: at - 1,
      stage: stages.length - 1,
      step: counts ? stage.steps : null,
      heredocs: documents.length,
    });
  }
  return { instructions, stages };
}

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

function isBlankOrComment(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

/** Directives stand before anything else, other comments included. */
function escapeCharacter(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^\s*#\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (!directive) break;
    if (directive[1]?.toLowerCase() === 'escape') return directive[2] === '`' ? '`' : '\\';
  }
  return '\\';
}

interface Heredoc {
  readonly name: string;
  /** `<<-`: leading tabs before the end word do not count. */
  readonly tabs: boolean;
}

/** Here-documents begin at unquoted words only. */
function heredocs(text: string): Heredoc[] {
  const found: Heredoc[] = [];
  for (const word of words(text)) {
    const match = /^\d*<<(-?)(?:"([^"<]+)"|'([^'<]+)'|([^<"'\s>|;&()]+))/.exec(word);
    const name = match?.[2] ?? match?.[3] ?? match?.[4];
    if (match && name !== undefined) found.push({ name, tabs: match[1] === '-' });
  }
  return found;
}

/** Splits at blanks outside quotes; the quotes stay. */
function words(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/g) ?? [];
}

function afterHeredoc(lines: readonly string[], from: number, heredoc: Heredoc): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if ((heredoc.tabs ? line.replace(/^\t+/, '') : line) === heredoc.name) return at + 1;
  }
  return lines.length;
}
