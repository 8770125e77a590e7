/** What a word in a sentence says about the things named there. */
export type CueKind = 'write' | 'read' | 'edit' | 'run' | 'negation' | 'permission' | 'duty';

export interface Cue {
  readonly kind: CueKind;
  /** Lower case. */
  readonly word: string;
  /** Offsets within the sentence. */
  readonly start: number;
  readonly end: number;
}

const kinds = new Map<string, CueKind>();

function add(kind: CueKind, words: string): void {
  for (const word of words.split(/\s+/u)) if (word !== '' && !kinds.has(word)) kinds.set(word, kind);
}

/** Regular verbs with their endings; irregular forms are listed. */
function addVerbs(kind: CueKind, stems: string): void {
  for (const stem of stems.split(/\s+/u)) {
    if (stem === '') continue;
    const e = stem.endsWith('e');
    const y = /[^aeiou]y$/u.test(stem);
    const base = e ? stem.slice(0, -1) : stem;
    add(
      kind,
      `${stem} ${y ? `${stem.slice(0, -1)}ies ${stem.slice(0, -1)}ied` : `${stem}s ${stem}es ${base}ed`} ${base}ing`,
    );
  }
}

add('negation', "not never don't doesn't mustn't shouldn't cannot can't won't without avoid no nor neither");
add('permission', 'may optional optionally might');
add('duty', 'must should shall');
addVerbs(
  'write',
  `write save create produce generate output store place emit export append copy record implement dump deliver move
  render compile build ship land submit extract install provide define assemble encode`,
);
add(
  'write',
  `wrote written writing outputting put puts putting emitted emitting shipped shipping built result results answer answers
  deliverable deliverables`,
);
addVerbs(
  'read',
  `read parse load follow source consume watch tail analyze analyse process inspect look live use base examine consult
  study contain list describe hold locate receive accept take import reference review decode ingest`,
);
add('read', 'given provided input inputs found existing supplied have has according available exists already');
addVerbs(
  'edit',
  'fix repair debug edit modify change update patch refactor extend complete finish correct adjust migrate rewrite replace optimize optimise improve',
);
addVerbs('run', 'run start execute invoke call launch');
add('run', 'running ran');
// "provided" and "given" are of what is there.
kinds.set('provided', 'read');

/** Words that say what is done with the things of a sentence, in order. `words` holds no code. */
export function cuesOf(words: string): readonly Cue[] {
  const cues: Cue[] = [];
  for (const match of words.matchAll(/[A-Za-z]+(?:['’][a-z]+)?/gu)) {
    const word = match[0].toLowerCase().replace('’', "'");
    const kind = kinds.get(word);
    if (kind === undefined) continue;
    const start = match.index;
    const end = start + match[0].length;
    cues.push({ kind: passive(kind, word, words, start), word, start, end });
  }
  return cues;
}

/** "is stored in" tells where something is already; "must be stored in" where it shall go. */
function passive(kind: CueKind, word: string, words: string, start: number): CueKind {
  if (kind !== 'write' || !/(?:ed|tten|built)$/u.test(word)) return kind;
  return /\b(?:is|are|was|were|been|already|currently|has|have)\s+$/i.test(words.slice(Math.max(0, start - 12), start))
    ? 'read'
    : kind;
}
