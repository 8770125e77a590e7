import { expect, test } from 'vitest';
import { createReader } from '../../../src/host/reader';
import { memoryFiles, taskTree } from '../memory-files';

const files = (settings: string) => memoryFiles({ '/w/taskwright.toml': settings, ...taskTree('/w/tasks/sound') });
const nothingSet = { rewardKey: null, passThreshold: null };

test('a receipt is compared with what taskwright.toml asks, unless the person set something', async () => {
  const reader = createReader(files('[gates]\npass-threshold = 0.5\nreward-key = "score"\nattempts = 3\n'));
  expect((await reader.inputs('/w/tasks/sound', '/w', nothingSet)).settings).toEqual({
    rewardKey: 'score',
    passThreshold: 0.5,
    attempts: 3,
  });
  const person = { rewardKey: 'mine', passThreshold: 0 };
  expect((await reader.inputs('/w/tasks/sound', '/w', person)).settings).toEqual({ ...person, attempts: 3 });
});

test('a file that cannot be read leaves the defaults', async () => {
  const reader = createReader(files('[gates\n'));
  expect((await reader.inputs('/w/tasks/sound', '/w', nothingSet)).settings).toEqual({
    rewardKey: null,
    passThreshold: 1,
    attempts: 1,
  });
});
