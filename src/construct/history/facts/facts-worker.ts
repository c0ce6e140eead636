import { parentPort, workerData } from 'node:worker_threads';
import { openRepository } from '#git/index.js';
import { certain, messageOf } from '#kernel/faults.js';
import { FactsAnalyser } from './facts-analyser.js';
import type { FactsAnswer, FactsJob } from './facts-job.js';

/** What the main thread gives a worker at its start. */
export interface WorkerStart {
  gitDir: string;
  /** One number: the ordinal of the version that is being parsed. */
  progress: SharedArrayBuffer;
}

/** What a worker says after each job. */
export type WorkerReply = { answer: FactsAnswer } | { failed: string };

const port = certain(parentPort, 'the port of a worker thread');
const start = workerData as WorkerStart;
const progress = new Int32Array(start.progress);
const repository = await openRepository(start.gitDir);
const analyser = new FactsAnalyser(repository, (ordinal) => {
  Atomics.store(progress, 0, ordinal);
});

port.on('message', (message: FactsJob | null) => {
  if (message === null) {
    void repository.close().then(() => port.close());
    return;
  }
  analyser.run(message).then(
    (answer) => port.postMessage({ answer } satisfies WorkerReply),
    (thrown: unknown) => port.postMessage({ failed: messageOf(thrown) } satisfies WorkerReply),
  );
});
