/** Owner of what is not the chain's. */
export const BASE = -1;

/** One edit: a run of lines written at once. */
export interface EditFacts {
  /** Lines that it took away. */
  replaced: readonly Atom[];
  /** How many of its own lines still live. */
  left: number;
}

/** One line's life. */
export interface Atom {
  text: string;
  /**
   * Position of the chain commit without which the line would not be: its author, or the author of the lines that
   * later work wrote it into.
   */
  owner: number;
  /** Two lines of one edit enclose what belongs to it. */
  edit: EditFacts;
  /** Owner of the edit that removed it; null while it lives. */
  endedBy: number | null;
  /** Later work wrote it into lines of the chain. */
  adopted: boolean;
}

/** An edit of later work that is part of the chain's lines and part of others': between these positions nobody knows. */
export interface Entangled {
  /** States without the commits from this one on are certain again. */
  lowest: number;
  highest: number;
  lines: readonly string[];
}

/** A run of lines that a version replaced by others. */
export interface Edit {
  removed: readonly Atom[];
  texts: readonly string[];
  /** Neighbours that stay. */
  previous: Atom | null;
  next: Atom | null;
}
