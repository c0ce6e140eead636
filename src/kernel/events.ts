/** Progress is one stream of events; the terminal, the journal and the page listen to it. */
export type ProgressEvent =
  | { kind: 'step-started'; step: string; total: number | null; unit: string | null }
  | { kind: 'step-advanced'; step: string; done: number; total: number | null; note: string | null }
  | { kind: 'step-ended'; step: string; note: string | null }
  | { kind: 'notice'; level: 'info' | 'warning'; message: string };

export type Progress = (event: ProgressEvent) => void;

/** For callers that watch nothing. */
export const silentProgress: Progress = () => undefined;
