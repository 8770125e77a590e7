import type { Subject } from '../../model/subject';
import { taskImages } from '../../model/task-images';
import type { ComposeFile } from '../../text/compose';
import { editDistance } from '../../text/edit-distance';
import { linesOf } from '../../text/lines';
import type { Claim, Rule } from '../rule';
import type { UsedCompose } from './files';
import { composeFiles } from './files';

const topKeys = ['version', 'name', 'services', 'networks', 'volumes', 'secrets', 'configs', 'include', 'models'];

export const composeInvalid: Rule = {
  id: 'compose-invalid',
  severity: 'error',
  confidence: 'certain',
  inputs: ['compose', 'tree', 'toml', 'docker'],
  needsDisk: true,
  why: 'Harbor hands the file to Docker Compose, and what Compose refuses starts no environment.',
  docs: {
    finds:
      'A compose file that is no YAML, whose `services` is no mapping, that has an unknown key at the top, or a service that depends on one that is not there. A file of another name, such as `docker-compose.yml`, which Harbor does not look for, is a warning, and so is one without services.',
    silent:
      'A file without `main`, which Harbor adds; keys that begin with `x-`; a compose file that the image takes as an input.',
    bad: 'environment/docker-compose.yml',
    good: 'environment/docker-compose.yaml',
  },
  *check(subject) {
    for (const used of subject.derive(composeFiles)) {
      const { file, result } = used;
      if (!result.ok) {
        const [error] = result.errors;
        if (error !== undefined)
          yield { file, range: error.range, message: `${file} cannot be read: ${sentence(error.message)}` };
        continue;
      }
      yield* problemsOf(used, result.compose, subject);
    }
    yield* misnamed(subject);
  },
};

function sentence(message: string): string {
  const line =
    message
      .split('\n')[0]
      ?.replace(/ at line \d+.*$/u, '')
      .replace(/:$/u, '') ?? message;
  return /[.!?]$/u.test(line) ? line : `${line}.`;
}

function* problemsOf({ file }: UsedCompose, compose: ComposeFile, subject: Subject): Generator<Claim> {
  for (const { key, range } of compose.topKeys) {
    if (topKeys.includes(key) || key.startsWith('x-')) continue;
    const near = topKeys.find((one) => editDistance(one, key) <= 2) ?? null;
    yield {
      file,
      range,
      message: `Compose knows no key ${key} at the top${near === null ? ', and refuses the file' : `; ${near} is meant, it seems`}.`,
      fixes:
        near === null ? [] : [{ title: `Rename to ${near}`, edits: [{ file, range, newText: near }], preferred: true }],
    };
  }
  if (compose.servicesKey !== null && !compose.servicesIsMap) {
    yield { file, range: compose.servicesKey, message: 'services has to be a mapping of names to services.' };
    return;
  }
  if (compose.servicesKey === null && !compose.incomplete) {
    const range = compose.topKeys[0]?.range ?? firstLine(subject.text(file) ?? '');
    yield { file, range, severity: 'warning', message: `${file} has no services, so it changes nothing.` };
  }
  if (compose.incomplete) return;
  for (const { name, dependsOn } of compose.services.values()) {
    for (const { service, range } of dependsOn) {
      if (service === 'main' || service.includes('$') || compose.services.has(service)) continue;
      yield { file, range, message: `${name} depends on ${service}, and there is no such service.` };
    }
  }
}

/** Files that Compose would take by itself, but of which Harbor knows nothing. */
function* misnamed(subject: Subject): Generator<Claim> {
  if (subject.layout?.composeFile !== null) return;
  for (const name of ['docker-compose.yml', 'compose.yaml', 'compose.yml']) {
    const file = `environment/${name}`;
    const text = subject.text(file);
    if (text === null || !/^services\s*:/mu.test(text) || isInput(subject, file)) continue;
    yield {
      file,
      range: firstLine(text),
      severity: 'warning',
      message: `Harbor looks for environment/docker-compose.yaml alone and does not use ${file}.`,
    };
  }
}

function isInput(subject: Subject, file: string): boolean {
  return subject
    .derive(taskImages)
    .some(({ image }) =>
      [...image.files.values()].some(({ origin }) => origin.kind === 'context' && origin.file === file),
    );
}

function firstLine(text: string): Claim['range'] {
  return { start: { line: 0, character: 0 }, end: { line: 0, character: linesOf(text).line(0).length } };
}
