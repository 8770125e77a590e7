import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/finding';
import { parseTaskConfig } from '../../../src/core/task/parse';
import { applyEdits } from '../../../src/core/text/edits';
import { linesOf } from '../../../src/core/text/lines';
import { readToml } from '../../../src/core/text/toml';

describe('the decoded configuration', () => {
  test('defaults', () => {
    const { config, valid, findings } = parseTaskConfig('');
    expect(valid).toBe(true);
    expect(findings.every((finding) => finding.severity !== 'error')).toBe(true);
    const phase = { network_mode: null, allowed_hosts: null };
    expect(config).toEqual({
      schema_version: '1.4',
      task: null,
      metadata: {},
      agent: { timeout_sec: null, user: null, ...phase },
      verifier: {
        timeout_sec: 600,
        env: {},
        user: null,
        environment_mode: null,
        environment: null,
        collect: [],
        ...phase,
      },
      environment: {
        build_timeout_sec: 600,
        docker_image: null,
        os: 'linux',
        cpus: null,
        memory_mb: null,
        storage_mb: null,
        gpus: null,
        gpu_types: null,
        tpu: null,
        mcp_servers: [],
        env: {},
        skills_dir: null,
        healthcheck: null,
        workdir: null,
        network_mode: 'public',
        allowed_hosts: null,
      },
      solution: { env: {} },
      source: null,
      steps: [],
      multi_step_reward_strategy: null,
      artifacts: [],
    });
  });

  test('conversions and old spellings', () => {
    const { config } = parseTaskConfig(`version = "1.0"
artifacts = ["/a", { source = "/b", destination = "" }]
[metadata]
when = 2026-01-01
big = 9223372036854775807
[agent]
timeout_sec = "1e3"
user = 1000.0
[environment]
os = "Windows"
docker_image = ""
cpus = " 2.0 "
memory = "1.5g"
allow_internet = "no"
[environment.env]
__proto__ = "x"
[[environment.mcp_servers]]
name = "m"
transport = "http"
url = "http://m"
[verifier]
network_mode = "allowlist"
allowed_hosts = [" A.com. ", "10.0.0.0/255.0.0.0"]
[[steps]]
name = "s"
min_reward = { a = "0.5", b = true }
`);
    expect(config).toMatchObject({
      schema_version: '1.0',
      artifacts: [
        { source: '/a', destination: null, exclude: [], service: null },
        { source: '/b', destination: null, exclude: [], service: null },
      ],
      metadata: { when: '2026-01-01', big: 9223372036854775807n },
      agent: { timeout_sec: 1000, user: 1000 },
      environment: {
        os: 'windows',
        docker_image: null,
        cpus: 2,
        memory_mb: 1536,
        network_mode: 'no-network',
        mcp_servers: [{ transport: 'streamable-http' }],
      },
      verifier: { allowed_hosts: ['a.com', '10.0.0.0/8'] },
      steps: [{ name: 's', min_reward: { a: 0.5, b: 1 }, verifier: { timeout_sec: 600 } }],
    });
    expect(Object.entries(config?.environment.env ?? {})).toEqual([['__proto__', 'x']]);
  });

  test.each([
    ['memory = true\nmemory_mb = 1536', 1536],
    ['memory = "1M"\nmemory_mb = true', 1],
    ['memory = "2G"\nmemory_mb = 2048.0', 2048],
    ['memory = 4096', null],
    ['memory = "2G"\nmemory_mb = "2048"', 'refused'],
    ['memory = "2G"\nmemory_mb = 2047', 'refused'],
    ['memory = "infG"', 'refused'],
  ])('%j', (lines, expected) => {
    const { config } = parseTaskConfig(`[environment]\n${lines}\n`);
    expect(config === null ? 'refused' : config.environment.memory_mb).toBe(expected);
  });

  test.each([
    ['allow_internet = false', 'no-network'],
    ['allow_internet = false\nnetwork_mode = "public"', 'public'],
    ['allow_internet = false\nallowed_hosts = []', 'public'],
  ])('%j', (lines, expected) => {
    expect(parseTaskConfig(`[environment]\n${lines}\n`).config?.environment.network_mode).toBe(expected);
  });
});

const samples = readFileSync(path.join(import.meta.dirname, '../../conformance/task-toml.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { toml: string }).toml);

/** Places where an edit could go: every finding's range and every fix of it. */
function checkFindings(text: string, findings: readonly Finding[]): void {
  const lines = linesOf(text);
  const end = lines.position(text.length);
  for (const finding of findings) {
    const ranges = [finding.range, ...finding.fixes.flatMap((fix) => fix.edits.map((edit) => edit.range))];
    for (const { start, end: stop } of ranges) {
      for (const { line, character } of [start, stop]) {
        expect(line < end.line || (line === end.line && character <= end.character)).toBe(true);
        expect(line >= 0 && character >= 0 && character <= lines.line(line).length + 1).toBe(true);
      }
      expect(lines.offset(start)).toBeLessThanOrEqual(lines.offset(stop));
    }
    expect(finding.why).not.toBe('');
    expect(finding.fingerprint).toMatch(/^[0-9a-f]{16}$/u);
  }
}

describe('properties', () => {
  test('no text makes it throw; ranges lie within the text; errors and validity agree', () => {
    const mutated = fc
      .tuple(fc.constantFrom(...samples), fc.nat(), fc.nat(12), fc.string({ unit: 'binary', maxLength: 4 }))
      .map(([text, at, length, insert]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + insert + text.slice(start + length);
      });
    fc.assert(
      fc.property(fc.oneof(mutated, mutated, fc.string({ unit: 'binary' }), fc.constantFrom(...samples)), (text) => {
        const { valid, config, findings } = parseTaskConfig(text);
        expect(valid).toBe(config !== null);
        expect(valid).toBe(findings.every((finding) => finding.severity !== 'error'));
        checkFindings(text, findings);
      }),
      { numRuns: 1000 },
    );
  });

  test('every fix leaves a file that can be read, and a preferred one mends what it is for', () => {
    const kinds = new Set<string>();
    const documents = [...samples.filter((_, index) => index % 7 === 0), ...slips];
    for (const text of documents) {
      for (const finding of parseTaskConfig(text).findings) {
        for (const fix of finding.fixes) {
          const edits = fix.edits.filter((edit) => edit.file === 'task.toml');
          const mended = applyEdits(text, edits);
          expect(mended, fix.title).not.toBeNull();
          expect(readToml(mended ?? '').ok, `${fix.title}\n${text}\n---\n${mended ?? ''}`).toBe(true);
          if (fix.preferred !== true) continue;
          kinds.add(finding.ruleId);
          const after = parseTaskConfig(mended ?? '').findings;
          const remains = after.some((one) => one.fingerprint === finding.fingerprint);
          expect(remains, `${fix.title}\n${text}\n---\n${mended ?? ''}`).toBe(false);
          const errors = (list: readonly Finding[]): number => list.filter((one) => one.severity === 'error').length;
          if (finding.ruleId === 'config-syntax') continue;
          expect(errors(after)).toBeLessThanOrEqual(errors(parseTaskConfig(text).findings));
        }
      }
    }
    expect([...kinds].sort()).toEqual([
      'config-deprecated-key',
      'config-invalid-value',
      'config-misplaced-key',
      'config-syntax',
      'config-unknown-key',
    ]);
  });
});

/** Slips that authors make, each with at least one fix. */
const slips = [
  'description = "C:\\temp"\n',
  'source = "x\n',
  'source = x\n',
  '\uFEFFsource = "x"\n',
  '[verifier]\n# what the agent leaves\nartifacts = ["/srv/plan.json"] # keep\n\n[agent]\r\ntimeout = 900\r\n',
  '[environment]\nmemory = "4GB"\ncpu = 2\nmemory_gb = 4\ninternet = false\nuser = "dev"\n',
  '[enviroment]\ncpus = 2\n[enviroment.env]\nA = "1"\n',
  '[[step]]\nname = "a"\n[[step]]\nname = "b"\n',
  '[metadata]\nnetwork_mode = "no-network"\n',
  'environment = { memory = "4G", memry_mb = 3 }\n',
  'environment.memory = 4096\n',
  '[environment]\nnetwork_mode = "No-Network"\nallow_internet = true\n',
  '[environment.env]\nPORT = 8080\n',
  'version = 1.0\n',
  '[environment]\nallow_internet = false',
];
