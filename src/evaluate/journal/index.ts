/** A run's journal and what derives from it: where a run stands, run.json, results.jsonl. */
export { readExperimentDocument, writeResults } from './derive-results.js';
export { type GatePlace, nextAttempt, type OpenStage, type RunState } from './fold-run.js';
export { readVerdicts } from './read-verdicts.js';
export { openRunJournal, type RunJournal, readRunState } from './run-journal.js';
