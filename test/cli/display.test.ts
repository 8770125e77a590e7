import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CliContext, TextSink } from '../../src/cli/context';
import { openDisplay } from '../../src/cli/display';
import { duration, plainLine, plainText, wrap } from '../../src/cli/plain-text';
import type { EngineEvent } from '../../src/protocol/engine';

const task = '/w/sound';
const trialStarted = (trial: string, strategy: string | null = null, attempt = 1): EngineEvent => ({
  type: 'trial-started',
  trial,
  task,
  agent: strategy === null ? 'nop' : 'cheat',
  strategy,
  attempt,
  dir: `/w/jobs/${trial}`,
});
const phase = (
  trial: string | null,
  name: 'queued' | 'image' | 'agent' | 'verifier',
  detail: string | null = null,
): EngineEvent => ({
  type: 'phase',
  task,
  trial,
  phase: name,
  detail,
});
const finished = (trial: string, reward: number | null): EngineEvent => ({
  type: 'trial-finished',
  trial,
  task,
  agent: 'nop',
  strategy: null,
  outcome: reward === null ? 'unscored' : 'scored',
  reward,
  exception: reward === null ? 'RewardFileNotFoundError' : null,
  dir: '/w/jobs/x',
  durationSec: 2.04,
});
const verdict: EngineEvent = {
  type: 'gate-finished',
  task,
  gate: 'nop',
  result: { gate: 'nop', verdict: 'not-proven', reason: 'no-reward', message: 'x', reward: null, attempts: [] },
};

const events: readonly EngineEvent[] = [
  { type: 'engine-connected', endpoint: 'unix:///var/run/docker.sock', source: 'default socket', version: '26.1.5' },
  { type: 'job-started', dir: '/w/jobs/j' },
  trialStarted('a'),
  trialStarted('b', 'reward-json', 2),
  phase('a', 'image'),
  phase(null, 'image', '1/2 RUN make'),
  phase(null, 'image', '1/2 RUN make'),
  phase(null, 'image', '2/2 RUN \u001b[31mtest\u001b[0m'),
  phase('a', 'agent'),
  { type: 'output', task, trial: 'a', phase: 'agent', text: 'never shown\n' },
  finished('a', null),
  finished('b', 0),
  verdict,
  { type: 'task-finished', task, receipt: null },
];

function display(sink: Partial<TextSink>): {
  readonly text: () => string;
  readonly show: ReturnType<typeof openDisplay>;
} {
  let text = '';
  const stderr: TextSink = { write: (part) => void (text += part), isTTY: false, columns: 60, color: false, ...sink };
  const show = openDisplay({ stderr } as CliContext, (dir) => dir.slice('/w/'.length));
  return { text: () => text, show };
}

describe('where there is no terminal', () => {
  test('lines tell what happened, each once', () => {
    const { text, show } = display({});
    for (const event of events) show.show(event);
    show.end();
    expect(text()).toBe(
      [
        'Docker 26.1.5 at unix:///var/run/docker.sock (default socket)',
        'Job /w/jobs/j',
        'sound: image 1/2 RUN make',
        'sound: image 2/2 RUN test',
        'sound: nop: no reward, RewardFileNotFoundError, 2.0 s',
        'sound: cheat reward-json, attempt 2: reward 0, 2.0 s',
        'sound: nop not-proven (no-reward)',
        '',
      ].join('\n'),
    );
  });
});

describe('on a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What a person sees: the block is redrawn by moving up and clearing what is below. */
  function screen(written: string): readonly string[] {
    const lines: string[] = [''];
    // eslint-disable-next-line no-control-regex
    for (const part of written.split(/(\u001b\[\d+A\u001b\[0J|\n)/)) {
      // eslint-disable-next-line no-control-regex
      const up = /^\u001b\[(\d+)A/.exec(part);
      if (up !== null) lines.splice(lines.length - 1 - Number(up[1]), Infinity, '');
      else if (part === '\n') lines.push('');
      else lines.push(`${lines.pop() ?? ''}${part}`);
    }
    return lines;
  }

  test('one line a running trial with task, phase, time and step; a verdict stays', () => {
    const { text, show } = display({ isTTY: true });
    show.show(trialStarted('a'));
    show.show(phase('a', 'queued'));
    show.show(phase(null, 'image', '3/7 RUN make'));
    vi.advanceTimersByTime(1000);
    expect(screen(text())).toEqual([
      expect.stringMatching(/^. {3}1\.0 s {2}sound {2}image {2}3\/7 RUN make$/u) as string,
      '1 waiting, 0 trials done, 1.0 s',
      '',
    ]);
    show.show(phase('a', 'agent'));
    vi.advanceTimersByTime(1500);
    expect(screen(text())).toEqual([
      expect.stringMatching(/^. {3}2\.5 s {2}sound {2}nop {2}agent$/u) as string,
      '0 trials done, 2.5 s',
      '',
    ]);
    show.show(finished('a', 0));
    show.show(verdict);
    expect(screen(text())).toEqual(['? sound  nop not-proven (no-reward)', '1 trial done, 2.5 s', '']);
    show.end();
    show.end();
    expect(screen(text())).toEqual(['? sound  nop not-proven (no-reward)', '']);
  });

  test('no line is as wide as the terminal, and many trials do not fill it', () => {
    const { text, show } = display({ isTTY: true, columns: 40 });
    for (let at = 0; at < 30; at++) {
      show.show(trialStarted(`t${at}`, `a-strategy-with-a-long-name-${at}`));
      show.show(phase(`t${at}`, 'verifier', 'x'.repeat(100)));
    }
    vi.advanceTimersByTime(200);
    const lines = screen(text());
    expect(lines).toHaveLength(14);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40);
    expect(lines.at(-2)).toContain('18 more running');
    show.end();
  });
});

describe('text from containers', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007after', 'after'],
    ['\u001b]8;;http://x\u001b\\link', 'link'],
    ['a\u0008\u007f\u009bb', 'ab'],
    ['turned \u202eround', 'turned round'],
    ['kept\tand\r\nkept', 'kept\tand\nkept'],
  ])('%j is made harmless', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
  test('as one line', () => {
    expect(plainLine(' a\n\tb  c\u001b[2K ')).toBe('a b c');
  });
});

test('durations and lines', () => {
  expect([0, 2.04, 9.96, 48.2, 119.4, 120, 200.4].map(duration)).toEqual([
    '0.0 s',
    '2.0 s',
    '10 s',
    '48 s',
    '119 s',
    '2 min',
    '3 min 20 s',
  ]);
  expect(wrap('one two three, averyverylongword', 9)).toEqual(['one two', 'three,', 'averyverylongword']);
});
