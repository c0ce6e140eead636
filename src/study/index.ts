/** Act three: from results to findings and reports. Reads results lines, runs nothing. */
export type { StudySettings } from './compose-findings.js';
export type { StudyFilter } from './metrics/index.js';
export {
  REPORT_FORMATS,
  type ReportFormat,
  type Study,
  type StudyRequest,
  studyExperiment,
} from './study-experiment.js';
