import { baseName } from '../../model/container-path';
import type { StepView } from '../../model/step-views';
import type { Subject } from '../../model/subject';
import type { Place } from '../places';
import { claimAt, eachStep, relatedTo } from '../places';
import type { Claim, Rule } from '../rule';

export const consistencyNamedTechnology: Rule = {
  id: 'consistency-named-technology',
  severity: 'warning',
  confidence: 'likely',
  inputs: ['instruction', 'py:tests', 'shell:test', 'docker'],
  needsDisk: true,
  why: 'What is right in one dialect or version is often wrong in another, so that correct work fails and wrong work passes.',
  docs: {
    finds:
      'The instruction names one database, and the tests work with another one; or it names a version of the language, and the image has another.',
    silent: 'Instructions that name several, “or later”, and versions that the image does not tell.',
    bad: '# instruction: write PostgreSQL\nsqlite3.connect(":memory:").execute(query)',
    good: '# instruction: write SQLite\nsqlite3.connect(":memory:").execute(query)',
  },
  *check(subject) {
    yield* eachStep(subject, (view) => [...databases(subject, view), ...versions(subject, view)]);
  },
};

interface Database {
  readonly name: string;
  /** As instructions call it. */
  readonly words: RegExp;
  /** Functions of Python that open one. */
  readonly calls: RegExp;
  readonly programs: readonly string[];
  /** As tools that know several dialects call it. */
  readonly dialects: readonly string[];
}

const databasesKnown: readonly Database[] = [
  {
    name: 'SQLite',
    words: /\bsqlite3?\b/i,
    calls: /^(?:sqlite3|aiosqlite)\.connect$/u,
    programs: ['sqlite3'],
    dialects: ['sqlite'],
  },
  {
    name: 'PostgreSQL',
    words: /\b(?:postgres(?:ql)?|psql)\b/i,
    calls: /^(?:psycopg2?|asyncpg)\.connect$/u,
    programs: ['psql'],
    dialects: ['postgres', 'postgresql'],
  },
  {
    name: 'MySQL',
    words: /\b(?:mysql|mariadb)\b/i,
    calls: /^(?:pymysql|MySQLdb|mysql\.connector)\.connect$/u,
    programs: ['mysql', 'mariadb'],
    dialects: ['mysql'],
  },
  { name: 'DuckDB', words: /\bduckdb\b/i, calls: /^duckdb\.connect$/u, programs: ['duckdb'], dialects: ['duckdb'] },
  {
    name: 'SQL Server',
    words: /\b(?:sql server|t-?sql|mssql)\b/i,
    calls: /^(?:pyodbc|pymssql)\.connect$/u,
    programs: ['sqlcmd'],
    dialects: ['tsql', 'mssql'],
  },
  {
    name: 'BigQuery',
    words: /\bbigquery\b/i,
    calls: /^google\.cloud\.bigquery\.Client$/u,
    programs: ['bq'],
    dialects: ['bigquery'],
  },
  {
    name: 'Snowflake',
    words: /\bsnowflake\b/i,
    calls: /^snowflake\.connector\.connect$/u,
    programs: ['snowsql'],
    dialects: ['snowflake'],
  },
];

/** All the words at once: most instructions have none of them. */
const anyDatabase = new RegExp(databasesKnown.map(({ words }) => words.source).join('|'), 'i');

function* databases(subject: Subject, view: StepView): Generator<Claim> {
  if (!anyDatabase.test(view.instruction)) return;
  const named = databasesKnown.filter(({ words }) => words.test(view.instruction));
  const [asked] = named;
  if (asked === undefined || named.length !== 1) return;
  const used = new Map<Database, Place>();
  for (const { file, python, shell } of view.reach.files) {
    for (const { callee, node, keywords } of python?.calls ?? []) {
      for (const one of databasesKnown) {
        if (one.calls.test(callee ?? '') && !used.has(one)) used.set(one, { file, start: node.start, end: node.end });
      }
      for (const key of ['dialect', 'read']) {
        const argument = callee?.startsWith('sqlglot.') === true ? keywords.get(key) : undefined;
        const value = argument === undefined ? null : (python?.fold(argument) ?? null);
        const one =
          value?.kind === 'text' ? databasesKnown.find(({ dialects }) => dialects.includes(value.text)) : undefined;
        if (one !== undefined && argument !== undefined && !used.has(one)) {
          used.set(one, { file, start: argument.start, end: argument.end });
        }
      }
    }
    for (const { program, programWord } of shell?.commands ?? []) {
      const one = databasesKnown.find(({ programs }) => programs.includes(program ?? ''));
      if (one !== undefined && programWord !== null && !used.has(one)) used.set(one, { file, ...programWord });
    }
  }
  const [only] = used;
  if (only === undefined || used.size !== 1 || only[0] === asked) return;
  const [database, place] = only;
  // A database in a file that the agent is given, or makes, need not be the one of the words.
  if (asked.words.test(view.tests)) return;
  yield* claimAt(
    subject,
    { file: place.file, start: place.start, end: place.end },
    {
      message: `${baseName(place.file)} works with ${database.name}, but the instruction asks for ${asked.name}.`,
      related: relatedTo(subject, wordIn(view, asked.words), `The instruction names ${asked.name}.`),
    },
  );
}

function wordIn({ own, step }: StepView, words: RegExp): Place | null {
  const instruction = own;
  const found = instruction === null ? null : words.exec(instruction.text);
  if (found === null || step.instruction === null) return null;
  return { file: step.instruction, start: found.index, end: found.index + found[0].length };
}

const languages: readonly { readonly image: string; readonly words: RegExp; readonly parts: number }[] = [
  { image: 'python', words: /\bPython[ -]?(\d+\.\d+)(?:\.\d+)?(?!\.?\d|\+)/gu, parts: 2 },
  { image: 'node', words: /\bNode(?:\.js)?[ -]v?(\d+)(?:\.\d+){0,2}(?!\.?\d|\+)/gu, parts: 1 },
  { image: 'golang', words: /\bGo (\d+\.\d+)(?:\.\d+)?(?!\.?\d|\+)/gu, parts: 2 },
  { image: 'ruby', words: /\bRuby (\d+\.\d+)(?:\.\d+)?(?!\.?\d|\+)/gu, parts: 2 },
];

function* versions(subject: Subject, { space, own, step }: StepView): Generator<Claim> {
  const base = space.image?.base ?? null;
  const instruction = own;
  const language = languages.find(({ image }) => image === base?.official);
  const tag = /^\d+(?:\.\d+)*/u.exec(base?.tag ?? '')?.[0];
  if (language === undefined || tag === undefined || instruction === null || step.instruction === null) return;
  const have = tag.split('.').slice(0, language.parts);
  if (have.length < language.parts) return;
  const found = [...instruction.text.matchAll(language.words)];
  const [first] = found;
  if (first?.[1] === undefined || new Set(found.map((one) => one[1])).size !== 1 || first[1] === have.join('.')) return;
  const after = instruction.text.slice(first.index + first[0].length, first.index + first[0].length + 24);
  const before = instruction.text.slice(Math.max(0, first.index - 60), first.index);
  if (
    /^\W{0,3}(?:or|and|to)\b|^\s*[-–>]/iu.test(after) ||
    /from|migrat|port|upgrade|install|at least|compatible|minimum|require|below|since|than/iu.test(before)
  )
    return;
  const start = first.index;
  yield* claimAt(
    subject,
    { file: step.instruction, start, end: start + first[0].length },
    {
      message: `The instruction speaks of ${first[0]}, but the image is ${base?.reference ?? ''}.`,
      confidence: 'possible',
      severity: 'information',
    },
  );
}
