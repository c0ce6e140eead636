/** Decides which snapshots of finished runs are graded again, and why. */
export { type GateSubject, snapshotsToGrade } from './snapshots-to-grade.js';
export { type GateDue, whyStale } from './why-stale.js';
