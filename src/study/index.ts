/** Act three: from results to findings and reports. Reads results lines, runs nothing. */
export { composeFindings, STUDY_DEFAULTS, type StudySettings } from './compose-findings.js';
export type { StudyFilter } from './metrics/index.js';
export {
  REPORT_FORMATS,
  type ReportFormat,
  readResultsFile,
  type Study,
  type StudyRequest,
  studyExperiment,
} from './study-experiment.js';
