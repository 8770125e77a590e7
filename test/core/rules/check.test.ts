import { expect, test } from 'vitest';
import { soundConfig } from '../memory-files';
import { findingsFor, mended, shown } from './checked';

test('a sound task is silent', async () => {
  expect(await findingsFor({ 'task.toml': `${soundConfig}network_mode = "no-network"\n` })).toEqual([]);
});

test('a folder is read to its depths, and a link out of it is not followed', async () => {
  expect(await shown('config-unknown-key', { 'task.toml': '[agent]\ntimeout = 9\n' })).toEqual([
    'warning task.toml:2:"timeout" Harbor does not know timeout in [agent] and ignores it. Did you mean timeout_sec? As it stands, timeout_sec is not set. [Rename to timeout_sec* | Move timeout to [metadata]]',
  ]);
  expect(
    await mended('config-unknown-key', { 'task.toml': '[agent]\ntimeout = 9\n' }, 'Rename to timeout_sec', 'task.toml'),
  ).toBe('[agent]\ntimeout_sec = 9\n');
});
