/** A run's journal and what derives from it: where a run stands, run.json, results.jsonl. */
export { deriveResults, readExperimentDocument, readRuns, writeResults } from './derive-results.js';
export { type GatePlace, nextAttempt, type OpenStage, type RunState } from './fold-run.js';
export { readVerdict, readVerdicts } from './read-verdicts.js';
export { type RunFacts, runOutcome, stageOutcome } from './result-lines.js';
export { openRunJournal, type RunJournal, readRunState } from './run-journal.js';
