/**
 * Runs `work` over `items` with at most `limit` at a time; results keep the order of the items.
 * The first failure stops further starts and is thrown after the running ones have ended.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failure: { thrown: unknown } | null = null;
  const lane = async (): Promise<void> => {
    while (next < items.length && failure === null) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (thrown) {
        failure ??= { thrown };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane));
  const failed = failure as { thrown: unknown } | null;
  if (failed !== null) throw failed.thrown;
  return results;
}

/** Resolves after `ms` milliseconds. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** So many pieces of work at once and no more; the others wait in the order they came. */
export interface Slots {
  use<T>(work: () => Promise<T>): Promise<T>;
}

export function makeSlots(limit: number): Slots {
  let free = Math.max(1, limit);
  const waiting: (() => void)[] = [];
  return {
    use: async (work) => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
