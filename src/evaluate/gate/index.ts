/** Grades snapshots: composes the tree, lays the hidden suite over it, runs it where nothing can talk it into a verdict. */
export { GRADER_VERSION, type GradeRequest, gradeSnapshot } from './grade-snapshot.js';
