import type { Finding, Fix } from '../finding';
import type { Subject } from '../model/subject';
import { applyEdits } from '../text/edits';
import { linesOf } from '../text/lines';
import { readToml } from '../text/toml';
import { tomlString } from '../text/toml-edit';
import type { Grammars, SyntaxNode } from '../text/syntax-tree';
import { agentSees } from './agent-sees';
import { parseAllow } from './allow-comments';
import type { Comment, CommentStyle } from './comments';
import { commentsIn, commentStyle } from './comments';

/**
 * A comment that lets a finding pass, above its line or behind it; null where a comment is not honoured, or where none
 * can be put without changing what the file says. The reason is one line.
 */
export function allowByComment(finding: Finding, subject: Subject, reason: string, grammars: Grammars): Fix | null {
  const { file, ruleId, range } = finding;
  const text = subject.text(file);
  const style = text === null ? null : commentStyle(file, text);
  if (text === null || style === null || agentSees(subject, file)) return null;
  const lines = linesOf(text);
  const { line } = range.start;
  const own = lines.line(line);
  const words = `# taskwright: allow ${ruleId} — ${oneLine(reason)}`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = own.slice(0, own.length - own.trimStart().length);
  const above = { line, character: 0 };
  const behind = { line, character: own.length };
  const candidates = [
    // The first line may have to stay the first, as a shebang has.
    ...(own.startsWith('#!')
      ? []
      : [{ file, range: { start: above, end: above }, newText: `${indent}${words}${eol}` }]),
    { file, range: { start: behind, end: behind }, newText: `${own.trim() === '' ? '' : '  '}${words}` },
  ];
  const edit = candidates.find((one) => isHarmless(text, applyEdits(text, [one]), style, grammars));
  return edit === undefined ? null : { title: allowTitle(ruleId, file), edits: [edit] };
}

/** One more comment, and nothing else has changed: not in a here-document, a text of many lines or a continued line. */
function isHarmless(text: string, edited: string | null, style: CommentStyle, grammars: Grammars): boolean {
  if (edited === null) return false;
  const before = commentsIn(text, style, grammars);
  const after = commentsIn(edited, style, grammars);
  const isOurs = ({ start, end }: Comment): boolean => (parseAllow(edited.slice(start, end))?.reason ?? '') !== '';
  if (after.length !== before.length + 1 || !after.some(isOurs)) return false;
  if (style !== 'shell' && style !== 'python') return true;
  const parse = style === 'shell' ? grammars.bash : grammars.python;
  return shape(parse(text)) === shape(parse(edited));
}

/** The kinds of all nodes but comments, in order. */
function shape(root: SyntaxNode): string {
  const kinds: string[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'comment') continue;
    if (node.named) kinds.push(node.type);
    stack.push(...node.children);
  }
  return kinds.join(' ');
}

/**
 * The text of taskwright.toml with an `[[allow]]` for a finding; null where the file is broken, or has its allowances
 * in a form that cannot be added to. `text` is null where there is no file yet.
 */
export function allowInSettings(
  finding: Finding,
  taskPath: string,
  reason: string,
  text: string | null,
): string | null {
  const eol = text?.includes('\r\n') === true ? '\r\n' : '\n';
  const entry = [
    '[[allow]]',
    `rule = ${tomlString(finding.ruleId)}`,
    // A leading slash keeps a pattern to this very file, and its own signs have to be meant.
    `path = ${tomlString(`/${escapePattern(`${taskPath}/${finding.file}`)}`)}`,
    `reason = ${tomlString(oneLine(reason))}`,
    '',
  ].join(eol);
  const before = text ?? '';
  const separator = before.trim() === '' ? '' : before.endsWith('\n') ? eol : eol + eol;
  const edited = `${before.trim() === '' ? '' : before}${separator}${entry}`;
  return readToml(edited).ok && readToml(before).ok ? edited : null;
}

export function allowTitle(ruleId: string, file: string): string {
  return `Allow ${ruleId} here, with a reason (${file.slice(file.lastIndexOf('/') + 1)})`;
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!# ]/gu, (sign) => `\\${sign}`);
}

function oneLine(reason: string): string {
  return reason.replace(/\s+/gu, ' ').trim();
}
