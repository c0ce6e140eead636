import type { Repository } from '#git/index.js';
import { storyOf } from './file-story.js';
import type { PathHistory } from './locate-files.js';
import type { ReferenceStates } from './rebuild-states.js';
import { chainCommits } from './stages.js';

/** Finds out who wrote a line of a state: somebody of their own accord, or a move of the chain's code. */
export class LineOrigins {
  private readonly counts = new Map<string, Promise<number>>();
  private readonly stageOf: ReadonlyMap<string, number>;

  constructor(
    private readonly repository: Repository,
    private readonly reference: ReferenceStates,
  ) {
    this.stageOf = new Map(chainCommits(reference.stages.stages).map(({ commit, stage }) => [commit.oid, stage]));
  }

  /**
   * True where every commit that added the line (trimmed) to the file is an earlier stage's, or later work that took it
   * from no other file. False also where history cannot tell.
   */
  async isIndependent(path: string, text: string, state: number): Promise<boolean> {
    const history = await this.reference.history();
    if (history === null) return false;
    const story = storyOf(history, history.changes.length - 1, this.checkpointPath(path));
    let before = 0;
    for (const [index, { step, oid }] of story.entries()) {
      const now = await this.count(oid, text);
      const grew = now > before && (index > 0 || step >= 0);
      before = now;
      if (!grew) continue;
      const stage = this.stageOf.get(history.steps[step]?.commit ?? '');
      if (stage === undefined ? await this.isMove(history, step, text) : stage >= state) return false;
    }
    return true;
  }

  private checkpointPath(path: string): string {
    for (const [origin, now] of this.reference.moved) if (now === path) return origin;
    return path;
  }

  /** True where the same commit took the line out of some file. */
  private async isMove(history: PathHistory, step: number, text: string): Promise<boolean> {
    for (const { before, after } of history.changes[step] ?? []) {
      const [old, now] = [await this.count(before?.oid ?? null, text), await this.count(after?.oid ?? null, text)];
      if (now < old) return true;
    }
    return false;
  }

  private count(oid: string | null, text: string): Promise<number> {
    if (oid === null) return Promise.resolve(0);
    const key = `${oid} ${text}`;
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const counted = this.repository.read(oid).then((object) => {
      if (object === null || object.type !== 'blob') return 0;
      return object.content
        .toString('latin1')
        .split('\n')
        .filter((line) => line.trim() === text).length;
    });
    this.counts.set(key, counted);
    return counted;
  }
}
