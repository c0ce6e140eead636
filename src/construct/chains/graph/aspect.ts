/** How a group touches a trace. Each aspect has a bit, so that one number says all. */
export const ASPECT = {
  /** Adds the definition. */
  added: 1,
  /** Changes its signature, body or place, or removes it. */
  changed: 2,
  called: 4,
  /** Writes the name in source more often than before. */
  written: 8,
  /** Tests define, call or write it. */
  tested: 16,
  titled: 32,
  said: 64,
  /** A path carries the name. */
  filed: 128,
  imported: 256,
  cited: 512,
} as const;
