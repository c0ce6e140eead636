/** One thing that `check` has to say about a task. */
export interface CheckFinding {
  /** Stable kebab-case name of the kind of finding. */
  code: string;
  /** A refusal makes the task unfit; a note is for the reader. */
  severity: 'refusal' | 'note';
  /** File of the package, relative to its folder, or path in the workspace. */
  file: string;
  /** Field or line in it; null where the whole file is meant. */
  field: string | null;
  message: string;
  /** What to do about it. */
  hint: string;
}
