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
    /** By project and file: tests in order, what they were meant to do, and which have been told. */
    this.files = new Map();
    this.over = new Set();
  }

  // Common to all versions -----------------------------------------------------------------------------------------

  onInit(ctx) {
    this.ctx = ctx;
    for (const config of [ctx.config, ...(ctx.projects ?? []).map((project) => project.config)])
      this.capTimeouts(config);
  }

  /** The project's own limits stay, but for those that would let a test outlive the watch. */
  capTimeouts(config) {
    if (config === undefined) return;
    for (const name of ['testTimeout', 'hookTimeout']) {
      const limit = config[name];
      if (typeof limit === 'number' && (limit === 0 || limit > this.order.perTestTimeoutMs)) {
        config[name] = this.order.perTestTimeoutMs;
      }
    }
  }

  idOf(file) {
    return JSON.stringify([file.projectName || null, file.filepath]);
  }

  /** The file has been loaded (or could not be). */
  collected(file) {
    const id = this.idOf(file);
    if (this.files.has(id)) return;
    const key = this.keyOf(file.filepath);
    const project = file.projectName || null;
    const tests = testsOf(file);
    const meant = new Map(
      tests.map(({ task }) => [task.id, task.mode === 'run' || task.mode === 'only' || task.mode === 'queued']),
    );
    this.files.set(id, { key, project, meant, told: new Set() });
    this.send({ t: 'file-loaded', file: key });
    for (const { path, ordinal } of tests) {
      this.send({ t: 'known', file: key, project, path, ordinal, raw: path.join(' > ') });
    }
  }

  /** Tells every test of a file that has a status and has not been told. */
  tell(file) {
    if (this.order.mode === 'list') return;
    const held = this.files.get(this.idOf(file));
    if (held === undefined) return;
    for (const test of testsOf(file)) {
      const { task, path, ordinal } = test;
      if (held.told.has(task.id)) continue;
      const verdict = statusOf(test, held.meant.get(task.id) ?? true);
      if (verdict === null) continue;
      held.told.add(task.id);
      const { status, failing, message = null } = verdict;
      const ms = task.result?.duration ?? null;
      const raw = path.join(' > ');
      this.send({
        t: 'test-end',
        file: held.key,
        project: held.project,
        path,
        ordinal,
        status,
        failing,
        raw,
        ms,
        message,
      });
    }
  }

  ended(file) {
    const id = this.idOf(file);
    if (this.over.has(id)) return;
    this.collected(file);
    this.tell(file);
    this.over.add(id);
    const { key, project } = this.files.get(id);
    const failure = loadFailureOf(file);
    if (failure?.kind === 'none') this.send({ t: 'trouble', file: key, message: failure.message });
    else if (failure !== null) this.send({ t: 'file-failed', file: key, kind: failure.kind, message: failure.message });
    else for (const error of errorsOf(file)) this.send({ t: 'trouble', file: key, message: shown(error) });
    for (const { path, message } of brokenSuitesOf(file)) {
      this.send({ t: 'group-end', file: key, project, path, failed: true, message });
    }
    this.send({ t: 'file-end', file: key });
  }

  finished(errors) {
    for (const file of this.ctx.state.getFiles()) {
      const state = file.result?.state;
      if (state === 'run' || state === 'queued') this.lost(file);
      else this.ended(file);
    }
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
    this.send({ t: 'reported' });
  }

  /** A worker that died takes its file with it; vitest goes on with the others. */
  lost(file) {
    this.collected(file);
    this.tell(file);
    const { key } = this.files.get(this.idOf(file));
    this.over.add(this.idOf(file));
    this.send({ t: 'file-failed', file: key, kind: 'crash', message: 'its worker ended before its tests were done' });
  }

  start(task) {
    if (this.order.mode === 'list') return;
    const titles = [];
    let file = null;
    for (let at = task; at !== undefined; at = at.suite ?? (at === at.file ? undefined : at.file)) {
      if (at.filepath !== undefined) {
        file = at;
        break;
      }
      titles.unshift(at.name);
    }
    const held = file === null ? undefined : this.files.get(this.idOf(file));
    if (held === undefined) return;
    this.send({ t: 'test-start', file: held.key, project: held.project, path: titles });
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
    this.tell(test.task.file);
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
        else this.tell(task.file ?? this.fileOf(task));
      }
    }
  }

  fileOf(task) {
    let at = task;
    while (at.filepath === undefined && at.suite !== undefined) at = at.suite;
    return at;
  }

  onFinished(_files, errors) {
    if (!this.modern) this.finished(errors);
  }
}
