import type { Run } from './run.js';

/** One thing counted: a number in [0, 1], or null where its verdict is unknown. */
export type Observation = number | null;

/** One column of a table: what a run contributes to it, and what it means. Each metric is one file. */
export interface Metric {
  readonly id: string;
  /** Column heading. */
  readonly short: string;
  readonly label: string;
  /** One sentence for the reader of a report. */
  readonly definition: string;
  /** What is counted. */
  readonly unit: 'run' | 'stage';
  /** Which end is the better one; null where neither is. */
  readonly better: 'higher' | 'lower' | null;
  /** What a finished run contributes; empty where the run does not meet the metric's condition. */
  observe(run: Run): readonly Observation[];
}

/** Metrics that are read side by side. */
export interface MetricTable {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  /** The fields of a results file that the table cannot do without, in words. */
  readonly needs: string;
  readonly metrics: readonly Metric[];
}
