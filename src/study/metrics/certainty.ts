/** `and` where null is unknown: one known failure decides, one unknown leaves the rest undecided. */
export function allOf(verdicts: Iterable<boolean | null>): boolean | null {
  let unknown = false;
  for (const verdict of verdicts) {
    if (verdict === false) return false;
    if (verdict === null) unknown = true;
  }
  return unknown ? null : true;
}

/** A verdict as an observation: 1, 0, or unknown. */
export function scored(verdict: boolean | null): number | null {
  return verdict === null ? null : Number(verdict);
}

/** `not` where null is unknown. */
export function not(verdict: boolean | null): boolean | null {
  return verdict === null ? null : !verdict;
}
