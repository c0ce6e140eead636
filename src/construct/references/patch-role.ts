import { classifyPath, isChangelog, isHousekeeping, isVersionFile } from '#languages/index.js';
import { type PathChange, pathOf } from './stages.js';

/** What a file patch of a chain commit is to the feature (as in provenance.json). */
export type PatchRole = 'feature' | 'tests' | 'dependency' | 'unrelated' | 'behaviour-free';

/** How a patch is taken out of the states before its stage. */
export type Treatment =
  /** Removed; a conflict is a conflict. */
  | 'remove'
  /** Prose: removed, and where later text overlaps, back to the words before the feature. */
  | 'prose'
  /** Stays as in the checkpoint, the same in all states. */
  | 'keep';

export interface PatchVerdict {
  role: PatchRole;
  treatment: Treatment;
  why: string;
}

/** Labels one file patch by rules over its path. */
export function labelPatch(change: PathChange): PatchVerdict {
  const path = pathOf(change);
  if (isVersionFile(path)) return keep('behaviour-free', 'version file: the checkpoint’s in all states');
  if (isChangelog(path)) return { role: 'behaviour-free', treatment: 'prose', why: 'changelog' };
  if (isHousekeeping(path)) return keep('unrelated', 'configuration of services and editors');
  switch (classifyPath(path)) {
    case 'lock':
      return keep('behaviour-free', 'lock file: the checkpoint’s in all states');
    case 'docs':
      return { role: 'behaviour-free', treatment: 'prose', why: 'documentation' };
    case 'test':
    case 'fixture':
      return { role: 'tests', treatment: 'remove', why: 'test or what tests read' };
    case 'build':
    case 'vendored':
      return { role: 'dependency', treatment: 'remove', why: 'manifest, build or vendored file' };
    case 'source':
      return { role: 'feature', treatment: 'remove', why: 'source' };
    case 'generated':
    case 'binary':
    case 'other':
      return { role: 'feature', treatment: 'remove', why: 'changed together with the source' };
  }
}

function keep(role: PatchRole, why: string): PatchVerdict {
  return { role, treatment: 'keep', why };
}
