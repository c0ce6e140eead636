/** Time enters the program here, so that runs replay and tests need no fake timers. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Monotonic clock in milliseconds, for durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** The clock's instant as ISO 8601 UTC with milliseconds. */
export function instantOf(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
