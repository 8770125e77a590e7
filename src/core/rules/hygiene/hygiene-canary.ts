import { patternMatcher } from './git-ignore';
import { nameOf } from './files';
import type { Rule } from '../rule';

export const hygieneCanary: Rule = {
  id: 'hygiene-canary',
  severity: 'warning',
  confidence: 'certain',
  inputs: ['texts', 'instruction', 'toml', 'docker', 'shell:test', 'shell:solve', 'py:tests', 'py:solution'],
  needsDisk: true,
  why: 'With the marker those who gather training data can leave the task out.',
  docs: {
    finds:
      'A file of the kinds that the profile lists lacks the canary of the profile. Without a canary in the profile nothing is asked for.',
    silent: 'Binary files, JSON and licences.',
    bad: '#!/bin/bash\nset -e',
    good: '#!/bin/bash\n# benchmark canary <id>\nset -e',
  },
  *check(subject) {
    const { disk, profile } = subject;
    const { canary } = profile;
    if (disk === null || canary === null || profile.canaryFiles.length === 0) return;
    const isAsked = patternMatcher(profile.canaryFiles);
    for (const [path, { text }] of disk.texts) {
      if (text === null || text.trim() === '' || text.includes(canary) || !isAsked(path)) continue;
      const style = commentStyle(path);
      if (style === null) continue;
      const line = text.startsWith('#!') ? 1 : 0;
      const own = subject.lines(path);
      if (own === null || own.count <= line) continue;
      const at = { line, character: 0 };
      const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
      yield {
        file: path,
        range: own.range(own.start(0), own.start(0) + own.line(0).length),
        message: `${path} lacks the canary ${JSON.stringify(canary)}.`,
        fixes: [
          {
            title: 'Insert the canary',
            preferred: true,
            edits: [{ file: path, range: { start: at, end: at }, newText: `${style(oneLine(canary))}${lineBreak}` }],
          },
        ],
      };
    }
  },
};

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/gu, ' ').replaceAll('-->', '');
}

/** How a comment is written in a file of that name; null where there is none. */
function commentStyle(path: string): ((text: string) => string) | null {
  const name = nameOf(path);
  if (/\.(?:md|html?|xml|svg)$/iu.test(name)) return (text) => `<!-- ${text} -->`;
  if (/\.(?:js|ts|mjs|cjs|tsx|jsx|c|h|cc|cpp|hpp|java|go|rs|kt|swift|scala|php)$/iu.test(name))
    return (text) => `// ${text}`;
  if (/\.(?:sql|lua|hs)$/iu.test(name)) return (text) => `-- ${text}`;
  if (
    /\.(?:sh|bash|py|rb|pl|toml|ya?ml|r|jl|tcl|cfg|conf|mk)$/iu.test(name) ||
    /^(?:Dockerfile.*|Makefile)$/u.test(name)
  )
    return (text) => `# ${text}`;
  return null;
}
