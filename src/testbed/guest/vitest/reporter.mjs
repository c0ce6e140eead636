// The vitest reporter that tells the supervisor what happens to every file and test. Works with versions 0.34 to 4: the
// older ones call onCollected, onTaskUpdate, onFinished; the newer ones onTestRunStart, onTestModule..., onTestRunEnd.
import { brokenSuitesOf, errorsOf, loadFailureOf, shown, statusOf, testsOf } from './task-facts.mjs';

export class EventReporter {
  /**
   * @param order {mode, perTestTimeoutMs}
   * @param keyOf path key of an absolute file name
   * @param send takes events
   */
  constructor(order, keyOf, send) {
    this.order = order;
    this.keyOf = keyOf;
    this.send = send;
    this.modern = false;
    this.asked = new Set();
    /** By project and file: its tests in order, and which have been told. */
    this.files = new Map();
    /** By vitest's id of a test. */
    this.byId = new Map();
    this.told = false;
    this.over = new Set();
  }

  // Common to all versions -----------------------------------------------------------------------------------------

  onInit(ctx) {
    this.ctx = ctx;
    for (const config of [ctx.config, ...(ctx.projects ?? []).map((project) => project.config)]) this.tame(config);
  }

  /**
   * The suite's own limit for a test instead of the runner's few seconds, which a busy machine exceeds; no repetition, no
   * early stop, whatever the workspace's projects say.
   */
  tame(config) {
    if (config === undefined) return;
    const limit = this.order.perTestTimeoutMs;
    Object.assign(config, {
      testTimeout: limit,
      hookTimeout: Math.max(limit, config.hookTimeout ?? 0),
      retry: 0,
      bail: 0,
    });
  }

  idOf(file) {
    return JSON.stringify([file.projectName || null, file.filepath]);
  }

  /** The file has been loaded (or could not be). */
  collected(file) {
    const id = this.idOf(file);
    const before = this.files.get(id);
    if (before !== undefined) return before;
    const held = {
      key: this.keyOf(file.filepath),
      project: file.projectName || null,
      tests: testsOf(file),
      told: new Set(),
    };
    this.files.set(id, held);
    this.send({ t: 'file-loaded', file: held.key });
    for (const test of held.tests) {
      const { task, path, ordinal } = test;
      this.byId.set(task.id, { held, test });
      this.send({ t: 'known', file: held.key, project: held.project, path, ordinal, raw: path.join(' > ') });
    }
    return held;
  }

  start(task) {
    const found = this.byId.get(task.id);
    if (found === undefined || this.order.mode === 'list') return;
    this.send({ t: 'test-start', file: found.held.key, project: found.held.project, path: found.test.path });
  }

  /**
   * Tells a test's status, if it has one and it has not been told.
   * @param final nothing further will be heard of it
   * @returns false while it has none
   */
  tell({ key: file, project, told }, test, final) {
    if (this.order.mode === 'list' || told.has(test)) return true;
    // Newer versions may hold another object for the same test than when it was collected.
    const task = this.ctx.state.idMap.get(test.task.id) ?? test.task;
    const verdict = statusOf({ ...test, task }, final);
    if (verdict === null) return false;
    told.add(test);
    const { status, failing, message = null } = verdict;
    const { path, ordinal } = test;
    const ms = task.result?.duration ?? null;
    this.send({ t: 'test-end', file, project, path, ordinal, status, failing, raw: path.join(' > '), ms, message });
    return true;
  }

  tellOf(task) {
    const found = this.byId.get(task.id);
    if (found !== undefined) this.tell(found.held, found.test, false);
  }

  ended(file) {
    const id = this.idOf(file);
    if (this.over.has(id)) return;
    this.over.add(id);
    const held = this.collected(file);
    const open = held.tests.filter((test) => !this.tell(held, test, true)).length;
    const { key, project } = held;
    const failure = loadFailureOf(file);
    if (open > 0) {
      // A worker that died takes its file with it; vitest goes on with the others.
      this.send({ t: 'file-failed', file: key, kind: 'crash', message: 'its worker ended before its tests were done' });
    } else if (failure?.kind === 'none') this.send({ t: 'trouble', file: key, message: failure.message });
    else if (failure !== null) this.send({ t: 'file-failed', file: key, kind: failure.kind, message: failure.message });
    else for (const error of errorsOf(file)) this.send({ t: 'trouble', file: key, message: shown(error) });
    for (const { path, message } of brokenSuitesOf(file)) {
      this.send({ t: 'group-end', file: key, project, path, failed: true, message });
    }
    this.send({ t: 'file-end', file: key });
  }

  finished(errors) {
    for (const file of this.ctx.state.getFiles()) this.ended(file);
    for (const error of errors ?? []) {
      const path = error?.VITEST_TEST_PATH;
      const file = typeof path === 'string' ? this.keyOf(path) : null;
      this.send({ t: 'trouble', file, message: `error outside any test: ${shown(error)}` });
    }
    const known = new Set([...this.files.values()].map(({ key }) => key));
    for (const path of this.asked) {
      const file = this.keyOf(path);
      if (!known.has(file))
        this.send({ t: 'file-failed', file, kind: 'crash', message: 'its worker ended before it was loaded' });
    }
    this.done();
  }

  /** Says that the run is over, once. */
  done() {
    if (!this.told) this.send({ t: 'reported' });
    this.told = true;
  }

  // Version 3 and later --------------------------------------------------------------------------------------------

  onTestRunStart(specifications) {
    this.modern = true;
    for (const { moduleId } of specifications) this.asked.add(moduleId);
  }

  onTestModuleQueued(module) {
    this.send({ t: 'file-start', file: this.keyOf(module.moduleId) });
  }

  onTestModuleCollected(module) {
    this.collected(module.task);
  }

  onTestCaseReady(test) {
    this.start(test.task);
  }

  onTestCaseResult(test) {
    this.tellOf(test.task);
  }

  onTestModuleEnd(module) {
    this.ended(module.task);
  }

  onTestRunEnd(_modules, errors) {
    this.finished(errors);
  }

  // Before version 3 -----------------------------------------------------------------------------------------------

  onPathsCollected(paths) {
    if (this.modern) return;
    for (const path of paths ?? []) this.asked.add(path);
  }

  onCollected(files) {
    if (this.modern) return;
    for (const file of files ?? []) this.collected(file);
  }

  onTaskUpdate(packs) {
    if (this.modern) return;
    for (const [id, result] of packs) {
      const task = this.ctx.state.idMap.get(id);
      if (task === undefined) continue;
      if (task.filepath !== undefined) {
        if (result?.state === 'pass' || result?.state === 'fail') this.ended(task);
      } else if (task.type !== 'suite') {
        if (result?.state === 'run') this.start(task);
        else this.tellOf(task);
      }
    }
  }

  onFinished(_files, errors) {
    if (!this.modern) this.finished(errors);
  }
}
