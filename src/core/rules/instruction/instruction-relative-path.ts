import type { Fix } from '../../finding';
import { agentImage } from '../../model/agent-image';
import type { Subject } from '../../model/subject';
import type { InstructionText, PathMention } from '../../text/markdown/instruction-text';
import { joined } from '../../text/markdown/path-shape';
import { listed, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';
import { instructions } from './instructions';

export const instructionRelativePath: Rule = {
  id: 'instruction-relative-path',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'toml', 'docker', 'tree'],
  needsDisk: true,
  why: 'An agent may work in another folder than the tests look in, and then good work is not found.',
  docs: {
    finds:
      'The agent is to read, change or create a file whose path does not begin at the root: `./x`, `../x`, `folder/x.ext`, or a bare file name in inline code beside a verb of producing or reading.',
    silent:
      'A name whose folder is given in the same sentence, list item or the text that introduces the list; a name that has its absolute path elsewhere; texts that say which folder paths start from; commands, formats, patterns, examples, drawings of folders, import paths and URLs.',
    bad: 'Write the result to `out/plan.json`.',
    good: 'Write the result to `/srv/out/plan.json`.',
  },
  *check(subject) {
    for (const { file, text } of subject.derive(instructions)) {
      const paths = unanchored(text);
      const [first] = paths;
      if (first === undefined) continue;
      const more =
        paths.length === 1
          ? ''
          : ` (as ${paths.length === 2 ? 'is' : 'are'} ${listed(paths.slice(1).map(({ text: own }) => own))})`;
      yield claimOf(subject, file, text, paths, `${first.text}${more} is given without the folder it is in.`);
    }
  },
};

function claimOf(
  subject: Subject,
  file: string,
  text: InstructionText,
  paths: readonly PathMention[],
  message: string,
): Claim {
  const [first] = paths;
  const workdir = subject.toml?.config?.environment.workdir ?? subject.derive(agentImage)?.workdir ?? null;
  const fixes: Fix[] =
    workdir?.startsWith('/') === true && workdir !== '/'
      ? [
          {
            title: `Put ${workdir} before ${paths.length === 1 ? 'it' : 'them'}`,
            edits: paths.map(({ start, end, text: own }) => ({
              file,
              range: text.lines.range(start, end),
              newText: joined(workdir, own) + (own.endsWith('/') ? '/' : ''),
            })),
          },
        ]
      : [];
  return {
    file,
    range: text.lines.range(first?.start ?? 0, first?.end ?? 0),
    message,
    fixes,
    related: paths.slice(1, 6).flatMap(({ start, end }) => relatedTo(subject, { file, start, end }, 'Here too')),
  };
}

/** Says of itself where its paths begin, if only in words. */
const anchored =
  /\b(?:relative to|(?:current|working|present|project|repo(?:sitory)?(?:'s)?|root|top[- ]level|same|home) (?:directory|folder|root)|cwd|workdir|directory root|next to|alongside|beside|repo root)\b/i;

/** Files of a project that are spoken of by their bare name wherever they are. */
const conventional =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|cargo\.(?:toml|lock)|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w-]*\.txt|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?|cmakelists\.txt|makefile|gnumakefile|dockerfile|readme\.md|changelog\.md|license|gemfile|\.\w+|docker-compose\.ya?ml|conftest\.py|__init__\.py|index\.(?:js|ts|html)|main\.\w+)$/i;

function unanchored(text: InstructionText): readonly PathMention[] {
  const { paths, base } = text.mentions;
  if (base !== null || text.sentences.some(({ words }) => anchored.test(words))) return [];
  const placed = new Set(paths.filter(({ joined: isJoined }) => isJoined).map(({ start }) => start));
  const absolute = paths.filter(({ form }) => form === 'absolute').map(({ path }) => path);
  const found = new Map<string, PathMention>();
  for (const mention of paths) {
    const { form, path, pattern, command, context } = mention;
    if (form === 'absolute' || pattern || command || placed.has(mention.start) || found.has(path)) continue;
    if (context.example || context.negated || context.role === 'unclear' || context.role === 'protected') continue;
    if (context.place !== 'code' && !(context.place === 'prose' && form === 'relative')) continue;
    const place = text.sentences[context.sentence ?? -1]?.place;
    if (place !== 'prose') continue;
    if (form === 'name' && conventional.test(path)) continue;
    const plain = path.replace(/^(?:\.\.\/)+/u, '');
    // Said with its folder elsewhere, or a part of a folder that is: the reader knows which one is meant.
    if (absolute.some((other) => other === `/${plain}` || other.endsWith(`/${plain}`))) continue;
    if (paths.some((other) => other.form === 'relative' && other.path !== path && other.path.endsWith(`/${plain}`)))
      continue;
    found.set(path, mention);
  }
  return [...found.values()];
}
