import type { GroupDecision } from '../chains.js';
import type { PastGroup } from '../past.js';

/** Writes down what was decided on a group, and why. */
export type Say = (group: PastGroup, action: GroupDecision['action'], why: string) => void;
