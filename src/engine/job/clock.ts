import { randomInt, randomUUID } from 'node:crypto';
import type { Clock, Random } from './options';

export const systemClock: Clock = {
  now: () => new Date(),
  seconds: () => performance.now() / 1000,
  offsetMinutes: (at) => -at.getTimezoneOffset(),
};

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
};
