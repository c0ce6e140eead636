/** Step 2: finds feature chains in an analysed history: evidence graph, four searches, review, ranking. */
export type * from './chains.js';
export { chainId } from './describe/chain-id.js';
export { exportGraph } from './export-graph.js';
export { findChains } from './find-chains.js';
export type { Past, PastGroup } from './past.js';
