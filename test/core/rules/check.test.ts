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

test('the rest of a folder is judged although Harbor refuses task.toml', async () => {
  const changes = { 'solution/solve.sh': '#!/bin/bash\ncp /tests/want.csv /app/answer.txt\n' };
  const found = 'error solution/solve.sh:2:"/tests/want.csv" solve.sh uses /tests/want.csv, which an agent never sees.';
  const refused = '[environment]\ncpus = "many"\n';
  expect(await shown('solution-reads-tests', { ...changes, 'task.toml': refused })).toEqual([found]);
  expect(await shown('solution-reads-tests', { ...changes, 'task.toml': '[environment]\ncpus = \n' })).toEqual([found]);
  // With steps there may be other scripts.
  expect(await shown('solution-reads-tests', { ...changes, 'task.toml': `${refused}[[steps]]\nname = "a"\n` })).toEqual(
    [],
  );
});
