import { createHash } from 'node:crypto';

/** Chance enters the program here: a seeded stream, the same on every machine. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [0, bound). `bound` is at least 1. */
  below(bound: number): number;
}

/**
 * A seeded stream (sfc32, public-domain generator by Chris Doty-Humphrey, seeded from SHA-256 of the text).
 * Streams for different purposes take different texts, e.g. `${seed}/twins/${stage}`, so they never share numbers.
 */
export function seededRandom(seed: string): Random {
  const digest = createHash('sha256').update(seed).digest();
  let a = digest.readUInt32LE(0);
  let b = digest.readUInt32LE(4);
  let c = digest.readUInt32LE(8);
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) word();
  const next = (): number => (word() * 0x200000 + (word() >>> 11)) / 2 ** 53;
  return { next, below: (bound) => Math.floor(next() * bound) };
}

/** A shuffled copy (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const pick = random.below(last + 1);
    const held = result[last] as T;
    result[last] = result[pick] as T;
    result[pick] = held;
  }
  return result;
}
