/** Where the values of `${NAME}` come from; undefined is "not set", an empty text counts as set. */
export type Lookup = (name: string) => string | undefined;

export type TemplateResult =
  { readonly ok: true; readonly value: string } | { readonly ok: false; readonly missing: string };

export interface Template {
  readonly name: string;
  /** null when the template has no `:-default`. */
  readonly default: string | null;
}

// Matched on the whole value (harbor-task.md, section 14); `.` excludes the newline only, as in Python.
const wholeTemplate = /^\$\{([^}:]+)(?::-([^\n]*))?\}$/u;

/** The template that a value of an `env` table is, or null when Harbor takes the value literally. */
export function parseTemplate(value: string): Template | null {
  const match = wholeTemplate.exec(value);
  const name = match?.[1];
  return name === undefined ? null : { name, default: match?.[2] ?? null };
}

/** Resolves one value. `missing` names the variable that has neither a value nor a default. */
export function resolveTemplate(value: string, lookup: Lookup): TemplateResult {
  const template = parseTemplate(value);
  if (template === null) return { ok: true, value };
  const found = lookup(template.name) ?? template.default;
  return found === null ? { ok: false, missing: template.name } : { ok: true, value: found };
}

export type EnvResult =
  | { readonly ok: true; readonly env: Readonly<Record<string, string>> }
  /** Names of all missing variables, in the order of the table, each once. */
  | { readonly ok: false; readonly missing: readonly string[] };

/** Resolves an `env` table; variables keep the table's order. */
export function resolveEnv(env: Readonly<Record<string, string>>, lookup: Lookup): EnvResult {
  const resolved: [string, string][] = [];
  const missing = new Set<string>();
  for (const [key, value] of Object.entries(env)) {
    const result = resolveTemplate(value, lookup);
    if (result.ok) resolved.push([key, result.value]);
    else missing.add(result.missing);
  }
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, env: Object.fromEntries(resolved) };
}
