import type { Suite } from '#documents/suite.js';
import type { Mark } from '#documents/verdict.js';
import { folderOf, type Repository, type TreeFile, type TreeFiles } from '#git/index.js';
import { pathBytes, showPath } from '#kernel/bytes.js';
import type { SuiteFiles } from '#store/index.js';
import { runnerNamed } from '#testbed/index.js';
import { mergeManifest } from './merge-manifest.js';
import { isUncheckedBytecode, type ShadowPattern, shadowPatterns } from './shadow-patterns.js';
import { TreeDraft } from './tree-draft.js';

export interface ComposeRequest {
  repository: Repository;
  /** What the agent left. */
  snapshot: TreeFiles;
  suite: Suite;
  /** The suite's files, or those of an earlier stage laid over instead. */
  files: SuiteFiles;
  /** Reference states up to the one the suite belongs to, which is the last. What stands in one is no deed of the agent. */
  states: readonly TreeFiles[];
  /** Names of the packages that the environment brings. */
  installed: readonly string[];
}

export interface ComposedTree {
  files: TreeFiles;
  tree: string;
  marks: Mark[];
  /** A manifest that nobody can read: the agent's own fault, and nothing can be run. */
  unreadable: { path: string; why: string } | null;
}

/**
 * Composes what is graded: the agent's snapshot, without its own tests in the suite's roles, without what stands
 * before the runner, with manifests merged by field, under the suite's files.
 */
export async function composeTree(request: ComposeRequest): Promise<ComposedTree> {
  const composer = new Composer(request);
  composer.setAsideTests();
  await composer.resetSteering();
  const unreadable = await composer.mergeManifests();
  await composer.layOver();
  const { files } = composer.draft;
  return { files, tree: await request.repository.writeTree(files), marks: composer.marks, unreadable };
}

class Composer {
  readonly draft: TreeDraft;
  readonly marks: Mark[] = [];
  private readonly reference: TreeFiles;
  private readonly manifests: ReadonlySet<string>;
  private readonly runners: ReturnType<typeof runnerNamed>[];

  constructor(private readonly request: ComposeRequest) {
    this.draft = new TreeDraft(request.snapshot);
    this.reference = request.states.at(-1) ?? new Map();
    const names = [...new Set(request.suite.runs.map((run) => run.runner))];
    this.runners = names.map((name) => runnerNamed(name));
    this.manifests = new Set([
      ...request.suite.manifests.map((manifest) => manifest.path),
      ...this.runners.flatMap((runner) => Object.keys(runner.steeringFields)),
    ]);
  }

  /** Agent-made tests are graded by nobody; they stay in the snapshot as evidence. */
  setAsideTests(): void {
    const patterns = this.request.suite.setAside.map((pattern) => new RegExp(pattern));
    for (const [path, file] of [...this.draft.files]) {
      if (this.request.files.tests.has(path) || !patterns.some((pattern) => pattern.test(path))) continue;
      this.draft.remove(path);
      if (this.isAgents(path, file)) this.mark('overlaid', `${show(path)}: a test of the agent, set aside`);
    }
  }

  async resetSteering(): Promise<void> {
    const folders = [...new Set([...this.request.files.tests.keys()].map(folderOf))];
    const shadows = [
      ...new Set(this.runners.flatMap((runner) => shadowPatterns(runner.name, this.request.installed, folders))),
    ];
    const steering = this.runners.flatMap((runner) => runner.steeringFilePatterns);
    const roleOf = (path: string): ShadowPattern | null => {
      if (this.manifests.has(path) || this.request.files.tests.has(path)) return null;
      const shadow = shadows.find((candidate) => this.isShadow(candidate, path));
      if (shadow !== undefined) return shadow;
      const steers = steering.find((pattern) => pattern.test(path));
      return steers === undefined ? null : { pattern: steers, what: 'a file that steers the runner', silent: false };
    };
    const held = new Set(this.draft.files.keys());
    for (const [path, file] of [...this.draft.files]) {
      const role = roleOf(path);
      if (role === null) continue;
      const own = this.reference.get(path);
      if (own !== undefined && sameFile(own, file)) continue;
      if (own === undefined) this.draft.remove(path);
      else this.place(path, own);
      if (!this.isAgents(path, file)) continue;
      if (!role.silent || (await this.isUnchecked(path, file)))
        this.mark('reset', `${show(path)}: ${role.what}, ${own === undefined ? 'removed' : 'as in the reference'}`);
    }
    // Only what the agent was given can have been removed by it: files of later stages never reach its workspace.
    const given = this.request.states[0];
    for (const [path, own] of this.reference) {
      if (held.has(path) || roleOf(path) === null) continue;
      this.place(path, own);
      if (given?.has(path)) this.mark('reset', `${show(path)}: removed by the agent, put back`);
    }
  }

  private isShadow({ pattern, isModule }: ShadowPattern, path: string): boolean {
    const place = pattern.exec(path)?.[1];
    if (place === undefined || isModule !== true) return pattern.test(path);
    return !this.request.states.some((state) =>
      [...state.keys()].some((known) => known.startsWith(`${place}/`) || known.startsWith(`${place}.`)),
    );
  }

  /** @returns the first manifest that cannot be read */
  async mergeManifests(): Promise<ComposedTree['unreadable']> {
    const { repository, files, states, suite } = this.request;
    for (const { path, format, fields, content } of this.manifestRows(suite, files)) {
      const agent = this.draft.get(path);
      const isLink = agent !== undefined && agent.mode !== '100644' && agent.mode !== '100755';
      if (isLink) {
        this.mark('reset', `${show(path)}: a link in place of a manifest`);
        this.draft.remove(path);
      }
      const reference = content ?? (await this.blobAt(this.reference, path));
      const known = await Promise.all(states.map((state) => this.blobAt(state, path)));
      const left = agent === undefined || isLink ? null : await repository.readBlob(agent.oid);
      const merged = mergeManifest({
        ...{ format, fields, agent: left, reference },
        known: known.filter((text) => text !== null),
      });
      if ('unreadable' in merged) {
        this.mark('reset', `${show(path)}: cannot be read, so nothing can be taken from it`);
        return { path, why: merged.unreadable };
      }
      for (const field of merged.reset) this.mark('reset', `${show(path)}: field ${field} as in the reference`);
      if (merged.content === null) this.draft.remove(path);
      else if (left === null || !merged.content.equals(left)) {
        const mode = agent?.mode === '100755' ? '100755' : '100644';
        this.place(path, { mode, oid: await repository.writeBlob(merged.content) });
      }
    }
    return null;
  }

  async layOver(): Promise<void> {
    const { repository, files, snapshot, states } = this.request;
    const given = states[0];
    for (const [path, { executable, content }] of files.tests) {
      const file: TreeFile = {
        mode: executable ? '100755' : '100644',
        oid: await repository.writeBlob(content),
      };
      const left = snapshot.get(path);
      if (left === undefined && given?.has(path) === true && !this.draft.files.has(path))
        this.mark('overlaid', `${show(path)}: removed by the agent, put back`);
      else if (left !== undefined && left.mode !== '120000' && !sameFile(left, file) && this.isAgents(path, left))
        this.mark('overlaid', `${show(path)}: changed by the agent`);
      this.place(path, file);
    }
  }

  /** The suite's manifests, then those that the runner knows and the suite does not bring. */
  private *manifestRows(suite: Suite, files: SuiteFiles) {
    for (const { path, format, fields } of suite.manifests)
      yield { path, format, fields: withName(path, fields), content: files.manifests.get(path)?.content ?? null };
    const listed = new Set(suite.manifests.map((manifest) => manifest.path));
    for (const runner of this.runners) {
      for (const [path, { format, fields }] of Object.entries(runner.steeringFields)) {
        if (listed.has(path) || files.tests.has(path)) continue;
        if (this.draft.get(path) === undefined && !this.reference.has(path)) continue;
        listed.add(path);
        yield { path, format, fields: withName(path, fields), content: null };
      }
    }
  }

  private place(path: string, file: TreeFile): void {
    for (const cleared of this.draft.place(path, file))
      this.mark('reset', `${show(cleared.path)}: ${cleared.what} in the way of a file of the suite`);
  }

  private async blobAt(state: TreeFiles, path: string): Promise<Buffer | null> {
    const file = state.get(path);
    if (file === undefined || file.mode === '120000' || file.mode === '160000') return null;
    return this.request.repository.readBlob(file.oid);
  }

  private async isUnchecked(path: string, file: TreeFile): Promise<boolean> {
    return path.endsWith('.pyc') && isUncheckedBytecode(path, await this.request.repository.readBlob(file.oid));
  }

  private isAgents(path: string, file: TreeFile): boolean {
    return !this.request.states.some((state) => {
      const known = state.get(path);
      return known !== undefined && sameFile(known, file);
    });
  }

  private mark(kind: Mark['mark'], what: string): void {
    this.marks.push({ mark: kind, what, changedVerdict: null });
  }
}

/** A package resolves its own name to itself: one that is called like the runner stands before it. */
function withName(path: string, fields: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return /(?:^|\/)package\.json$/.test(path) ? [...fields, ['name']] : fields;
}

function sameFile(one: TreeFile, other: TreeFile): boolean {
  return one.oid === other.oid && one.mode === other.mode;
}

function show(path: string): string {
  return showPath(pathBytes(path));
}
