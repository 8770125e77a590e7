import type {
  CodeDescription,
  CompletionItem,
  Diagnostic,
  Hover as LspHover,
  Range as LspRange,
} from 'vscode-languageserver/node';
import {
  CompletionItemKind,
  DiagnosticSeverity,
  DiagnosticTag,
  InsertTextFormat,
  MarkupKind,
} from 'vscode-languageserver/node';
import type { Finding, Severity } from '../../core/finding';
import type { Range } from '../../core/text/position';
import type { Completion } from '../completion/completion';
import type { Hover } from '../hover';
import { uriIn } from './places';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const tags = { unnecessary: DiagnosticTag.Unnecessary, deprecated: DiagnosticTag.Deprecated } as const;

/** Moves a range of a file's text to where the editor shows it. */
export type Shown = (file: string, range: Range) => Range;

export function diagnosticOf(finding: Finding, dir: string, shown: Shown, rulePages: string | null): Diagnostic {
  const { ruleId, severity, file, message, why, related, tag } = finding;
  const codeDescription: CodeDescription | null = rulePages === null ? null : { href: `${rulePages}${ruleId}.md` };
  return {
    range: copy(shown(file, finding.range)),
    severity: severities[severity],
    source: 'taskwright',
    code: ruleId,
    ...(codeDescription && { codeDescription }),
    message: `${message}\n${why}`,
    ...(related &&
      related.length > 0 && {
        relatedInformation: related.map((place) => ({
          location: { uri: uriIn(dir, place.file), range: copy(shown(place.file, place.range)) },
          message: place.message,
        })),
      }),
    ...(tag && { tags: [tags[tag]] }),
  };
}

const kinds: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  table: CompletionItemKind.Module,
  value: CompletionItemKind.EnumMember,
  variable: CompletionItemKind.Variable,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
};

export function completionItemOf(item: Completion, order: number, takesSnippets: boolean): CompletionItem {
  const { label, kind, detail, doc, range, newText, isSnippet, filter } = item;
  return {
    label,
    kind: kinds[kind],
    ...(detail !== null && { detail }),
    ...(doc !== null && { documentation: { kind: MarkupKind.Markdown, value: doc } }),
    sortText: String(order).padStart(4, '0'),
    filterText: filter,
    insertTextFormat: isSnippet && takesSnippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range: copy(range), newText: isSnippet && !takesSnippets ? withoutHoles(newText) : newText },
  };
}

/** A snippet with what is in its holes, for an editor without snippets. */
function withoutHoles(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/gu, '$1')
    .replace(/\$\{\d+:((?:[^\\}]|\\.)*)\}/gu, '$1')
    .replace(/(^|[^\\])\$\d+/gu, '$1')
    .replace(/\\([\\$}])/gu, '$1');
}

export function hoverOf({ range, markdown }: Hover): LspHover {
  return { range: copy(range), contents: { kind: MarkupKind.Markdown, value: markdown } };
}

export function copy({ start, end }: Range): LspRange {
  return { start: { ...start }, end: { ...end } };
}
