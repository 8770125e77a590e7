// Writes docs/rules/: a page for every rule and a list of them, from the rules themselves (dist/core.js, so build first).
// With --check it writes nothing and fails when a page differs from its rule.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'docs', 'rules');
const { rules } = createRequire(import.meta.url)(path.join(root, 'dist', 'core.js'));
const isCheck = process.argv.includes('--check');

const families = {
  structure: 'The files and folders of a task',
  config: 'task.toml',
  suppression: 'Allowances, in comments and in taskwright.toml',
  docker: 'The image',
  compose: 'Compose files',
  instruction: 'The instruction',
  verifier: 'The test script',
  tests: 'The tests',
  solution: 'The reference solution',
  consistency: 'Files that have to agree',
  hygiene: 'What should not be there',
  rubric: 'Rubrics',
};

const familyOf = (rule) => rule.id.slice(0, rule.id.indexOf('-'));
const fence = (text) => `\`\`\`text\n${text.replaceAll('```', '~~~')}\n\`\`\``;
const inputs = (rule) => rule.inputs.map((input) => `\`${input}\``).join(', ');

function page(rule) {
  const { finds, silent, bad, good } = rule.docs;
  return [
    `# ${rule.id}`,
    rule.why,
    `Severity: **${rule.severity}** · confidence: **${rule.confidence}** · reads: ${inputs(rule)} · [all rules](README.md)`,
    '## What it finds',
    finds,
    '## What it lets be',
    silent,
    '## Example',
    'Reported:',
    fence(bad),
    'Not reported:',
    fence(good),
    '## To change or silence it',
    `A severity, or \`off\`, can be given in \`taskwright.toml\` (\`[rules]\`), with \`--rule ${rule.id}=SEVERITY\`, or in the setting \`taskwright.rules\`. How to let one place pass, with a reason, is said in [Settings](../settings.md).`,
  ].join('\n\n');
}

function index() {
  const lines = ['# Rules', `<!-- Written by scripts/rule-pages.mjs; do not edit. -->`];
  lines.push(
    `Every check that needs nothing but reading: ${rules.length} rules. Nothing of a task is run, and what cannot be read with certainty is passed over; what only a run can show is the business of the [gates](../gates.md).`,
  );
  for (const [family, title] of Object.entries(families)) {
    const own = rules.filter((rule) => familyOf(rule) === family);
    if (own.length === 0) continue;
    lines.push(`## ${title}`);
    const rows = own.map(
      (rule) => `| [${rule.id}](${rule.id}.md) | ${rule.severity} | ${rule.why.replaceAll('|', '\\|')} |`,
    );
    lines.push(['| rule | severity | why |', '| --- | --- | --- |', ...rows].join('\n'));
  }
  return lines.join('\n\n');
}

const unknown = rules.filter((rule) => !(familyOf(rule) in families) || rule.docs === undefined);
if (unknown.length > 0) {
  console.error(`No page can be written for: ${unknown.map((rule) => rule.id).join(', ')}.`);
  process.exit(1);
}
const options = { ...(await resolveConfig(path.join(folder, 'README.md'))), parser: 'markdown' };
const pages = new Map([['README.md', index()], ...rules.map((rule) => [`${rule.id}.md`, page(rule)])]);
await mkdir(folder, { recursive: true });
const stale = (await readdir(folder)).filter((name) => !pages.has(name));
for (const [name, text] of pages) {
  const wanted = await format(text, options);
  const file = path.join(folder, name);
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found === wanted) continue;
  stale.push(name);
  if (!isCheck) await writeFile(file, wanted);
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run node scripts/rule-pages.mjs.`);
  process.exit(1);
}
if (!isCheck) for (const name of stale) if (!pages.has(name)) await rm(path.join(folder, name));
