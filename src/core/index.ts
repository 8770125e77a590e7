/** What the package exports as `taskwright/core`: pure, without VS Code, Docker or the operating system. */
export type { Confidence, Finding, Fix, RelatedPlace, Severity, TextEdit } from './finding';
export type { DirEntry, FileKind, FileStat, Files, ReadResult, Sha256 } from './files';
export type { Position, Range } from './text/position';
export type * from './task/config';
export type { HarborVerdict, ScriptPair, StepLayout, Task, TaskLayout } from './task/task';
export { parseTaskConfig } from './task/parse';
export type { ParsedConfig } from './task/parse';
export { readTask } from './task/read';
export { discoverTasks } from './task/discover';
export type { DiscoverOptions, Discovery, NoTask } from './task/discover';
export { agentInstruction } from './task/instruction';
export { parseTemplate, resolveEnv, resolveTemplate } from './task/templates';
export { networkPlan } from './task/network';
export { verifierMode } from './task/verifier-mode';
export { unsupportedReasons } from './task/support';
export { rules } from './rules/catalogue';
