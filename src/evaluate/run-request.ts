import type { AgentConfiguration } from '#documents/experiment.js';
import type { Verdict } from '#documents/verdict.js';
import type { Slots } from '#kernel/async.js';
import type { Clock } from '#kernel/clock.js';
import type { Progress } from '#kernel/events.js';
import type { Fault } from '#kernel/faults.js';
import type { GradeRequest } from './gate/index.js';
import type { Plan, PlannedTask } from './plan/index.js';

/** How the operator ends a run early. */
export interface Stop {
  /** Finish the stage and the gates at work, then stop. */
  soon: AbortSignal;
  /** Stop at once, with nothing left running. */
  now: AbortSignal;
}

export type GradeSnapshot = (request: GradeRequest) => Promise<{ verdict: Verdict; output: Buffer }>;

/** Places between two effects of a run, by name. Tests make a run die at any of them. */
export type FaultPoint = (name: string) => void;

/** What all runs of one experiment share. */
export interface RunConditions {
  plan: Plan;
  toolVersion: string;
  clock: Clock;
  progress: Progress;
  stop: Stop;
  grade: GradeSnapshot;
  /** How many gates are held at once. */
  gateSlots: Slots;
  faultPoint: FaultPoint;
}

/** One agent on one task, one attempt. */
export interface RunRequest extends RunConditions {
  agent: AgentConfiguration;
  task: PlannedTask;
  attempt: number;
}

/** How a process's work on a run ended. What came of the run is in its journal. */
export interface RunReport {
  agent: string;
  task: string;
  attempt: number;
  /** `complete`: nothing is left to do · `parked`: waits for outside reasons · `interrupted`: by the operator · `failed`: a file is wrong */
  end: 'complete' | 'parked' | 'interrupted' | 'failed';
  /** An earlier process had begun it. */
  resumed: boolean;
  /** What parked it or made it fail. */
  fault: Fault | null;
}
