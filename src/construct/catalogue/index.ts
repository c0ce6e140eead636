/** Lays down what mining found (chains.json, rejections.jsonl, chains.md, the graph), and picks chains from it again. */
export { pickChain } from './pick-chain.js';
export { readChains } from './read-chains.js';
export { spanOf } from './span-of.js';
export { type Catalogue, writeCatalogue } from './write-catalogue.js';
