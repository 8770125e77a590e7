import type { Finding } from '../core/finding';
import type { Subject } from '../core/model/subject';
import { agentSees } from '../core/suppression/agent-sees';
import { commentsIn, commentStyle } from '../core/suppression/comments';
import type { Range } from '../core/text/position';
import { linesOf } from '../core/text/lines';
import type { Grammars } from '../core/text/syntax-tree';
import { tomlString } from '../core/text/toml-edit';

/** Where the workspace's taskwright.toml is, and where the task is in it. */
export interface SettingsPlace {
  /** The task's folder relative to the file, with `/`. */
  readonly taskPath: string;
  /** null where there is no such file. */
  readonly text: string | null;
}

/** A comment or an entry that lets a finding pass; `before` and `after` stand around the reason, which a person gives. */
export interface Allowing {
  /** In a file of the task, or in taskwright.toml. */
  readonly where: 'task' | 'settings';
  readonly file: string;
  readonly range: Range;
  readonly before: string;
  readonly after: string;
}

/** null where nothing can let it pass. */
export function allowing(
  finding: Finding,
  subject: Subject,
  grammars: Grammars | null,
  settings: SettingsPlace | null,
): Allowing | null {
  return commentAbove(finding, subject, grammars) ?? (settings === null ? null : entryFor(finding, settings));
}

/** A comment on a line of its own; null in a file without comments, one that the agent sees, or amid a statement. */
function commentAbove({ file, ruleId, range }: Finding, subject: Subject, grammars: Grammars | null): Allowing | null {
  const text = subject.text(file);
  const lines = subject.lines(file);
  if (text === null || lines === null || grammars === null || agentSees(subject, file)) return null;
  const style = commentStyle(file, text);
  const { line } = range.start;
  // The first line may be a shebang, a directive or a byte-order mark, each of which has to stay there.
  if (style === null || (line === 0 && /^(?:#|\uFEFF)/u.test(text))) return null;
  if (line > 0 && /[\\`]\s*$/u.test(lines.line(line - 1))) return null;
  const indent = /^[ \t]*/u.exec(lines.line(line))?.[0] ?? '';
  const before = `${indent}# taskwright: allow ${ruleId} — `;
  const after = text.includes('\r\n') ? '\r\n' : '\n';
  const start = lines.start(line);
  const mended = `${text.slice(0, start)}${before}x${after}${text.slice(start)}`;
  const at = start + indent.length;
  // Within a text of several lines it would be no comment.
  if (!commentsIn(mended, style, grammars).some((comment) => comment.start === at)) return null;
  const place = { line, character: 0 };
  return { where: 'task', file, range: { start: place, end: place }, before, after };
}

function entryFor({ file, ruleId }: Finding, { taskPath, text }: SettingsPlace): Allowing {
  const lines = linesOf(text ?? '');
  const end = lines.position(text?.length ?? 0);
  const eol = text?.includes('\r\n') === true ? '\r\n' : '\n';
  const gap = text === null || text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const path = `/${taskPath}/${file}`.replace(/[*?[\]\\!#]/gu, '\\$&');
  return {
    where: 'settings',
    file: 'taskwright.toml',
    range: { start: end, end },
    before: `${gap}[[allow]]${eol}rule = ${tomlString(ruleId)}${eol}path = ${tomlString(path)}${eol}reason = "`,
    after: `"${eol}`,
  };
}
