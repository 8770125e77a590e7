import { linesOf } from '../text/lines';
import type { Lines } from '../text/lines';
import { readToml } from '../text/toml';
import type { TomlTable } from '../text/toml-tree';
import type { TaskConfig } from './config';
import { decodeTask } from './decode';
import type { Problem } from './problem';
import { syntaxFixes } from './syntax-fixes';

/** task.toml as far as it could be read. */
export interface TomlDocument {
  readonly text: string;
  readonly lines: Lines;
  /** null after a syntax error. */
  readonly root: TomlTable | null;
  /** null when Harbor refuses the file. */
  readonly config: TaskConfig | null;
  readonly problems: readonly Problem[];
}

/** Reads and decodes a task.toml; trouble is in `problems`. Never throws. */
export function readDocument(text: string): TomlDocument {
  const lines = linesOf(text);
  const toml = readToml(text);
  if (toml.ok) return { text, lines, root: toml.root, ...decodeTask(toml.root, text) };
  const { message, range, code } = toml;
  return {
    text,
    lines,
    root: null,
    config: null,
    problems: [
      {
        ruleId: 'config-syntax',
        severity: 'error',
        path: [],
        range,
        message,
        fixes: syntaxFixes(text, lines, code, range),
      },
    ],
  };
}
