import type { Repository } from '#git/index.js';
import type { Progress } from '#kernel/events.js';
import { FactsAnalyser } from './facts-analyser.js';
import type { FactsCache } from './facts-cache.js';
import type { FactsAnswer, FactsJob, PairRequest } from './facts-job.js';
import { canUseWorkers, runInWorkers } from './worker-pool.js';

/** Pairs of small files go together, so that a job is worth its message. */
const JOB_PAIRS = 40;
/** Facts are written at least this often: what an interrupted run has parsed is kept. */
const FLUSH_EVERY = 1_500;
/** Fewer pairs are parsed faster than threads start. */
const THREADS_FROM_PAIRS = 60;

interface GatherRequest {
  repository: Repository;
  cache: FactsCache;
  /** Pairs by lineage, in order of time. */
  byLineage: Iterable<PairRequest[]>;
  workers: number;
  progress: Progress;
  signal?: AbortSignal;
}

const STEP = 'parse changed files';

/** Parses what the cache lacks. @returns how many versions and pairs were new */
export async function gatherFacts({
  repository,
  cache,
  byLineage,
  workers,
  progress,
  signal,
}: GatherRequest): Promise<number> {
  const jobs = planJobs(byLineage, cache);
  const total = jobs.reduce((sum, job) => sum + job.pairs.length, 0);
  if (total === 0) return 0;
  progress({ kind: 'step-started', step: STEP, total, unit: 'versions' });
  let done = 0;
  let writing: Promise<void> = Promise.resolve();
  const onAnswer = (answer: FactsAnswer): void => {
    cache.add(answer);
    done += answer.pairs.length;
    progress({ kind: 'step-advanced', step: STEP, done, total, note: null });
    if (cache.unwritten >= FLUSH_EVERY) writing = writing.then(() => cache.flush());
  };
  try {
    if (workers > 0 && total >= THREADS_FROM_PAIRS && canUseWorkers()) {
      await runInWorkers({
        gitDir: repository.place.gitDir,
        workers,
        jobs,
        onAnswer,
        ...(signal === undefined ? {} : { signal }),
      });
    } else {
      const analyser = new FactsAnalyser(repository);
      for (const job of jobs) {
        signal?.throwIfAborted();
        onAnswer(await analyser.run(job));
      }
    }
  } finally {
    // Also where the run is interrupted: what was parsed is kept.
    await writing;
    await cache.flush();
  }
  progress({ kind: 'step-ended', step: STEP, note: null });
  return total;
}

/** Long lineages first, one each; the rest in handfuls. */
function planJobs(byLineage: Iterable<PairRequest[]>, cache: FactsCache): FactsJob[] {
  const asked = new Set<string>();
  const lists: PairRequest[][] = [];
  for (const pairs of byLineage) {
    const lacking = pairs.filter(({ key }) => {
      if (cache.pairs.has(key) || asked.has(key)) return false;
      asked.add(key);
      return true;
    });
    if (lacking.length > 0) lists.push(lacking);
  }
  lists.sort((a, b) => b.length - a.length);
  const jobs: FactsJob[] = [];
  let handful: PairRequest[] = [];
  for (const list of lists) {
    handful.push(...list);
    if (handful.length < JOB_PAIRS) continue;
    jobs.push({ pairs: handful, skip: [] });
    handful = [];
  }
  if (handful.length > 0) jobs.push({ pairs: handful, skip: [] });
  return jobs;
}
