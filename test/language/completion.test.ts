import { describe, expect, it } from 'vitest';
import type { FileKind } from '../../src/core/files';
import { readToml } from '../../src/core/text/toml';
import { applyEdits } from '../../src/core/text/edits';
import { linesOf } from '../../src/core/text/lines';
import { completeTask, type Completion } from '../../src/language/completion/completion';
import { noSurroundings, type Surroundings } from '../../src/language/surroundings';
import { withCursor } from './marked';

/** As an editor does: what was typed must be in the filter text, in its order. */
function offered(marked: string, around: Surroundings = noSurroundings): readonly Completion[] {
  const { text, position } = withCursor(marked);
  const lines = linesOf(text);
  return completeTask(text, position, around).filter(({ range, filter }) => {
    const typed = text.slice(lines.offset(range.start), lines.offset(position)).toLowerCase();
    let at = 0;
    for (const char of filter.toLowerCase()) if (char === typed[at]) at++;
    return at === typed.length;
  });
}

const labels = (marked: string, around?: Surroundings): string =>
  offered(marked, around)
    .map(({ label }) => label)
    .join(' ');

/** Without the headers, which follow. */
const keys = (marked: string, around?: Surroundings): string => labels(marked, around).replace(/ ?\[.*/, '');

/** The text after a completion was taken, with its holes filled by what is in them. */
function taken(marked: string, label: string, around?: Surroundings): string {
  const { text } = withCursor(marked);
  const item = offered(marked, around).find((one) => one.label === label);
  if (item === undefined) throw new Error(`${label} is not offered: ${labels(marked, around)}`);
  return applyEdits(text, [item])!;
}

function around(files: Readonly<Record<string, string | null>>, variables: readonly string[] = []): Surroundings {
  const entries = new Map<string, FileKind>(
    Object.entries(files).map(([path, content]) => [path, content === null ? 'directory' : 'file']),
  );
  return { dirName: 'log-triage', entries, text: (path) => files[path] ?? null, variables };
}

describe('keys', () => {
  it('of the table at hand that are missing, required ones first', () => {
    expect(keys('[task]\nversion = "1"\n|\n[agent]\n')).toBe('name description authors keywords');
  });

  it('of an array item, which has keys of its own', () => {
    expect(labels('[[steps]]\nname = "a"\n[[steps]]\nn|\nmin_reward = 1')).toBe('name agent');
  });

  it('of the root only above the first header', () => {
    expect(labels('|\nsource = "x"\n')).toBe('schema_version multi_step_reward_strategy artifacts');
    expect(labels('[agent]\n|\nuser = "x"')).toBe('timeout_sec network_mode allowed_hosts');
  });

  it('in inline tables, dotted keys and items of arrays', () => {
    expect(labels('artifacts = [{ source = "/a", | }]')).toBe('destination exclude service');
    expect(labels('[environment]\nhealthcheck.|\n')).toBe(
      'command interval_sec timeout_sec start_period_sec start_interval_sec retries',
    );
    expect(labels('[task]\nauthors = [\n  { na| },\n]')).toBe('name');
  });

  it('bring a hole for the value, and none where a value stands', () => {
    expect(taken('[environment]\nmem|\n', 'memory_mb')).toBe('[environment]\nmemory_mb = ${1:2048}\n');
    expect(taken('[environment]\n|\n', 'network_mode')).toBe(
      '[environment]\nnetwork_mode = "${1|no-network,public,allowlist|}"\n',
    );
    expect(taken('[environment]\n|\n', 'healthcheck')).toBe('[environment]\nhealthcheck = { command = "$1" }\n');
    expect(taken('[environment]\nmem| = 4\n', 'memory_mb')).toBe('[environment]\nmemory_mb = 4\n');
  });

  it('are said with type, default and what happens otherwise', () => {
    const [item] = offered('[verifier]\ntime|');
    expect(item).toMatchObject({ label: 'timeout_sec', detail: 'number (seconds), default 600.0' });
    expect(item?.doc).toContain('A step does not inherit it');
    expect(item?.doc).toContain('0 or less is accepted, but the verification is stopped at once.');
  });

  it('of environment tables are the variables that scripts read and do not set', () => {
    const scripts = around({ 'tests/test.sh': '#!/bin/bash\n# $OLD\nOUT=1\necho "$OUT ${EXPECTED_ID} $HOME"\n' });
    expect(keys('[verifier.env]\n|\n[agent]', scripts)).toBe('EXPECTED_ID');
  });

  it('are not offered in comments, in strings, behind a value or below an unknown table', () => {
    expect(labels('[agent]\n# t|')).toBe('');
    expect(labels('source = "a|"')).toBe('');
    expect(labels('source = "a" |')).toBe('');
    expect(labels('[agent.what]\nx|\n[agent]')).toBe('');
  });
});

describe('headers', () => {
  it('of tables that are missing, below the table at hand first', () => {
    expect(labels('[agent]\n[verifier]\n[task]\n[environment]\ncpus = 1\n\n[|]').split(' ').slice(0, 8).join(' ')).toBe(
      '[environment.tpu] [[environment.mcp_servers]] [environment.env] [environment.healthcheck] [metadata] [solution] [[steps]] [[artifacts]]',
    );
  });

  it('are found by what is typed, with one bracket, two, or none', () => {
    expect(labels('[verifier]\n[[verif|]]')).toBe('[[verifier.collect]]');
    expect(labels('[metad|')).toBe('[metadata]');
    expect(taken('[meta|\nx = 1', '[metadata]')).toBe('[metadata]\nx = 1');
    expect(taken('[[st|]]\n', '[[steps]]')).toBe('[[steps]]\n');
    expect(labels('[agent]\nsolu|')).toBe('[solution] [solution.env]');
  });

  it('below a step need the step, and are missing for each step anew', () => {
    expect(labels('[steps.ag|]')).toBe('');
    expect(labels('[[steps]]\n[steps.agent]\n[[steps]]\n[steps.ag|]')).toBe('[steps.agent]');
    expect(labels('[[steps]]\n[steps.agent]\n[steps.ag|]')).toBe('');
  });

  it('are not offered for what is written inline or dotted already', () => {
    expect(labels('[environment]\nenv = {}\ntpu.type = "x"\n[environment.he|]')).toBe('[environment.healthcheck]');
    expect(labels('[environment]\nenv = {}\ntpu.type = "x"\n[environment.|]')).not.toMatch(/\[environment.(env|tpu)\]/);
    expect(labels('artifacts = []\n[[art|]]')).toBe('');
  });

  it('are not offered above keys, which they would take away', () => {
    expect(labels('[agent]\n|\nuser = "x"')).not.toContain('[');
  });
});

describe('values', () => {
  it('of an enumeration, in quotes that are there and those that are not', () => {
    expect(labels('[agent]\nnetwork_mode = |')).toBe('no-network public allowlist');
    expect(taken('[agent]\nnetwork_mode =|', 'public')).toBe('[agent]\nnetwork_mode = "public"');
    expect(taken('[agent]\nnetwork_mode = "no|"', 'no-network')).toBe('[agent]\nnetwork_mode = "no-network"');
    expect(taken('[agent]\nnetwork_mode = "no|\nuser = 1', 'no-network')).toBe(
      '[agent]\nnetwork_mode = "no-network"\nuser = 1',
    );
    expect(taken("[agent]\nnetwork_mode = '|'", 'public')).toBe("[agent]\nnetwork_mode = 'public'");
  });

  it('that are in force anyway, or plausible', () => {
    expect(labels('[verifier]\ntimeout_sec = |')).toBe('600.0');
    expect(labels('[environment]\nmemory_mb = |')).toBe('2048');
    expect(labels('schema_version = |')).toBe('"1.4"');
  });

  it('that name something in the task', () => {
    const files = around({
      'instruction.md': 'Write `/app/report.json`, and look at `/var/log`.',
      'environment/Dockerfile': 'FROM x\nWORKDIR /srv/app\nCOPY --chown=a b.txt /data/b.txt\nUSER dev\n',
      steps: null,
      'steps/one': null,
      'steps/two': null,
      'steps/two/instruction.md': '',
    });
    expect(labels('[environment]\nworkdir = "|"', files)).toBe('/srv/app');
    expect(labels('[agent]\nuser = |', files)).toBe('dev root 1000');
    expect(labels('artifacts = ["/var/log", "|"]', files)).toBe('/srv/app /data/b.txt /app/report.json');
    expect(labels('[[steps]]\nname = "one"\n[[steps]]\nname = "|"', files)).toBe('two');
    expect(taken('[task]\nname = "|"', 'org/log-triage', files)).toBe('[task]\nname = "${1:org}/log-triage"');
  });

  it('that are variables of the host, only where they are the whole value', () => {
    const host = around({}, ['HTTP_PROXY', 'CI']);
    expect(labels('[verifier.env]\nA = "${|"\nB = "${OTHER:-x}"', host)).toBe('${OTHER} ${CI} ${HTTP_PROXY} ${A:-…}');
    expect(taken('[verifier.env]\nA = |', '${CI}', host)).toBe('[verifier.env]\nA = "${CI}"');
    expect(taken('[verifier.env]\nA = "${C|}"', '${CI}', host)).toBe('[verifier.env]\nA = "${CI}"');
    expect(taken('[verifier.env]\nA = "|"', '${A:-…}', host)).toBe('[verifier.env]\nA = "\\${${1:A}:-$2}"');
    expect(labels('[verifier.env]\nA = "a ${|"', host)).toBe('');
    expect(labels('[solution]\nenv = { A = "|" }', host)).toBe('${CI} ${HTTP_PROXY} ${A:-…}');
  });
});

describe('half-typed documents', () => {
  it('are read on behind what is wrong', () => {
    expect(labels('[task\nname = "x\nkeywords = ["a",\n[agent]\n|\nuser = "x"')).toBe(
      'timeout_sec network_mode allowed_hosts',
    );
    expect(labels('x = = 1\n[environment]\nos = "win|')).toBe('windows');
  });

  it('of any shape give no exception, wherever the cursor is', () => {
    const text =
      '\uFEFF[ta.sk]\r\n"k\\u00e9y".b = { a = [1, {b=2}], c = """x\n"" """, d = \'\'\'y\r\n[[steps]]\n名前 = "😀"\n\tz = [[[\n}]';
    for (let at = 0; at <= text.length; at++) {
      completeTask(text.slice(0, at), linesOf(text.slice(0, at)).position(at), noSurroundings);
      completeTask(text, linesOf(text).position(at), noSurroundings);
    }
  });

  it('and every taken value without a hole leaves a file that can be read', () => {
    for (const { label, isSnippet } of offered('[verifier]\nenvironment_mode = |\n')) {
      if (!isSnippet) expect(readToml(taken('[verifier]\nenvironment_mode = |\n', label)).ok).toBe(true);
    }
  });
});

describe('positions', () => {
  it.each([
    ['emoji', '# 😀\r\n[agent] # 😀\r\nuser = "😀" \r\nnetwork_mode = "a|"\r\n', 'line 3, 15-18'],
    ['CJK and a tab', '[agent]\n\tnetwork_mode = "網|"\n', 'line 1, 16-19'],
    ['a byte-order mark', '\uFEFFmul|', 'line 0, 1-4'],
  ])('are right with %s', (_what, marked, expected) => {
    const { text, position } = withCursor(marked);
    const [first] = completeTask(text, position, noSurroundings);
    const { start, end } = first!.range;
    expect(`line ${start.line}, ${start.character}-${end.character}`).toBe(expected);
  });
});

it('takes less than 30 ms in a long file', () => {
  const steps = Array.from(
    { length: 400 },
    (_, at) => `[[steps]]\nname = "s${at}"\n[steps.agent]\ntimeout_sec = 1.0\n`,
  );
  const text = `${steps.join('')}[environment]\n`;
  const position = linesOf(text).position(text.length);
  completeTask(text, position, noSurroundings);
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    completeTask(text, position, noSurroundings);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  // The fastest: what else the machine does meanwhile is not ours.
  expect(times[0]).toBeLessThan(30);
});
