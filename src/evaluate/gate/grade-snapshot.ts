import type { Suite } from '#documents/suite.js';
import type { Verdict } from '#documents/verdict.js';
import type { Repository, TreeFiles } from '#git/index.js';
import { type Clock, instantOf } from '#kernel/clock.js';
import { digestOfJson } from '#kernel/ids.js';
import { seededRandom } from '#kernel/random.js';
import type { Limits, SandboxKind } from '#sandbox/index.js';
import type { SuitePlace, TaskPackage } from '#store/index.js';
import type { TestOrder } from '#testbed/index.js';
import { type ComposedTree, composeTree } from './compose-tree.js';
import { gradeReference } from './control-grading.js';
import { type Control, deriveVerdict, tamperingOf } from './derive-verdict.js';
import { drawTwins } from './draw-twins.js';
import { rerunWithEarlierTests } from './earlier-tests.js';
import type { Grading } from './grading.js';
import { type CacheKey, GradingCache } from './grading-cache.js';
import { type GradingPlace, type RanGrading, runGrading } from './run-grading.js';

/** Changes whenever a verdict could come out otherwise for the same tree: it is part of every cache key. */
export const GRADER_VERSION = 'gate@1';

export interface GradeRequest {
  package: TaskPackage;
  stage: SuitePlace;
  /** Holds the snapshot's tree and the task's reference states. */
  repository: Repository;
  snapshotTree: string;
  agent: string;
  attempt: number;
  round: number;
  sandbox: { kind: SandboxKind; limits: Limits };
  /** The environment's content on the host; null for the empty one. */
  environmentFolder: string | null;
  /** Inside the experiment; null: nothing is read from a cache or kept in one. */
  cacheFolder: string | null;
  seed: string;
  /** The verdict that this one renews. */
  derivedFrom: string | null;
  clock: Clock;
  /** Label of the sandboxes, by which a dead harness's leftovers are found. */
  label: string;
  /** `false` only to show what the guard is for; `all` to try every twin of the suite at once. */
  twins: boolean | 'all';
  /** Gradings that a failing suite gets in all; 3 where not given, of which the majority counts. */
  gradings?: 1 | 3;
  /** Index of the reference state whose behaviour is due, where it is not the one right after `stage`. */
  stateIndex?: number;
  /** Ends what runs and throws. */
  signal?: AbortSignal | undefined;
}

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Grades what an agent left, on a copy, in fresh sandboxes.
 * @returns the verdict, and the tail of what the suites printed
 * @throws Fault (environment) where no sandbox can be had, (input) where the package or repository is damaged
 */
export async function gradeSnapshot(request: GradeRequest): Promise<{ verdict: Verdict; output: Buffer }> {
  const startedAt = request.clock.monotonicMs();
  const grader = await Grader.prepare(request);
  const graded = await grader.grade();
  const { suite } = grader;
  const derived = deriveVerdict({
    ...{ suite, stateIndex: grader.stateIndex, gradings: graded.gradings, control: graded.control },
    marks: grader.composed.marks,
  });
  const gradedAt = instantOf(request.clock);
  const run = { agent: request.agent, task: request.package.task.id, attempt: request.attempt };
  const position = { stage: request.stage, round: request.round };
  const verdict: Verdict = {
    id: digestOfJson({ run, position, tree: request.snapshotTree, seed: request.seed, gradedAt }).slice(7, 23),
    derivedFrom: request.derivedFrom,
    ...run,
    ...position,
    snapshot: request.snapshotTree,
    gradedTree: grader.composed.tree,
    gateDigest: suite.gateDigest,
    environment: request.package.environment.digest,
    grader: GRADER_VERSION,
    sandbox: request.sandbox.kind,
    ...derived,
    control: derived.control === null ? null : { ...derived.control },
    gradings: graded.gradings.map(({ seed, order, cached, exitCode, failure, seconds }) => ({
      ...{ seed, order, cached, exitCode, failure, seconds },
    })),
    gradedAt,
    seconds: (request.clock.monotonicMs() - startedAt) / 1000,
  };
  return { verdict, output: graded.output.subarray(-MAX_OUTPUT_BYTES) };
}

interface GraderParts {
  request: GradeRequest;
  suite: Suite;
  stateIndex: number;
  states: TreeFiles[];
  composed: ComposedTree;
}

class Grader {
  readonly suite: Suite;
  readonly stateIndex: number;
  readonly composed: ComposedTree;
  private readonly cache: GradingCache;
  private readonly place: GradingPlace;

  private constructor(private readonly parts: GraderParts) {
    const { request } = parts;
    this.suite = parts.suite;
    this.stateIndex = parts.stateIndex;
    this.composed = parts.composed;
    this.cache = new GradingCache(request.cacheFolder);
    this.place = {
      repository: request.repository,
      environment: request.package.environment,
      environmentFolder: request.environmentFolder,
      sandbox: request.sandbox,
      label: request.label,
      signal: request.signal,
      clock: request.clock,
    };
  }

  static async prepare(request: GradeRequest): Promise<Grader> {
    const { package: task, repository, stage } = request;
    const suite = task.suite(stage);
    const own = stage === 'chain' ? task.task.stages.length : stage + 1;
    const states = await Promise.all(task.states.slice(0, own + 1).map((state) => repository.files(state)));
    const composed = await composeTree({
      ...{ repository, suite, states, files: await task.suiteFiles(stage) },
      snapshot: await repository.files(request.snapshotTree),
      installed: Object.keys(task.environment.recipe.packages),
    });
    return new Grader({ request, suite, states, composed, stateIndex: request.stateIndex ?? own });
  }

  /** Once where the suite passes or was forged; else twice more, in another order. */
  async grade(): Promise<{ gradings: Grading[]; control: Control | null; output: Buffer }> {
    const { unreadable } = this.composed;
    if (unreadable !== null) {
      const grading = unreadableGrading(this.suite, `${unreadable.path} cannot be read: ${unreadable.why}`);
      return { gradings: [grading], control: null, output: Buffer.from(`${grading.evidence}\n`) };
    }
    const gradings: Grading[] = [];
    const outputs: Buffer[] = [];
    let control: Control | null = null;
    for (let repeat = 0; repeat < (this.parts.request.gradings ?? 3); repeat += 1) {
      const { grading, output } = await this.gradeOnce(repeat);
      gradings.push(grading);
      outputs.push(Buffer.from(`== grading ${repeat + 1}, order ${grading.order} ==\n`), output, Buffer.from('\n'));
      if (tamperingOf(grading).length > 0) break;
      if (grading.failure !== null) {
        control ??= await gradeReference(this.place, this.cache, this.parts, GRADER_VERSION);
        if (!control.valid) break;
      }
      if (repeat === 0 && this.passes(grading)) break;
    }
    return { gradings, control, output: Buffer.concat(outputs) };
  }

  private passes(grading: Grading): boolean {
    const { f2p, p2p, failure } = deriveVerdict({
      ...{ suite: this.suite, stateIndex: this.stateIndex, gradings: [grading], control: null, marks: [] },
    });
    return failure === null && f2p !== false && p2p === true;
  }

  private async gradeOnce(repeat: number): Promise<RanGrading> {
    const { request } = this.parts;
    const seed = `${request.seed}/${repeat}`;
    const key: CacheKey = {
      gradedTree: this.composed.tree,
      gateDigest: this.suite.gateDigest,
      environment: this.place.environment.digest,
      grader: GRADER_VERSION,
      sandbox: request.sandbox.kind,
      limits: request.sandbox.limits,
      seed,
      twins: request.twins,
    };
    const known = await this.cache.find(key);
    if (known !== null) return known;
    // Nobody inside can know the digest, so nobody can foresee the draw from the seed.
    const secret = `${seed}/${this.suite.gateDigest}/${this.composed.tree}`;
    const files = request.twins === false ? new Map() : (await request.package.suiteFiles(request.stage)).tests;
    const drawn = drawTwins(this.suite, files, seededRandom(`${secret}/twins`), request.twins === 'all');
    const tree = new Map(this.composed.files);
    for (const [path, { executable, content }] of drawn.files) {
      const oid = await request.repository.writeBlob(content);
      tree.set(path, { mode: executable ? '100755' : '100644', oid });
    }
    const order = { suite: this.suite, tree, twins: drawn.twins, seed, order: orderOf(repeat, secret) };
    const ran = await rerunWithEarlierTests(this.place, this.parts, order, await runGrading(this.place, order));
    await this.cache.keep(key, ran);
    return ran;
  }
}

function orderOf(repeat: number, seed: string): TestOrder {
  if (repeat === 0) return { kind: 'listed' };
  return repeat === 1 ? { kind: 'reversed' } : { kind: 'shuffled', seed: digestOfJson(seed).slice(7, 19) };
}

function unreadableGrading(suite: Suite, evidence: string): Grading {
  return {
    ...{ seed: '', order: 'none', cached: false, exitCode: null, failure: 'compile', evidence, timedOut: false },
    tests: suite.tests.map(({ id }) => ({
      ...{ id, status: 'missing' as const, durationMs: null, message: evidence, fileEnded: false },
    })),
    ...{ twins: [], tampering: [], suspicions: [], seconds: 0 },
  };
}
