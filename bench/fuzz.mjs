// Judges made-up tasks whose files were damaged at random, for as long as it is told to, and stops at the first rule that
// throws, place that is outside of its text, or task that takes too long. The seed is printed, and repeats a run.
//
//   node bench/fuzz.mjs [--seconds 60] [--seed N] [--slow 3000]
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { taskFiles } from './dataset.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    slow: { type: 'string', default: '3000' },
  },
});

// Inside of the repository, so that the bundle finds its packages.
mkdirSync(resolve('out'), { recursive: true });
const work = mkdtempSync(resolve('out', 'fuzz-'));
const entry = `
export { judgeReading } from './src/core/rules/check';
export { linesOf } from './src/core/text/lines';
export { loadGrammars } from './src/node/grammars';
`;
await build({
  stdin: { contents: entry, resolveDir: resolve('.'), loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile: join(work, 'core.mjs'),
});
const { judgeReading, linesOf, loadGrammars } = await import(join(work, 'core.mjs'));
rmSync(work, { recursive: true, force: true });
const grammars = await loadGrammars(createRequire(import.meta.url).resolve);

let state = Number(values.seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const int = (below) => Math.floor(random() * below);
const pick = (list) => list[int(list.length)];

const pieces = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\0',
  '#',
  '$(',
  '<<EOF',
  '"""',
  '${',
  '&&',
  '|',
  ';',
  '🌊',
  '本',
  '\ufeff',
  '\u2028',
  '..',
  '/',
  '*',
  '\\\n',
  '```',
  '<!--',
  '-->',
  '[[',
  '= ',
  ': ',
  '- ',
  '&a ',
  '*a',
  'if ',
  'fi',
  'def f():',
  'COPY . /',
  'FROM ',
  'assert ',
  'trap ',
  'set -e\n',
  'exit 0\n',
  '%s',
  '\ud83c',
];

/** Cuts, doubles, moves and puts in pieces. */
function damaged(text) {
  let result = text;
  for (let times = 1 + int(6); times > 0; times--) {
    const at = int(result.length + 1);
    const to = Math.min(result.length, at + int(pick([3, 30, 300])));
    const piece = result.slice(at, to);
    result = pick([
      () => result.slice(0, at) + result.slice(to),
      () => result.slice(0, at) + pick(pieces).repeat(pick([1, 1, 2, 5, 200])) + result.slice(at),
      () => result.slice(0, at) + piece.repeat(pick([2, 3, 50])) + result.slice(to),
      () => result.slice(0, at),
      () => result.replace(/\n/g, '\r\n'),
    ])();
    if (result.length > 200_000) result = result.slice(0, 200_000);
  }
  return result;
}

function readingOf(files) {
  const entries = new Map();
  const texts = new Map();
  const facts = new Map();
  for (const [path, text] of Object.entries(files)) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      entries.set(path.slice(0, at), 'directory');
    entries.set(path, 'file');
    texts.set(path, { path, text, trouble: null });
    facts.set(path, { size: Buffer.byteLength(text), mode: 0o644, link: null });
  }
  const disk = { dir: '/t', dirName: 't', entries, texts, facts, danglingLinks: [], limit: null };
  return { disk, config: texts.get('task.toml') ?? null };
}

const end = Date.now() + Number(values.seconds) * 1000;
let runs = 0;
let slowest = 0;
const extra = [
  'environment/docker-compose.yaml',
  'rubric.toml',
  'rubric.yaml',
  'rubric.json',
  'tests/Dockerfile',
  'steps/a/instruction.md',
  'steps/a/tests/test.sh',
];
while (Date.now() < end) {
  const files = taskFiles(int(10_000), 1 + int(50));
  const before = state;
  const contents = Object.values(files);
  for (const path of Object.keys(files)) if (int(3) === 0) files[path] = damaged(files[path]);
  if (int(3) === 0) files[pick(extra)] = damaged(pick(contents));
  const started = performance.now();
  const fail = (what) => {
    console.log(`seed ${values.seed}, state ${before}, run ${runs}: ${what}`);
    process.exit(1);
  };
  const judged = judgeReading(readingOf(files), {
    grammars,
    onTrouble: (ruleId, error) => fail(`${ruleId} threw: ${error.stack}`),
  });
  const took = performance.now() - started;
  if (took > Number(values.slow)) {
    fail(
      `it took ${took.toFixed(0)} ms; sizes ${JSON.stringify(Object.entries(files).map(([path, text]) => [path, text.length]))}`,
    );
  }
  slowest = Math.max(slowest, took);
  for (const { file, range, ruleId } of judged.findings) {
    const lines = linesOf(files[file] ?? '');
    for (const place of [range.start, range.end]) {
      const found = lines.position(lines.offset(place));
      if (found.line !== place.line || found.character !== place.character) {
        fail(`${ruleId} points outside of ${file}: ${JSON.stringify(range)}`);
      }
    }
  }
  runs++;
}
console.log(`${runs} damaged tasks, seed ${values.seed}; the slowest took ${slowest.toFixed(0)} ms`);
