import type { Fix } from '../../finding';
import { stepDir } from '../../task/layout';
import type { Snapshot } from '../../task/snapshot';
import type { ResolvedVerifier } from '../../task/verifier-mode';
import { verifierMode } from '../../task/verifier-mode';
import type { TomlSource } from '../../text/toml-edit';
import type { TomlPath } from '../../text/toml-tree';
import { entryAt, tableAt } from '../../text/toml-tree';
import { startOfFile } from '../../text/position';
import type { Range } from '../../text/position';
import { knownImage } from '../image';
import type { Claim, Rule } from '../rule';
import { firstLine, sourceOf, tableRange } from './toml-places';

export const configSeparateVerifierIncomplete: Rule = {
  id: 'config-separate-verifier-incomplete',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['toml', 'tree', 'docker'],
  needsDisk: true,
  why: 'A separate verifier sees only what its image holds and what is declared as an artifact; whatever else it needs is missing at grading time.',
  docs: {
    finds:
      'The verifier is separate, and nothing makes its container: there is no `tests/Dockerfile`, no compose file and no `docker_image`; or its Dockerfile never brings `test.sh` to `/tests`, or is dead because an image is inherited.',
    silent: '`WORKDIR /tests` with `COPY . .`, copies with flags, and base images that may hold the tests already.',
    bad: '[verifier]\nenvironment_mode = "separate"      # tests/ has no Dockerfile',
    good: 'FROM python:3.13-slim\nCOPY . /tests/',
  },
  *check({ toml, disk }) {
    const source = sourceOf(toml);
    const config = toml?.config;
    if (source === null || !config || disk === null) return;
    const steps = config.steps.length === 0 ? [null] : config.steps.map((_, index) => index);
    const judged = new Set<string>();
    for (const step of steps) {
      const verifier = verifierMode(config, step);
      if (verifier.mode !== 'separate') continue;
      const own = step === null ? null : stepDir(config.steps[step]?.name ?? '');
      const tests = own !== null && disk.entries.get(`${own}/tests`) === 'directory' ? `${own}/tests` : 'tests';
      if (judged.has(tests)) continue;
      judged.add(tests);
      const place = modePlace(source, step) ?? { path: ['verifier'], range: firstLine(toml) };
      yield* claimsFor(verifier, tests, disk, place);
    }
  },
};

interface Place {
  readonly path: TomlPath;
  readonly range: Range;
}

function* claimsFor(
  verifier: Extract<ResolvedVerifier, { mode: 'separate' }>,
  tests: string,
  disk: Snapshot,
  place: Place,
): Generator<Claim> {
  const dockerfile = `${tests}/Dockerfile`;
  const hasDockerfile = disk.entries.has(dockerfile);
  const hasCompose = disk.entries.has(`${tests}/docker-compose.yaml`);
  const image = verifier.environment.docker_image;
  if (image === null && !hasDockerfile && !hasCompose) {
    yield {
      ...place,
      message: `The verifier is separate, but there is neither ${dockerfile} nor ${tests}/docker-compose.yaml nor a docker_image for it.`,
      fixes: createDockerfile(dockerfile, disk),
    };
  } else if (image !== null && verifier.isCopy && hasDockerfile) {
    yield {
      ...place,
      message: `${dockerfile} is not built: the verifier's environment is a copy of [environment], with its docker_image ${JSON.stringify(image)}.`,
    };
  } else if (image === null && !hasCompose) yield* claimsForDockerfile(dockerfile, disk);
}

/** The Dockerfile of the tests must put them into the image, since nothing is uploaded there. */
function* claimsForDockerfile(file: string, disk: Snapshot): Generator<Claim> {
  const text = disk.texts.get(file)?.text ?? null;
  if (text === null) return;
  const { dockerfile, base } = knownImage(text);
  const last = dockerfile.stages.length - 1;
  const isPut = dockerfile.instructions.some(
    ({ keyword, text: line }) =>
      ['COPY', 'ADD', 'ONBUILD'].includes(keyword) || (keyword === 'RUN' && line.includes('/tests')),
  );
  // An image of unknown origin may hold the tests already.
  if (base === null || isPut) return;
  const from = dockerfile.instructions.find((one) => one.keyword === 'FROM' && one.stage === last);
  const line = from?.line ?? 0;
  const end = { line: (from?.endLine ?? 0) + 1, character: 0 };
  yield {
    file,
    severity: 'error',
    range: { start: { line, character: 0 }, end: { line, character: (text.split(/\r\n|\n|\r/u)[line] ?? '').length } },
    message: 'Nothing puts test.sh at /tests/test.sh in this image, and Harbor uploads nothing to a separate verifier.',
    fixes: [
      {
        title: 'Copy the tests into the image',
        edits: [{ file, range: { start: end, end }, newText: 'COPY . /tests/\n' }],
      },
    ],
  };
}

function createDockerfile(file: string, disk: Snapshot): readonly Fix[] {
  const agentImage = disk.texts.get('environment/Dockerfile')?.text ?? '';
  const from = /^FROM[ \t]+[^\s$]+[ \t]*$/imu.exec(agentImage)?.[0].trim() ?? 'FROM python:3.13-slim';
  return [{ title: `Create ${file}`, edits: [{ file, range: startOfFile, newText: `${from}\nCOPY . /tests/\n` }] }];
}

function modePlace(source: TomlSource, step: number | null): Place | null {
  const prefixes: TomlPath[] = step === null ? [['verifier']] : [['steps', step, 'verifier'], ['verifier']];
  for (const prefix of prefixes) {
    const mode = entryAt(source.root, [...prefix, 'environment_mode']);
    if (mode) return { path: [...prefix, 'environment_mode'], range: mode.value.range };
    const environment = [...prefix, 'environment'];
    if (tableAt(source.root, environment)) return { path: environment, range: tableRange(source, environment) };
  }
  return null;
}
