import { join } from 'node:path';
import type { Task } from '#documents/task.js';
import { openRepository, type Repository, type TreeFiles } from '#git/index.js';
import type { Progress } from '#kernel/events.js';
import { certain, Fault } from '#kernel/faults.js';
import { requireWritable, withTemporaryFolder } from '#store/index.js';
import { assembleParts, packagedSuite } from './assemble-parts.js';
import type { ConstructReport, ConstructRequest, SpecWriter } from './construct-request.js';
import { detectRunner, type PreparedEnvironment, prepareEnvironment } from './environments/index.js';
import { ownTestsPass } from './own-tests-pass.js';
import { requireFree, requireTaskId, writeTaskPackage } from './packaging/index.js';
import {
  assertStates,
  distinctiveLines,
  findWindow,
  type ReferenceStates,
  readStages,
  rebuildStates,
  requireRightStates,
  type StageWindow,
  type StateAssertion,
} from './references/index.js';
import { suiteFileRule } from './suite-files.js';
import { type ExtractedSuites, extractSuites } from './suites/index.js';
import { nameOfRepository, slugOf } from './task-names.js';

/** Longest run of a whole suite that is still used whole, unless the request says otherwise. */
const WHOLE_SUITE_MS = 600_000;

/**
 * Builds a task package from commits named by hand: reference states, environment, suites, specs, package. The source
 * repository is only read; nothing is left behind where a step refuses.
 * @throws Fault of the step that refused; the signal's reason
 */
export async function constructTask(
  request: ConstructRequest,
  specs: SpecWriter,
  progress: Progress,
): Promise<ConstructReport> {
  if (request.id !== undefined) {
    requireTaskId(request.id);
    await requireFree(join(request.outFolder, request.id));
  }
  await requireWritable(request.outFolder);
  return withTemporaryFolder('construct', async (temporary) => {
    const repository = await openRepository(request.repository, { writeTo: join(temporary, 'objects') });
    try {
      return await new Construction(request, specs, progress, repository).run();
    } finally {
      await repository.close();
    }
  });
}

class Construction {
  private readonly seconds: Record<string, number> = {};

  constructor(
    private readonly request: ConstructRequest,
    private readonly specs: SpecWriter,
    private readonly progress: Progress,
    private readonly repository: Repository,
  ) {}

  async run(): Promise<ConstructReport> {
    const { request, repository } = this;
    const { reference, assertions } = await this.step('reference states', () => this.rebuild());
    const titles = reference.stages.stages.map((stage) => stage.commits.at(-1)?.subject ?? '');
    const id = request.id ?? slugOf(`${nameOfRepository(request.repository)}-${request.title ?? titles[0] ?? ''}`);
    const folder = join(request.outFolder, id);
    await requireFree(folder);
    const initial = certain(reference.states[0], 'S_0').files;
    const runner = request.runner ?? (await detectRunner(repository, certain(reference.states.at(-1), 'S_n').files));
    const isSuiteFile = suiteFileRule(runner);
    const prepared = await this.step('environment', () => this.prepare(reference, initial, runner));
    const suites = await this.step('suites', () => this.extract(reference, prepared, { runner, isSuiteFile, titles }));
    assertions.push(...ownTestsPass(suites.observations, reference.states.length, touchedTests(reference)));
    requireRightStates(assertions);
    const written = await this.step('specs', () =>
      this.specs.write({ repository, reference, suites: suites.stages.map(packagedSuite), isSuiteFile, initial }),
    );
    const task = await this.step('package', async () => {
      const made = { id, runner, repository, reference, assertions, prepared, suites, specs: this.specs, written };
      return (await writeTaskPackage(folder, await assembleParts(request, made))).task;
    });
    const notes = [
      ...prepared.notes,
      `suites: ${suites.scope.kind}, ${suites.scope.files} test file(s), ${suites.scope.why}`,
    ];
    return { folder, task, layers: reference.layers, notes, seconds: this.seconds };
  }

  private async rebuild(): Promise<{ reference: ReferenceStates; assertions: StateAssertion[] }> {
    const { stages, checkpoint } = this.request;
    const named = { stages, ...(checkpoint === undefined ? {} : { checkpoint }) };
    const read = await readStages(this.repository, named);
    try {
      const reference = await rebuildStates(this.repository, read);
      const assertions = await assertStates(this.repository, reference);
      requireRightStates(assertions);
      return { reference, assertions };
    } catch (thrown) {
      if (!(thrown instanceof Fault) || !['removal-conflict', 'state-wrong'].includes(thrown.code)) throw thrown;
      throw withWindow(thrown, await findWindow(this.repository, named), this.request.chain);
    }
  }

  private async prepare(
    reference: ReferenceStates,
    initial: TreeFiles,
    runner: Task['runner'],
  ): Promise<PreparedEnvironment> {
    const own = await distinctiveLines(this.repository, reference, 0);
    const distinctive = reference.stages.stages.map(({ index }) =>
      own.filter(({ stage }) => stage === index).map(({ text }) => Buffer.from(text, 'latin1').toString('utf8')),
    );
    const { storeRoot, sandbox } = this.request;
    return prepareEnvironment({
      repository: this.repository,
      initial,
      runner,
      storeRoot,
      sandbox,
      label: this.label,
      signal: this.request.signal,
      distinctive,
    });
  }

  private extract(
    reference: ReferenceStates,
    prepared: PreparedEnvironment,
    known: { runner: Task['runner']; isSuiteFile: (path: string) => boolean; titles: string[] },
  ): Promise<ExtractedSuites> {
    const {
      sandbox,
      timeoutMs,
      perTestTimeoutMs,
      repeats,
      seed,
      parallel,
      wholeSuiteMs = WHOLE_SUITE_MS,
    } = this.request;
    const { runner, isSuiteFile, titles } = known;
    const changed = reference.rows.filter((row) => row.role === 'tests').map((row) => row.path);
    return extractSuites(
      {
        bench: {
          repository: this.repository,
          environment: prepared.environment,
          environmentFolder: prepared.folder,
          ...{ sandbox, runner, timeoutMs, perTestTimeoutMs, label: this.label },
          signal: this.request.signal,
        },
        states: reference.states.map(({ files }) => files),
        changedTestFiles: new Set(changed),
        ...{ isSuiteFile, repeats, seed, parallel, titles, wholeSuiteMs },
      },
      this.progress,
    );
  }

  private get label(): string {
    return `build-${process.pid}`;
  }

  /** One step, announced and timed. */
  private async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.request.signal?.throwIfAborted();
    const startedAt = performance.now();
    this.progress({ kind: 'step-started', step: name, total: null, unit: null });
    const result = await work();
    this.seconds[name] = (performance.now() - startedAt) / 1000;
    this.progress({ kind: 'step-ended', step: name, note: null });
    return result;
  }
}

/** Adds to a refusal which stages could be rebuilt without the others. */
function withWindow(fault: Fault, window: StageWindow | null, chain: ConstructRequest['chain']): Fault {
  if (window === null) return fault;
  const { code, kind, message, hint, context, cause } = fault;
  const first = chain?.window.from ?? 0;
  const how = chain === undefined ? 'name only these' : `give --stages ${first + window.from}-${first + window.to - 1}`;
  const part = `Stages ${window.from} to ${window.to - 1} alone, without --checkpoint, can be rebuilt: ${how}.`;
  return new Fault({ code, kind, message, cause, hint: `${part} Or: ${hint ?? ''}`, context: { ...context, window } });
}

/** Whether a test stands in a file that a stage changes; ids begin with the file. */
function touchedTests(reference: ReferenceStates): (testId: string) => boolean {
  const paths = reference.touched.flatMap((of) => [...of]).map((path) => `${path}::`);
  return (testId) => paths.some((path) => testId.startsWith(path));
}
