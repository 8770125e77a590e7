import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { loadGrammars } from '../../node/grammars';
import { syncFiles } from '../../node/sync-files';
import type { CheckJob } from './task-checker';
import { createChecker } from './task-checker';

// A bundle of its own (dist/check-worker.js), run as a worker thread: it takes jobs one by one and answers in order.

const port = parentPort;
const checker = loadGrammars((file) => path.join(__dirname, 'grammars', path.basename(file))).then((grammars) => {
  port?.postMessage('ready');
  return createChecker({ files: syncFiles(), grammars });
});

port?.on('message', (job: CheckJob) => {
  void checker.then(async (ready) => {
    port.postMessage(await ready.check(job));
  });
});
