// Run by the tests as another user: says how finding an engine ended.
import { connectDocker } from '../../../../src/engine/docker/connect';

const [host = ''] = process.argv.slice(2);
void connectDocker({
  host,
  env: {},
  homedir: '/nonexistent',
  platform: process.platform,
  signal: new AbortController().signal,
}).then((result) => {
  const said = result.ok ? { ok: true } : { ok: false, reason: result.reason, message: result.message };
  process.stdout.write(`${JSON.stringify(said)}\n`);
});
