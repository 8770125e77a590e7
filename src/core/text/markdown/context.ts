import type { Cue } from './cues';
import { cuesOf } from './cues';
import type { InstructionText, MentionContext, MentionRole, Sentence, Span } from './instruction-text';

export interface Contexts {
  /** The context of what stands at `span` in the sentence of that index. */
  ofSentence(sentence: number, span: Span, place: MentionContext['place']): MentionContext;
  ofFence(fence: number): MentionContext;
}

const becomes =
  /^[^A-Za-z]{0,6}(?:(?:file|script|folder|directory|program)\s+)?(?:(?:must|should|has to|shall|needs to|will)\s+(?:then\s+|also\s+)?(?:exist|contain|hold|be|have|list|print|output)|(?:is|are)\s+(?:to be\s+)(?:created|written|produced|generated)|with\s+(?:the\s+)?(?:content|following|exactly|columns|one))/iu;
const already =
  /^[^A-Za-z]{0,6}(?:file\s+|folder\s+|directory\s+)?(?:which\s+|that\s+)?(?:contains|holds|lists|has|records|already|is\s+(?:given|provided|already|a|an|the)|are\s+(?:given|provided)|describes|documents|defines)\b/iu;
const untouched = /\b(?:read-only|unchanged|untouched|intact|unmodified|as (?:it is|they are|is)|off[- ]limits)\b/i;
const exampled =
  /(?:\b(?:such as|for example|for instance|e\.g\.?|like|say|i\.e\.?)|\()[\s,:]*(?:\S{1,40}[\s,]+(?:or|and)?[\s,]*){0,3}$/iu;
const exampleWord = /\b(?:such as|for example|for instance|e\.g\.?|like)\b/i;
const opensExample = /^\W{0,6}(?:for example|for instance|e\.g\.?|example)\b/iu;
const touching = /^(?:modif|chang|edit|touch|alter|delet|remov|overwrit|mov|renam|rewrit|replac|updat|patch)/u;
const toward = /\b(?:to|into|as|at|named|called)\s+(?:the\s+|a\s+|an\s+)?(?:[a-z]+\s+){0,2}$/i;

/** Characters before and behind a mention that are looked at. */
const reach = 400;

/** What the words of one sentence say, wherever in it something is named. */
interface SentenceFacts {
  readonly cues: readonly Cue[];
  readonly untouched: boolean;
}

/** The surroundings of a mention; all offsets are within the sentence. */
interface Place {
  /** Cues before it that are near. */
  readonly cues: readonly Cue[];
  readonly before: string;
  /** Where `before` begins. */
  readonly from: number;
  readonly after: string;
  /** As `after`, with code and all. */
  readonly textAfter: string;
}

/** Judges what words make of the things they name; the cues of a sentence are looked for once. */
export function contextsOf(text: InstructionText): Contexts {
  const known = new Map<number, SentenceFacts>();
  const factsAt = (index: number): SentenceFacts => {
    const words = text.sentences[index]?.words ?? '';
    const facts = known.get(index) ?? { cues: cuesOf(words), untouched: untouched.test(words) };
    known.set(index, facts);
    return facts;
  };

  /** What the sentence that introduces it, or the heading above, says. */
  const roleAbove = (sentence: Sentence): MentionRole => {
    let lead = sentence.lead;
    // An item's first sentence says nothing of the things in its next.
    if (lead !== null && text.sentences[lead]?.block === sentence.block) lead = text.sentences[lead]?.lead ?? null;
    for (let up = 0; up < 4 && lead !== null; up++) {
      // A heading says what a part is about: "How the log is written" asks for nothing.
      if (text.sentences[lead]?.place === 'heading') break;
      const role = roleOfCue(factsAt(lead).cues.findLast(({ kind }) => kind !== 'duty' && kind !== 'permission'));
      if (role !== 'unclear') return role;
      lead = text.sentences[lead]?.lead ?? null;
    }
    const title = text.headings[sentence.heading ?? -1]?.title ?? '';
    if (/\b(?:outputs?|deliverables?|results?|what to (?:produce|write|deliver))\b/i.test(title)) return 'output';
    return /\b(?:inputs?|given|provided|environment|background|data|context)\b/i.test(title) ? 'input' : 'unclear';
  };

  const judge = (index: number, sentence: Sentence, span: Span): Judgement => {
    const facts = factsAt(index);
    const at = Math.max(0, span.start - sentence.start);
    const end = Math.min(sentence.words.length, span.end - sentence.start);
    const from = Math.max(0, at - reach);
    const around: Place = {
      cues: facts.cues.filter(({ start }) => start >= from && start < at),
      before: sentence.words.slice(from, at),
      from,
      after: sentence.words.slice(end, end + reach),
      textAfter: sentence.text.slice(end, end + 40),
    };
    return {
      role: facts.untouched || isProtected(around) ? 'protected' : roleIn(around, () => roleAbove(sentence)),
      example:
        opensExample.test(sentence.words) ||
        (exampleWord.test(around.before.slice(-80)) &&
          exampled.test(sentence.text.slice(Math.max(0, at - 160), at).replace(/[`*"]/gu, ''))),
      optional: around.cues.some(({ kind }) => kind === 'permission'),
      negated: isNegated(around),
    };
  };

  return {
    ofSentence(index, span, place) {
      const sentence = text.sentences[index];
      if (sentence === undefined) return { ...nothing, place };
      // Most of what is named is never asked for its role.
      let made: Judgement | null = null;
      const judged = (): Judgement => (made ??= judge(index, sentence, span));
      return {
        place,
        sentence: index,
        fence: null,
        get role() {
          return judged().role;
        },
        get example() {
          return judged().example;
        },
        get optional() {
          return judged().optional;
        },
        get negated() {
          return judged().negated;
        },
      };
    },
    ofFence(index) {
      const lead = text.fences[index]?.lead ?? null;
      const words = lead === null ? '' : (text.sentences[lead]?.words ?? '');
      const example = /\bexamples?\b|\bfor instance\b|\be\.g\b|\bsamples?\b|\blike (?:this|so)\b/i.test(words);
      return { ...nothing, place: 'fence', fence: index, example };
    },
  };
}

type Judgement = Pick<MentionContext, 'role' | 'example' | 'optional' | 'negated'>;

const nothing: Omit<MentionContext, 'place'> = {
  sentence: null,
  fence: null,
  role: 'unclear',
  example: false,
  optional: false,
  negated: false,
};

function roleOfCue(cue: Cue | undefined): MentionRole {
  if (cue?.kind === 'write') return 'output';
  if (cue?.kind === 'edit') return 'edited';
  return cue?.kind === 'read' || cue?.kind === 'run' ? 'input' : 'unclear';
}

/** A negation before it, with no end of a clause in between. */
function isNegated({ cues, before, from }: Place): boolean {
  const negation = cues.findLast(({ kind }) => kind === 'negation');
  if (negation === undefined) return false;
  return !/[;:]|,\s*(?:but|and|so|then)\b|\bbut\b|\bonly\b/i.test(before.slice(negation.end - from));
}

function isProtected({ cues, before, from }: Place): boolean {
  const negation = cues.findLast(({ kind }) => kind === 'negation');
  if (negation === undefined) return false;
  const between = before.slice(negation.end - from);
  if (/[;:]|\bbut\b|\binstead\b/i.test(between)) return false;
  const verb = /[A-Za-z]+/u.exec(between)?.[0].toLowerCase() ?? '';
  return touching.test(verb);
}

function roleIn({ cues, before, from, after, textAfter }: Place, above: () => MentionRole): MentionRole {
  if (becomes.test(after)) return 'output';
  const wrote = cues.findLast(({ kind }) => kind === 'write');
  const other = cues.findLast(({ kind }) => kind === 'read' || kind === 'run' || kind === 'edit');
  if (wrote !== undefined && toward.test(before)) {
    const between = before.slice(wrote.end - from);
    if (!/\b(?:reading|read|from|using)\b/i.test(between) || /\b(?:to|into)\s+(?:the\s+)?(?:file\s+)?$/i.test(before))
      return 'output';
  }
  if (/\b(?:from|of|than|against|using|via)\s+(?:the\s+)?(?:(?:file|folder|directory)\s+)?$/i.test(before))
    return 'input';
  // "Copy A to B": B is the output.
  if (wrote !== undefined && /^[\s`'"]*(?:in)?to\s+(?:the\s+)?(?:file\s+)?[`'"]?[/~]/iu.test(textAfter)) return 'input';
  const last = (wrote?.start ?? -1) > (other?.start ?? -1) ? wrote : other;
  if (already.test(after) && last?.kind !== 'write') return last?.kind === 'edit' ? 'edited' : 'input';
  const role = roleOfCue(last);
  return role === 'unclear' ? above() : role;
}
