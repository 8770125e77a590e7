const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy;

/**
 * Where a text stops being JSON, as offsets; messages of JSON.parse tell it in some engines only. Empty at the end for a
 * text that is cut off.
 */
export function firstWrongToken(text: string): readonly [number, number] {
  const open: string[] = [];
  /** What may come next: a value, a key, a colon, or a comma or the end. */
  let next: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma' = 'value';
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) break;
    const sign = match[1] ?? '';
    const start = at + match[0].length - (match[1] ?? match[2] ?? match[3] ?? '').length;
    const end = at + match[0].length;
    const wrong: readonly [number, number] = [start, end];
    const ends = sign === '}' || sign === ']';
    if (ends) {
      const fits = next === 'comma' || next === (sign === '}' ? 'key-or-end' : 'value-or-end');
      if (!fits || open.pop() !== (sign === '}' ? '{' : '[')) return wrong;
      next = 'comma';
    } else if (sign === ':') {
      if (next !== 'colon') return wrong;
      next = 'value';
    } else if (sign === ',') {
      if (next !== 'comma' || open.length === 0) return wrong;
      next = open.at(-1) === '{' ? 'key' : 'value';
    } else if (next === 'key' || next === 'key-or-end') {
      if (match[2] === undefined) return wrong;
      next = 'colon';
    } else if (next === 'value' || next === 'value-or-end') {
      if (sign !== '') open.push(sign);
      next = sign === '{' ? 'key-or-end' : sign === '[' ? 'value-or-end' : 'comma';
    } else return wrong;
    at = end;
  }
  const rest = /\S/u.exec(text.slice(at));
  return rest === null ? [text.trimEnd().length, text.trimEnd().length] : [at + rest.index, at + rest.index + 1];
}
