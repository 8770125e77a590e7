import type {
  CodeDescription,
  CompletionItem,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  InlayHint as LspInlayHint,
  Diagnostic,
  Hover as LspHover,
  Range as LspRange,
} from 'vscode-languageserver/node';
import {
  CompletionItemKind,
  DiagnosticSeverity,
  DiagnosticTag,
  FoldingRangeKind,
  InsertTextFormat,
  MarkupKind,
  SymbolKind,
} from 'vscode-languageserver/node';
import type { Finding, Severity } from '../../core/finding';
import type { Range } from '../../core/text/position';
import type { Completion } from '../completion/completion';
import type { Fold } from '../folding';
import type { Hover } from '../hover';
import type { InlayHint } from '../inlay-hints';
import type { Link } from '../links';
import type { OutlineItem } from '../outline';
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

export function diagnosticOf(finding: Finding, dir: string, shown: Shown, rulePage: string | null): Diagnostic {
  const { ruleId, severity, file, message, why, related, tag } = finding;
  const codeDescription: CodeDescription | null = rulePage === null ? null : { href: rulePage.replace('{id}', ruleId) };
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

const symbolKinds: Readonly<Record<OutlineItem['kind'], SymbolKind>> = {
  table: SymbolKind.Module,
  item: SymbolKind.Struct,
  key: SymbolKind.Property,
};

export function symbolOf({ name, detail, kind, range, selection, children }: OutlineItem): DocumentSymbol {
  return {
    name,
    detail,
    kind: symbolKinds[kind],
    range: copy(range),
    selectionRange: copy(selection),
    children: children.map(symbolOf),
  };
}

export function foldingRangeOf({ startLine, endLine, kind }: Fold): FoldingRange {
  return { startLine, endLine, ...(kind === 'comment' && { kind: FoldingRangeKind.Comment }) };
}

export function documentLinkOf({ range, target }: Link, dir: string): DocumentLink {
  return { range: copy(range), target: target.kind === 'file' ? uriIn(dir, target.path) : target.url };
}

export function inlayHintOf({ position, text, tooltip }: InlayHint): LspInlayHint {
  return { position: { ...position }, label: text, tooltip, paddingLeft: true };
}

export function copy({ start, end }: Range): LspRange {
  return { start: { ...start }, end: { ...end } };
}
