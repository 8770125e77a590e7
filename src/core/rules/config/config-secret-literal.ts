import { parseTemplate } from '../../task/templates';
import { envTables } from './env-tables';
import type { Rule } from '../rule';
import { sourceOf, tomlFix } from './toml-places';

export const configSecretLiteral: Rule = {
  id: 'config-secret-literal',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['toml', 'instruction'],
  why: 'The files of a task are published, and a key in them is public from then on.',
  docs: {
    finds:
      'A value in an `env` table that is a credential: a well-known token, a private key, or a random-looking text under a name that says key, token, secret or password.',
    silent:
      '`${NAME}` templates, everyday dummies such as `changeme`, and values that the instruction hands to the agent.',
    bad: 'JUDGE_KEY = "sk-live-9fQ2…"',
    good: 'JUDGE_KEY = "${JUDGE_KEY}"',
  },
  *check({ toml, disk }) {
    const source = sourceOf(toml);
    if (source === null) return;
    const instructions = [...(disk?.texts.values() ?? [])].filter((file) => file.path.endsWith('instruction.md'));
    for (const { path, entries } of envTables(source.root)) {
      for (const { key, value } of entries) {
        if (value.kind !== 'string' || parseTemplate(value.value) !== null) continue;
        const kind = secretKind(key, value.value);
        if (kind === null || instructions.some((file) => file.text?.includes(value.value))) continue;
        yield {
          path: [...path, key],
          range: value.range,
          message: `${key} holds ${kind} as plain text.`,
          fixes: tomlFix(`Take it from the host as \${${key}}`, [{ range: value.range, newText: `"\${${key}}"` }]),
        };
      }
    }
  },
};

// Shapes of tokens that services hand out; each is long enough not to be a word.
const tokens: readonly RegExp[] = [
  /^sk-(?:[a-z]+-)*[A-Za-z0-9_-]{12,}$/u,
  /^gh[pousr]_[A-Za-z0-9]{20,}$/u,
  /^github_pat_\w{20,}$/u,
  /^glpat-[\w-]{16,}$/u,
  /^(?:AKIA|ASIA)[A-Z0-9]{16}$/u,
  /^AIza[\w-]{30,}$/u,
  /^xox[abprs]-[\w-]{10,}$/u,
  /^hf_[A-Za-z0-9]{20,}$/u,
  /^npm_[A-Za-z0-9]{30,}$/u,
  /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/u,
];

const dummy =
  /test|dummy|example|changeme|change-me|placeholder|fake|sample|your[-_ ]|xxxx|insecure|not[-_]?(?:a[-_])?(?:real|secret)/iu;

function secretKind(name: string, value: string): string | null {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/u.test(value)) return 'a private key';
  if (dummy.test(value)) return null;
  if (tokens.some((shape) => shape.test(value))) return 'what looks like a token';
  if (!/KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/iu.test(name)) return null;
  // A path, an address or words joined by hyphens are no random text.
  if (value.length < 16 || /[\s/:]/u.test(value) || !/\d/u.test(value) || !/[A-Za-z]/u.test(value)) return null;
  return entropy(value) > 3.5 ? 'what looks like a secret' : null;
}

/** Bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = text.length;
  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
}
