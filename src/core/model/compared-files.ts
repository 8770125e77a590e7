import type { FileUse } from '../text/python/file-uses';
import type { Comparison, PythonModule } from '../text/python/module';
import type { ReachedFile } from './expectations';
import { folderIn, placeOf } from './path-uses';
import type { StepView } from './step-views';
import { stepViews } from './step-views';
import type { Derivation } from './subject';
import type { Sources } from './value-sources';
import { callUses, sourcesOf } from './value-sources';

/** One side of a comparison of a test. */
export interface Side {
  readonly sources: Sources;
  /** Absolute paths of the files that take part, with the reads. */
  readonly paths: readonly { readonly path: string; readonly use: FileUse }[];
}

/** A comparison for equality in a Python file that the verifier runs. */
export interface ComparedFiles {
  readonly view: StepView;
  readonly reached: ReachedFile;
  readonly module: PythonModule;
  readonly comparison: Comparison;
  readonly left: Side;
  readonly right: Side;
}

const maxComparisons = 300;

/** Comparisons with `==` and `!=` and what their sides come from, of all steps. */
export const comparedFiles: Derivation<readonly ComparedFiles[]> = {
  name: 'compared-files',
  derive: (subject) =>
    subject.derive(stepViews).flatMap((view) => view.reach.files.flatMap((reached) => comparisonsIn(view, reached))),
};

function comparisonsIn(view: StepView, reached: ReachedFile): ComparedFiles[] {
  const { python: module } = reached;
  if (module === null || reached.via === 'read') return [];
  // Without reads and programs no side comes from the agent.
  if (module.files.length + module.commands.length + module.requests.length === 0) return [];
  const folder = folderIn(module, reached);
  const uses = callUses(module);
  const side = (node: Comparison['left']): Side => {
    const sources = sourcesOf(module, node, uses);
    const paths = sources.reads.flatMap((use) => {
      const path = use.path === null ? null : placeOf(use.path, reached.at, folder);
      return path === null ? [] : [{ path, use }];
    });
    return { sources, paths };
  };
  return module.comparisons
    .filter(({ operator }) => operator === '==' || operator === '!=')
    .slice(0, maxComparisons)
    .map((comparison) => ({
      view,
      reached,
      module,
      comparison,
      left: side(comparison.left),
      right: side(comparison.right),
    }));
}
