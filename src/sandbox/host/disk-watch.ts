import { statfs } from 'node:fs/promises';
import { plainEnvironment, runProcess } from '#process/index.js';

const LEAST_PAUSE_MS = 250;
/** Measuring takes at most this share of the time. */
const PAUSE_PER_MEASURE = 10;
/** A disk with less left than this counts as full, whoever filled it. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/**
 * Measures again and again what a sandbox's writable folders hold and reports the excess once. No kernel limit: between
 * two looks more may be written (that is why one file's size is limited by the kernel besides).
 */
export class DiskWatch {
  /** More was found than allowed, or the disk itself had no room left. */
  full = false;
  private stopped = false;
  private timer: NodeJS.Timeout | null = null;
  private measuring: Promise<void> = Promise.resolve();

  constructor(
    private readonly folders: readonly string[],
    private readonly maxBytes: number,
    private readonly onExcess: () => void,
  ) {
    this.wait(LEAST_PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.measuring;
  }

  /** Looks now, e.g. after a command has ended: it may have been too quick to be seen. */
  async look(): Promise<void> {
    this.measuring = this.measuring.then(() => this.measure());
    await this.measuring;
  }

  private wait(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.turn(), ms);
    this.timer.unref();
  }

  private async turn(): Promise<void> {
    const startedAt = performance.now();
    await this.look();
    this.wait(Math.max(LEAST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_MEASURE));
  }

  private async measure(): Promise<void> {
    if (this.stopped) return;
    const excess = (await sizeOf(this.folders)) > this.maxBytes || (await leastFree(this.folders)) < LEAST_FREE_BYTES;
    if (!excess) return;
    this.full = true;
    this.onExcess();
  }
}

/** Bytes that the trees take on the disk, hard links counted once. What vanishes meanwhile does not count. */
async function sizeOf(folders: readonly string[]): Promise<number> {
  if (folders.length === 0) return 0;
  const { stdout } = await runProcess({
    argv: ['du', '--summarize', '--total', '--one-file-system', '--block-size=1', '--', ...folders],
    env: plainEnvironment(),
    cwd: '/',
  });
  return Number(/(\d+)\ttotal\n$/.exec(stdout.toString('latin1'))?.[1] ?? 0);
}

async function leastFree(folders: readonly string[]): Promise<number> {
  const free = await Promise.all(
    folders.map(async (folder) => statfs(folder).then(({ bavail, bsize }) => bavail * bsize)),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...free);
}
