import { findInstruction, readDockerfile, type Instruction } from '../../core/text/dockerfile-lines';
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
    const from = instructions.find((one) => one.keyword === 'FROM' && refersTo(one, missing));
    return {
      ...base(outcome),
      line: from?.line ?? null,
      message: `The base image "${missing}" is not on this engine and cannot be pulled: ${error}. Check its name and the network; \`docker pull ${missing}\` shows more.`,
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

/** The image that a message says cannot be had. */
function missingBase(error: string, failed: FailedStep | null): string | null {
  const loading = /^\[internal\] load metadata for (\S+)$/.exec(failed?.name ?? '')?.[1];
  if (loading !== undefined) return plainReference(loading);
  const named =
    /failed to resolve source metadata for (\S+?):? /.exec(`${error} `)?.[1] ??
    /pull access denied for (\S+?),/.exec(error)?.[1] ??
    /manifest for (\S+) not found/.exec(error)?.[1];
  return named === undefined ? null : plainReference(named);
}

/** A reference as people write it: without the default registry and its default folder. */
function plainReference(reference: string): string {
  return reference.replace(/^[\w.-]+\.[a-z]+\/library\//, '').replace(/:$/, '');
}

function refersTo(instruction: Instruction, image: string): boolean {
  const words = instruction.text.split(/\s+/).slice(1);
  const named = words.find((word) => !word.startsWith('--')) ?? '';
  return plainReference(named) === image || `${plainReference(named)}:latest` === image || named.includes('$');
}

/** What a builder says of a command that failed, without its own repetition of the command. */
function reasonFrom(error: string): string {
  const code =
    /did not complete successfully: (.*)$/s.exec(error)?.[1] ?? /returned a non-zero code: (\d+)$/.exec(error)?.[1];
  if (code === undefined) return error.replace(/^failed to solve: /, '');
  const text = /^\d+$/.test(code) ? `exit code ${code}` : code.replace('exit code: ', 'exit code ');
  return `${text}.`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
