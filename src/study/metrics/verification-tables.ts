import { CALL_BINS, f2pByCompaction } from './compaction.js';
import { allCriteria, f2pGivenCriteria } from './criteria-alignment.js';
import { fileRevisiting } from './file-revisiting.js';
import { inheritedFailure, measuredInheritance, runsWithInheritedFailure } from './inherited-failure.js';
import type { MetricTable } from './metric.js';
import { fixedOfNoticed, missedPrior } from './prior-awareness.js';
import { endsGreen, f2pGivenSelfTest } from './self-test.js';
import { f2pBySpecWords, WORD_BINS } from './spec-words.js';
import { compileFailure, interfaceMismatch, missingNamesIn } from './suite-failure.js';

/** Tables that read more of a results file than its verdicts: what agents inherit, notice, check and miss. */
export const VERIFICATION_TABLES: readonly MetricTable[] = [
  {
    id: 'verification',
    title: 'Inherited errors and self-verification',
    note: 'Labels as adjudicated, else by majority of the judges.',
    needs: 'label lines inheritance, priorAwareness and criteriaAlignment; selfTest of stage lines',
    metrics: [
      inheritedFailure('any'),
      missedPrior,
      allCriteria,
      endsGreen,
      f2pGivenSelfTest('green'),
      f2pGivenSelfTest('red'),
    ],
  },
  {
    id: 'inheritance',
    title: 'Inheritance, awareness, revisited files',
    note: 'A stage that could not be replayed is unknown to the measured share.',
    needs:
      'label lines inheritance and priorAwareness; inheritance lines; changedFiles and revisitedFiles of stage lines',
    metrics: [
      inheritedFailure('full'),
      inheritedFailure('partial'),
      runsWithInheritedFailure,
      measuredInheritance,
      fixedOfNoticed,
      fileRevisiting,
    ],
  },
  {
    id: 'self-tests',
    title: 'F2P by self-test and previous gate',
    note: null,
    needs: 'selfTest of stage lines',
    metrics: [
      f2pGivenSelfTest('green', 'passed'),
      f2pGivenSelfTest('green', 'failed'),
      f2pGivenSelfTest('red', 'passed'),
      f2pGivenSelfTest('red', 'failed'),
    ],
  },
  {
    id: 'criteria',
    title: 'F2P by aim of the checks',
    note: null,
    needs: 'label lines criteriaAlignment',
    metrics: [f2pGivenCriteria('all'), f2pGivenCriteria('some')],
  },
  {
    id: 'suite-failures',
    title: 'Suites that do not compile',
    note: null,
    needs: 'failure, interfaceMismatch and missingNames of stage lines',
    metrics: [compileFailure, interfaceMismatch, missingNamesIn('current-spec'), missingNamesIn('earlier-spec')],
  },
  {
    id: 'spec-words',
    title: 'F2P by words of specification so far',
    note: null,
    needs: 'cumulativeSpecWords of stage lines',
    metrics: WORD_BINS.map(f2pBySpecWords),
  },
  {
    id: 'compaction',
    title: 'F2P by compaction of the context',
    note: null,
    needs: 'toolCalls, contextMeasured and compacted of stage lines',
    metrics: CALL_BINS.flatMap((bin) => [f2pByCompaction(bin, false), f2pByCompaction(bin, true)]),
  },
];
