/** A credential found in a text. */
export interface Credential {
  readonly start: number;
  readonly end: number;
  /** As people call it, such as `a GitHub token`. */
  readonly what: string;
}

interface Shape {
  readonly what: string;
  /** A text that every match has, to look for before the pattern is tried. */
  readonly mark: string;
  readonly pattern: RegExp;
}

const shapes: readonly Shape[] = [
  { what: 'a GitHub token', mark: 'gh', pattern: /\bgh[pousr]_[A-Za-z0-9]{36}\b/gu },
  { what: 'a GitHub token', mark: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/gu },
  { what: 'a GitLab token', mark: 'glpat-', pattern: /\bglpat-[\w-]{20}\b/gu },
  { what: 'an access key of AWS', mark: 'AKIA', pattern: /\bAKIA[A-Z2-7]{16}\b/gu },
  { what: 'a Google API key', mark: 'AIza', pattern: /\bAIza[\w-]{35}\b/gu },
  { what: 'a Slack token', mark: 'xox', pattern: /\bxox[abprs]-\d{10,13}-[\w-]{20,60}/gu },
  { what: 'an API key of Anthropic', mark: 'sk-ant-', pattern: /\bsk-ant-[\w-]{32,110}/gu },
  { what: 'an API key of OpenAI', mark: 'sk-proj-', pattern: /\bsk-proj-[\w-]{40,170}/gu },
  { what: 'a Hugging Face token', mark: 'hf_', pattern: /\bhf_[A-Za-z]{34}\b/gu },
  { what: 'an npm token', mark: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}\b/gu },
  { what: 'a PyPI token', mark: 'pypi-AgEI', pattern: /\bpypi-AgEI[\w-]{50,250}/gu },
  { what: 'a Stripe key', mark: 'sk_live_', pattern: /\bsk_live_[A-Za-z0-9]{24,99}\b/gu },
];

/** Tokens that services hand out, by their shapes; those that look made up are left out. */
export function credentialsIn(text: string): readonly Credential[] {
  const found: Credential[] = [];
  for (const { what, mark, pattern } of shapes) {
    if (!text.includes(mark)) continue;
    for (const match of text.matchAll(pattern)) {
      const [token] = match;
      if (looksReal(token)) found.push({ start: match.index, end: match.index + token.length, what });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The block of a private key with a body; null for none. */
export function privateKeyIn(text: string): Credential | null {
  const match = /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/u.exec(text);
  if (match === null) return null;
  const body = text.slice(match.index + match[0].length, match.index + match[0].length + 400);
  const letters = /^[\s\\n]*([A-Za-z0-9+/=\s]{120,})/u.exec(body)?.[1];
  if (letters === undefined || /EXAMPLE|FAKE|DUMMY/iu.test(letters)) return null;
  return { start: match.index, end: match.index + match[0].length, what: 'a private key' };
}

/** Random text has no word that says example, no runs and no alphabet in order. */
function looksReal(token: string): boolean {
  if (/example|sample|dummy|fake|test|your|placeholder|secret|redact|x{4}|0{4}|1234|abcd|(.)\1{3}/iu.test(token))
    return false;
  const body = token.replace(/^[A-Za-z]+[_-]/u, '');
  return new Set(body).size >= Math.min(12, body.length / 2);
}
