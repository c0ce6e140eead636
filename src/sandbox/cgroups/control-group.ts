/** A kernel control group made for one sandbox: holds limits, freezes, counts. */
export interface ControlGroup {
  /** Limits that the kernel holds for the group. */
  enforced: { pids: boolean; memory: boolean; cpus: boolean };
  /** Files into which a process writes `0` to join the group (before it starts anything). */
  joinFiles: readonly string[];
  /** Host process numbers in the group. */
  pids(): Promise<number[]>;
  /** Stops every process where it stands; false where the kernel cannot. */
  freeze(): Promise<boolean>;
  thaw(): Promise<void>;
  /** Lets processes that have been sent SIGKILL die though the group is frozen. */
  releaseToDie(pids: readonly number[]): Promise<void>;
  usage(): Promise<GroupUsage>;
  /** Kills whatever is inside and removes the group. */
  remove(): Promise<void>;
}

export interface GroupUsage {
  /** Processes of the group that the kernel killed for memory. */
  oomKills: number | null;
  peakMemoryBytes: number | null;
  cpuMs: number | null;
}

export interface GroupLimits {
  pids: number | null;
  memoryBytes: number | null;
  cpus: number | null;
}

/** The folder under each hierarchy's root in which all our groups live. */
export const GROUPS_FOLDER = 'featurearc';
