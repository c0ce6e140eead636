import { type Attempt, attemptShape } from '#documents/funnel.js';
import type { Clock } from '#kernel/clock.js';
import { Fault } from '#kernel/faults.js';
import { digestOfJson } from '#kernel/ids.js';
import { type Journal, openJournal } from '#store/index.js';
import type { StageRange } from './chain-part.js';

/** What has been tried, kept on disk: what an earlier run found out is not tried again. */
export class AttemptLog {
  private readonly attempts = new Map<string, Attempt>();
  private readonly holding = new Set<string>();

  private constructor(private readonly journal: Journal) {}

  /**
   * @param options all that the outcome of an attempt depends on but its commits
   * @throws Fault `auto-options-changed` (input) where the log is of other options
   */
  static async open(file: string, clock: Clock, options: Record<string, unknown>): Promise<AttemptLog> {
    const journal = await openJournal(file, clock);
    const log = new AttemptLog(journal);
    try {
      await log.begin(file, options);
    } catch (thrown) {
      await journal.close();
      throw thrown;
    }
    return log;
  }

  private async begin(file: string, options: Record<string, unknown>): Promise<void> {
    const digest = digestOfJson(options);
    const [first, ...rest] = this.journal.entries;
    if (first === undefined) await this.journal.append('started', { digest, options });
    else if (first.data.digest !== digest)
      throw new Fault({
        code: 'auto-options-changed',
        kind: 'input',
        message: `${file}: its attempts were made with other options or by another version of the program`,
        hint: 'Give the options of the first run again, or another --out folder.',
        context: { was: first.data.options, is: options },
      });
    for (const { type, data } of rest) this.read(type, data);
  }

  private read(type: string, data: Record<string, unknown>): void {
    const parsed = attemptShape.safeParse(data);
    if (type === 'attempt' && parsed.success) this.attempts.set(keyOf(parsed.data.chain, parsed.data), parsed.data);
    if (type === 'states-hold') this.holding.add(String(data.window));
  }

  /** How the attempt ended; null where it has not been made to its end. */
  find(chain: string, window: StageRange): Attempt | null {
    return this.attempts.get(keyOf(chain, window)) ?? null;
  }

  of(chain: string): Attempt[] {
    return [...this.attempts.values()].filter((attempt) => attempt.chain === chain);
  }

  get admitted(): number {
    return [...this.attempts.values()].filter(({ failed }) => failed === 'none').length;
  }

  holds(chain: string, window: StageRange): boolean {
    return this.holding.has(keyOf(chain, window));
  }

  /** Whether the states of any window of a chain were found to hold. */
  holdsAny(chain: string): boolean {
    return [...this.holding].some((key) => key.startsWith(`${chain}:`));
  }

  async noteHolding(chain: string, window: StageRange): Promise<void> {
    await this.journal.append('states-hold', { window: keyOf(chain, window) });
    this.holding.add(keyOf(chain, window));
  }

  async add(attempt: Attempt): Promise<void> {
    await this.journal.append('attempt', attempt);
    this.attempts.set(keyOf(attempt.chain, attempt), attempt);
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}

/** Equal chains have equal ids, so what was found out stays true whatever else the history has grown. */
function keyOf(chain: string, { from, to }: StageRange): string {
  return `${chain}:${from}-${to}`;
}
