import { parentPort, workerData } from 'node:worker_threads';
import { contentCache } from '../../node/content-cache';
import { sha256 } from '../../node/files';
import { grammarFileBeside, onceGrammars } from '../../node/grammars';
import { syncFiles } from '../../node/sync-files';
import type { WorkerData } from './checker-pool';
import type { CheckJob } from './task-checker';
import { createChecker } from './task-checker';

// A bundle of its own (dist/check-worker.js), run as a worker thread: it takes jobs one by one and answers in order.

const { cache } = workerData as WorkerData;
const checker = createChecker({
  files: syncFiles(),
  grammars: onceGrammars((file) => grammarFileBeside(__filename, file)),
  sha256,
  cache: cache === null ? null : { store: contentCache(cache.folder), version: cache.version },
});

let before = Promise.resolve();
parentPort?.on('message', (job: CheckJob) => {
  before = before.then(async () => {
    parentPort?.postMessage(await checker.check(job));
  });
});
