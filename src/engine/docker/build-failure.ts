import type { Instruction } from '../../core/text/dockerfile/dockerfile';
import { readDockerfile } from '../../core/text/dockerfile/read-dockerfile';
import { findInstruction } from '../../core/text/dockerfile/steps';
import type { ImageResult } from '../sandbox';
import type { BuildContext } from './build-context';
import type { BuildOutcome, FailedStep } from './build-progress';

type Failure = Extract<ImageResult, { ok: false }>;

/** Says what of a Dockerfile failed, at which line, and what to do. */
export function describeFailure(outcome: BuildOutcome, context: BuildContext, buildKit: boolean): Failure {
  const error = (outcome.error ?? '').trim();
  const { dockerfile } = context;
  const parsed = /(?:parse error (?:on|at) line|Dockerfile parse error line) (\d+)/i.exec(error);
  if (parsed) {
    return {
      ...base(outcome),
      line: Number(parsed[1]) - 1,
      message: `${dockerfile}, line ${parsed[1]}, cannot be read: ${error.replace(/^.*?line \d+:\s*/i, '')}`,
    };
  }
  const instructions = readDockerfile(context.dockerfileText).instructions;
  const syntax = /^#\s*syntax\s*=\s*(\S+)/im.exec(context.dockerfileText.split('\n', 5).join('\n'));
  const failed = outcome.failed;
  if (syntax && (failed?.name.includes(syntax[1] ?? '') || error.includes(syntax[1] ?? ''))) {
    const line = context.dockerfileText.slice(0, syntax.index).split('\n').length - 1;
    return {
      ...base(outcome),
      line,
      message: `The line "# syntax=${syntax[1]}" asks a registry for a Dockerfile reader, which cannot be fetched. Remove the line (current engines read here-documents and mounts without it), or mend the network. The builder says: ${error}`,
    };
  }
  const missing = missingBase(error, failed);
  if (missing !== null) {
    const user = instructions.find((one) => names(one, missing));
    const shown = user ? (referenceIn(user, missing) ?? missing) : missing;
    return {
      ...base(outcome),
      line: user?.line ?? null,
      message: `The image "${shown}" that ${dockerfile}${user ? `, line ${user.line + 1},` : ''} builds on is not on this engine and cannot be pulled. Check its name and the network; \`docker pull ${shown}\` shows more. The builder says: ${error}`,
    };
  }
  const instruction = failed?.step
    ? findInstruction(instructions, { ...failed.step, counting: buildKit ? 'stage' : 'all' })
    : null;
  const what = failed?.step ? ` (${shorten(failed.step.name)})` : '';
  const where = instruction ? `${dockerfile}, line ${instruction.line + 1}${what}` : `${dockerfile}${what}`;
  return {
    ...base(outcome),
    line: instruction?.line ?? null,
    message: `The image could not be built: ${where} failed: ${reasonFrom(error)}`,
  };
}

function base(outcome: BuildOutcome): Pick<Failure, 'ok' | 'reason' | 'output'> {
  const own = outcome.failed?.output ?? '';
  return { ok: false, reason: 'build-failed', output: own === '' ? outcome.output : own };
}

/** The image that cannot be had, as the Dockerfile or the builder names it; null when that is not what failed. */
function missingBase(error: string, failed: FailedStep | null): string | null {
  const loading = /^\[internal\] load metadata for (\S+)$/.exec(failed?.name ?? '')?.[1];
  if (loading !== undefined) return loading;
  // The older builder pulls as a part of the step.
  const step = /^FROM (?:--\S+ )*(\S+)/i.exec(failed?.step?.name ?? '')?.[1];
  if (step !== undefined) return step;
  return (
    /failed to resolve source metadata for (\S+?):? /.exec(`${error} `)?.[1] ??
    /invalid from flag value (\S+?):? /.exec(error)?.[1] ??
    null
  );
}

/** Whether an instruction takes something from an image that the builder calls `full`. */
function names(instruction: Instruction, full: string): boolean {
  return referenceIn(instruction, full) !== null;
}

function referenceIn(instruction: Instruction, full: string): string | null {
  const words = instruction.text.split(/\s+/).slice(1);
  const candidates =
    instruction.keyword === 'FROM'
      ? words.filter((word) => !word.startsWith('--')).slice(0, 1)
      : words.flatMap((word) => /^--(?:from=|mount=(?:.*,)?from=)([^,]+)/.exec(word)?.[1] ?? []);
  // The builder writes the default registry, its default folder and the default tag out.
  const found = candidates.find((one) => `/${full}`.endsWith(`/${one}`) || `/${full}`.endsWith(`/${one}:latest`));
  return found ?? (instruction.keyword === 'FROM' ? (candidates.find((one) => one.includes('$')) ?? null) : null);
}

/** What a builder says of a command that failed, without its own repetition of the command. */
function reasonFrom(error: string): string {
  const code =
    /did not complete successfully: (.*)$/s.exec(error)?.[1] ?? /returned a non-zero code: (\d+)$/.exec(error)?.[1];
  const absent = /(?:failed to calculate checksum of ref .*?: )"([^"]+)": not found/s.exec(error)?.[1];
  if (absent !== undefined) return `"${absent}" is not in the build context, or .dockerignore leaves it out.`;
  if (code === undefined) return error.replace(/^failed to solve: /, '');
  const text = /^\d+$/.test(code) ? `exit code ${code}` : code.replace('exit code: ', 'exit code ');
  return `${text}.`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
