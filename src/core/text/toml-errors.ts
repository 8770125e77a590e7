/**
 * What is wrong, by the codes of the parser and our own. The parser keeps its codes to itself, so they are found again
 * by its messages; a test makes sure that each message is still known.
 */
const messages: Readonly<Record<string, string>> = {
  'byte-order-mark': 'The file starts with a byte-order mark, which Harbor takes for a syntax error.',
  'too-complex': 'The file is nested too deeply, or holds a text too long, to be read.',
  'integer-too-long': 'An integer of more than 4300 digits cannot be read.',
  'unterminated-string': 'The closing quote of this text is missing.',
  'unterminated-table-key': 'The closing bracket of this table header is missing.',
  'unterminated-array': 'The closing bracket of this array is missing.',
  'unterminated-inline-table': 'The closing brace of this inline table is missing.',
  'missing-key': 'A table header needs a name.',
  'missing-newline': 'Something follows on the same line; each key and each table header needs a line of its own.',
  'missing-equals-sign': 'A key must be followed by "=".',
  'missing-value': 'The value is missing.',
  'missing-comma': 'A comma is missing between two values.',
  'dupe-keys': 'This key or table is defined twice.',
  'unexpected-char': 'This is not a TOML value or key; texts need quotes.',
  'unexpected-token': 'This is not expected here.',
  'invalid-control-character': 'A control character must be written as an escape, such as "\\u0001".',
  'invalid-comment-character': 'A comment must not contain control characters.',
  'invalid-key-value-newline': 'A key, its "=" and the start of its value must be on one line.',
  'invalid-inline-table-newline': 'An inline table must be on one line in TOML 1.0.',
  'invalid-underscore': 'An underscore in a number must stand between digits.',
  'invalid-space': 'No space is allowed here.',
  'invalid-three-quotes': 'Three or more quotes in a row end this text too early.',
  'invalid-date': 'This date does not exist.',
  'invalid-time': 'This time of day does not exist.',
  'invalid-leading-zero': 'A number must not start with a zero.',
  'invalid-trailing-comma-in-inline-table': 'TOML 1.0 allows no comma before the closing brace of an inline table.',
  'invalid-char-in-escape-sequence':
    'This escape does not exist in TOML 1.0; single quotes take a backslash literally.',
  'invalid-consecutive-dots-in-key': 'A key must not have two dots in a row.',
  'invalid-code-point': 'This escape names no Unicode character.',
  'invalid-trailing-dot-in-key': 'A key must not end with a dot.',
  'invalid-leading-dot-in-key': 'A key must not start with a dot.',
};

export function syntaxMessage(code: string): string {
  return messages[code] ?? 'This is not TOML 1.0.';
}

export const codeByMessage: ReadonlyMap<string, string> = new Map([
  ['Unterminated string constant', 'unterminated-string'],
  ['Unterminated table-key', 'unterminated-table-key'],
  ['Unterminated array', 'unterminated-array'],
  ['Unterminated inline table', 'unterminated-inline-table'],
  ['Empty bare keys are not allowed', 'missing-key'],
  ['Must be a newline', 'missing-newline'],
  ['Expected equal (=) token', 'missing-equals-sign'],
  ['Unspecified values are invalid', 'missing-value'],
  ['Expected comma (,) token', 'missing-comma'],
  ['Defining a key multiple times is invalid', 'dupe-keys'],
  ['Unexpected character', 'unexpected-char'],
  ['Unexpected token', 'unexpected-token'],
  ['Control characters (codes < 0x1f and 0x7f) are not allowed', 'invalid-control-character'],
  ['The key, equals sign, and value must be on the same line', 'invalid-key-value-newline'],
  [
    'No newlines are allowed between the curly braces unless they are valid within a value',
    'invalid-inline-table-newline',
  ],
  ['Underscores are allowed between digits', 'invalid-underscore'],
  ['Unexpected spaces', 'invalid-space'],
  ['Three or more quotes are not permitted', 'invalid-three-quotes'],
  ['Unexpected invalid date', 'invalid-date'],
  ['Unexpected invalid time', 'invalid-time'],
  ['Leading zeros are not allowed', 'invalid-leading-zero'],
  ['Trailing comma is not permitted in an inline table', 'invalid-trailing-comma-in-inline-table'],
  ['Invalid character in escape sequence', 'invalid-char-in-escape-sequence'],
  ['Consecutive dots are not permitted in keys', 'invalid-consecutive-dots-in-key'],
  ['Keys cannot end with a dot', 'invalid-trailing-dot-in-key'],
  ['Keys cannot start with a dot', 'invalid-leading-dot-in-key'],
]);
