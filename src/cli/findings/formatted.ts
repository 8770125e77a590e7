import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readText } from '../../core/task/snapshot';
import { linesOf, type Lines } from '../../core/text/lines';
import type { CliContext } from '../context';
import { showPath } from '../select-tasks';
import type { CheckedFile } from './checked-task';
import { githubCommands } from './github';
import { findingsDocument } from './json';
import { prettyFindings } from './pretty';
import { filesOf, type CheckReport } from './report';
import { sarifLog } from './sarif';

export type FindingFormat = 'pretty' | 'json' | 'sarif' | 'github';

/** Everything `check` writes to standard output. */
export async function formatFindings(
  report: CheckReport,
  { format, possible = false }: { readonly format: FindingFormat; readonly possible?: boolean },
  context: CliContext,
): Promise<string> {
  const { cwd } = context;
  switch (format) {
    case 'json':
      return `${JSON.stringify(findingsDocument(report), null, 2)}\n`;
    case 'sarif': {
      const uriOf = (task: CheckedFile, file: string): string => uriReference(fullPath(task, file), cwd);
      return `${JSON.stringify(sarifLog(report, { version: context.version, uriOf }), null, 2)}\n`;
    }
    case 'github': {
      // Annotations are placed from the root of the repository, wherever in it the command runs.
      const root = context.env.GITHUB_WORKSPACE ?? cwd;
      return githubCommands(report, (task, file) => slashed(path.relative(root, fullPath(task, file))));
    }
    case 'pretty': {
      const lines = await linesOfFindings(report, context);
      return prettyFindings(report, {
        showsPossible: possible,
        color: context.stdout.color,
        pathOf: (task, file) => showPath(fullPath(task, file), cwd),
        lineOf: (task, file, line) => lines.get(fullPath(task, file))?.line(line) ?? null,
      });
    }
  }
}

function fullPath(task: CheckedFile, file: string): string {
  return path.join(task.dir, ...file.split('/'));
}

function slashed(text: string): string {
  return text.split(path.sep).join('/');
}

/** Relative to the working directory where the file is below it: such a log can be moved to another machine. */
function uriReference(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return pathToFileURL(file).href;
  return slashed(relative).split('/').map(encodeURIComponent).join('/');
}

/** The lines of every file that a finding is in, by absolute path. */
async function linesOfFindings(report: CheckReport, context: CliContext): Promise<ReadonlyMap<string, Lines>> {
  const found = new Map<string, Lines>();
  for (const task of filesOf(report)) {
    for (const file of new Set(task.findings.map((finding) => finding.file))) {
      const full = fullPath(task, file);
      const read = await readText(context.files, full, file);
      const text = read?.text ?? null;
      if (text !== null) found.set(full, linesOf(text));
    }
  }
  return found;
}
