import type { Chain } from '#documents/chains.js';

const DAY_MS = 86_400_000;

/** How long a feature took to evolve, for people: `12 days`, `5 months`; unknown where a stage has no date. */
export function spanOf({ stages }: Pick<Chain, 'stages'>): string {
  const days = spanDays(stages);
  if (days === null) return 'unknown';
  if (days < 60) return `${days} day${days === 1 ? '' : 's'}`;
  if (days < 730) return `${Math.round(days / 30.44)} months`;
  return `${(days / 365.25).toFixed(1)} years`;
}

function spanDays(stages: Chain['stages']): number | null {
  const instants = stages.map(({ at }) => (at === null ? Number.NaN : Date.parse(at)));
  const span = Math.max(...instants) - Math.min(...instants);
  return Number.isNaN(span) ? null : Math.round(span / DAY_MS);
}
