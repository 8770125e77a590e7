import type { Folder } from './fold';
import { noEnvironment } from './fold';
import type { Call, ClockRead, RandomUse, Sleep } from './module';

/** What depends on when or how often a file runs: sleeps, clocks and chance. */

const sleepers = new Set([
  'time.sleep',
  'asyncio.sleep',
  'trio.sleep',
  'anyio.sleep',
  'gevent.sleep',
  'eventlet.sleep',
]);

export function sleepsOf(folder: Folder, calls: readonly Call[]): readonly Sleep[] {
  return calls.flatMap((call): Sleep[] => {
    if (call.callee === null || !sleepers.has(call.callee)) return [];
    const [first] = call.arguments;
    const value = first === undefined ? null : folder.fold(first, noEnvironment, 0);
    return [{ call, node: call.node, seconds: value?.kind === 'number' ? value.value : null, block: call.block }];
  });
}

const clockKinds: Readonly<Record<string, ClockRead['kind']>> = {
  'time.time': 'epoch',
  'time.time_ns': 'epoch',
  'time.monotonic': 'elapsed',
  'time.monotonic_ns': 'elapsed',
  'time.perf_counter': 'elapsed',
  'time.perf_counter_ns': 'elapsed',
  'timeit.default_timer': 'elapsed',
  'time.process_time': 'cpu',
  'time.process_time_ns': 'cpu',
  'time.thread_time': 'cpu',
  'datetime.datetime.now': 'date',
  'datetime.datetime.utcnow': 'date',
  'datetime.datetime.today': 'date',
  'datetime.date.today': 'date',
  'pandas.Timestamp.now': 'date',
  'pandas.Timestamp.today': 'date',
  'pandas.Timestamp.utcnow': 'date',
  'arrow.now': 'date',
  'arrow.utcnow': 'date',
  'pendulum.now': 'date',
  'django.utils.timezone.now': 'date',
};
/** These read the clock only when they are given no moment. */
const formatting: Readonly<Record<string, number>> = {
  'time.localtime': 0,
  'time.gmtime': 0,
  'time.ctime': 0,
  'time.strftime': 1,
};

export function clocksOf(calls: readonly Call[]): readonly ClockRead[] {
  return calls.flatMap((call): ClockRead[] => {
    const { callee } = call;
    if (callee === null) return [];
    if (Object.hasOwn(formatting, callee) && call.arguments.length <= (formatting[callee] ?? 0))
      return [{ call, node: call.node, kind: 'date', block: call.block }];
    const kind = Object.hasOwn(clockKinds, callee) ? clockKinds[callee] : undefined;
    return kind === undefined ? [] : [{ call, node: call.node, kind, block: call.block }];
  });
}

const notRandom = new Set(['seed', 'getstate', 'setstate', 'get_state', 'set_state', 'SeedSequence', 'compare_digest']);

export function randomsOf(calls: readonly Call[]): readonly RandomUse[] {
  const seeds = new Set<string>();
  for (const { callee } of calls) if (callee?.endsWith('.seed') === true) seeds.add(callee.slice(0, -'.seed'.length));
  return calls.flatMap((call): RandomUse[] => {
    const source = randomSource(call);
    if (source === null || notRandom.has(call.name)) return [];
    const own = /^(?:Random|default_rng|RandomState|Generator|PCG64)$/u.test(call.name);
    const seeded = own
      ? call.arguments.length + call.keywords.size > 0
      : seeds.has(source) || seeds.has(`${source}.Faker`);
    return [{ call, node: call.node, source, seeded, block: call.block }];
  });
}

function randomSource({ callee }: Call): string | null {
  if (callee === null) return null;
  if (callee.startsWith('random.')) return 'random';
  if (callee.startsWith('numpy.random.')) return 'numpy.random';
  if (callee.startsWith('secrets.')) return 'secrets';
  if (callee === 'uuid.uuid4' || callee === 'uuid.uuid1') return 'uuid';
  if (callee === 'os.urandom' || callee === 'os.getrandom') return 'os.urandom';
  return callee === 'faker.Faker' ? 'faker' : null;
}
