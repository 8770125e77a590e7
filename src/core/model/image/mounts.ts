import type { Instruction } from '../../text/dockerfile/dockerfile';
import { flagOf, stageNamed } from '../../text/dockerfile/dockerfile';
import { absolutePath } from '../container-path';
import type { ImageFile } from '../image';
import { matchSource, sourceSegments } from './context';
import type { StageState } from './copy';
import { ImageFiles } from './image-files';

/** The files that `--mount=type=bind` shows while the RUN lasts; null without. */
export function mountedFiles(instruction: Instruction, state: StageState): ImageFiles | null {
  const mounted = new ImageFiles(state.files.work);
  for (const flag of instruction.flags) {
    if (flag.name !== 'mount' || flag.value.value === null) continue;
    const options = new Map(
      flag.value.value.split(',').map((part): [string, string] => {
        const equals = part.indexOf('=');
        return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      }),
    );
    if ((options.get('type') ?? 'bind') !== 'bind') continue;
    const target = absolutePath(
      options.get('target') ?? options.get('dst') ?? options.get('destination') ?? '',
      state.workdir,
    );
    const source = options.get('source') ?? options.get('src') ?? '.';
    if (target === null) continue;
    const from = options.get('from');
    const stage = from === undefined ? null : stageNamed(state.dockerfile, from, instruction.stage);
    if (stage !== null) mounted.copy(state.stage(stage), absolutePath(source, '/') ?? '/', `${target}/`, () => ({}));
    else if (from === undefined && state.context !== null && mounted.spend(state.context.entries.length)) {
      for (const { entry, inner } of matchSource(state.context.entries, sourceSegments(source) ?? ['..'])) {
        const path = absolutePath(inner, target);
        const place: Omit<ImageFile, 'path' | 'origin'> = {
          by: instruction,
          start: flag.start,
          end: flag.end,
          owner: null,
          mode: null,
        };
        if (path !== null && !entry.isFolder)
          mounted.add({ path, origin: { kind: 'context', file: entry.file }, ...place });
      }
    }
  }
  return flagOf(instruction, 'mount') === null ? null : mounted;
}
