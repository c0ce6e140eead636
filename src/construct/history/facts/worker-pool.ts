import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Fault } from '#kernel/faults.js';
import { versionsOf } from './facts-analyser.js';
import { type FactsAnswer, type FactsJob, versionKey } from './facts-job.js';
import type { WorkerReply, WorkerStart } from './facts-worker.js';

/** No version takes a parser so long; one that does is left unparsed. */
const STUCK_MS = 20_000;

const WORKER_FILE = new URL('./facts-worker.js', import.meta.url);

/** Worker threads need the compiled file; run from its sources the program parses in the main thread. */
export function canUseWorkers(): boolean {
  return existsSync(fileURLToPath(WORKER_FILE));
}

interface PoolRequest {
  gitDir: string;
  workers: number;
  jobs: readonly FactsJob[];
  onAnswer: (answer: FactsAnswer) => void;
  signal?: AbortSignal;
}

/** Does all jobs in worker threads, each as it comes free. @throws Fault where a job fails for reasons of the repository */
export async function runInWorkers(request: PoolRequest): Promise<void> {
  const queue = [...request.jobs];
  const lanes = Array.from({ length: Math.min(request.workers, queue.length) }, () => new Lane(request, queue));
  try {
    await Promise.all(lanes.map((lane) => lane.run()));
  } finally {
    await Promise.all(lanes.map((lane) => lane.stop()));
  }
}

class Lane {
  private worker: Worker | null = null;
  private readonly progress = new Int32Array(new SharedArrayBuffer(4));

  constructor(
    private readonly request: PoolRequest,
    private readonly queue: FactsJob[],
  ) {}

  async run(): Promise<void> {
    for (let job = this.queue.shift(); job !== undefined; job = this.queue.shift()) {
      this.request.signal?.throwIfAborted();
      const answer = await this.attempt(job);
      if (answer === 'stuck') this.queue.unshift(await this.withoutCulprit(job));
      else this.request.onAnswer(answer);
    }
  }

  async stop(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    if (worker === null) return;
    worker.removeAllListeners();
    await worker.terminate();
  }

  private attempt(job: FactsJob): Promise<FactsAnswer | 'stuck'> {
    const worker = this.worker ?? this.start();
    this.worker = worker;
    Atomics.store(this.progress, 0, -1);
    return new Promise((resolve, reject) => {
      let seen = -1;
      let since = performance.now();
      const watch = setInterval(() => {
        const now = Atomics.load(this.progress, 0);
        if (now !== seen) {
          seen = now;
          since = performance.now();
        } else if (performance.now() - since > STUCK_MS) settle(() => resolve('stuck'));
      }, 1_000);
      const settle = (finish: () => void): void => {
        clearInterval(watch);
        worker.removeAllListeners('message');
        worker.removeAllListeners('error');
        finish();
      };
      worker.once('message', (reply: WorkerReply) =>
        settle(() => ('answer' in reply ? resolve(reply.answer) : reject(failure(reply.failed)))),
      );
      worker.once('error', (thrown) => settle(() => reject(thrown)));
      worker.postMessage(job);
    });
  }

  private start(): Worker {
    const workerData: WorkerStart = {
      gitDir: this.request.gitDir,
      progress: this.progress.buffer as SharedArrayBuffer,
    };
    // Flags of the main thread (--input-type, say) need not fit a worker.
    return new Worker(WORKER_FILE, { workerData, execArgv: [] });
  }

  /** Ends the worker that does not come back and gives the job without the version it hangs on. */
  private async withoutCulprit(job: FactsJob): Promise<FactsJob> {
    const culprit = versionsOf(job)[Math.max(0, Atomics.load(this.progress, 0))];
    await this.stop();
    return { ...job, skip: [...job.skip, ...(culprit === undefined ? [] : [versionKey(culprit)])] };
  }
}

function failure(message: string): Fault {
  return new Fault({ code: 'analysis-failed', kind: 'input', message, hint: 'Run `git fsck` in the repository.' });
}
