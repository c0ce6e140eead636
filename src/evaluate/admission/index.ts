/** Admits tasks: what `check` looks at, what gradings of reference and no-op must come to, and what it says otherwise. */
export { findAgentSettings } from './agent-settings.js';
export { type CheckReport, type Finding, reportOf } from './finding.js';
export { inspectSuites } from './inspect-suites.js';
export { type AdmissionCase, judgeGrading } from './judge-gradings.js';
export { ownTestFor } from './own-test.js';
