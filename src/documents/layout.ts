import { join } from 'node:path';

/** The map of the disk: every path of a task package, from its folder. */
export function taskLayout(task: string) {
  const stagePublic = (stage: number) => join(task, 'stages', String(stage));
  const suite = (stage: number | 'chain') =>
    stage === 'chain' ? join(task, 'private', 'chain') : join(task, 'private', 'stages', String(stage));
  return {
    document: join(task, 'task.json'),
    environment: join(task, 'environment', 'environment.json'),
    environmentFolder: join(task, 'environment'),
    dockerfile: join(task, 'environment', 'Dockerfile'),
    environmentInputs: join(task, 'environment', 'inputs'),
    bundle: join(task, 'workspace.bundle'),
    requirement: (stage: number) => join(stagePublic(stage), 'requirement.md'),
    contract: (stage: number) => join(stagePublic(stage), 'contract.md'),
    private: join(task, 'private'),
    referencePatch: (stage: number) => join(task, 'private', 'stages', String(stage), 'reference.patch'),
    /** All reference states as refs/states/i, so that they need not be patched together again. */
    states: join(task, 'private', 'states.bundle'),
    suiteFolder: suite,
    suite: (stage: number | 'chain') => join(suite(stage), 'suite.json'),
    suiteTests: (stage: number | 'chain') => join(suite(stage), 'tests'),
    suiteManifests: (stage: number | 'chain') => join(suite(stage), 'manifests'),
    criteria: (stage: number) => join(task, 'private', 'stages', String(stage), 'criteria.json'),
    validation: join(task, 'private', 'validation.json'),
    provenance: join(task, 'private', 'provenance.json'),
    waivers: join(task, 'private', 'waivers.json'),
  };
}

/** Every path of an experiment's folder. */
export function experimentLayout(experiment: string) {
  return {
    document: join(experiment, 'experiment.json'),
    lock: join(experiment, '.lock'),
    results: join(experiment, 'results.jsonl'),
    gradingCache: join(experiment, 'grading-cache'),
    report: join(experiment, 'report'),
    run: (run: { agent: string; task: string; attempt: number }) =>
      runLayout(join(experiment, 'runs', run.agent, run.task, String(run.attempt))),
  };
}

/** Every path of one run's folder. */
export function runLayout(run: string) {
  const stage = (k: number) => join(run, 'stages', String(k));
  const gate = (k: number | 'chain') => (k === 'chain' ? join(run, 'chain') : stage(k));
  return {
    folder: run,
    journal: join(run, 'journal.jsonl'),
    summary: join(run, 'run.json'),
    snapshots: join(run, 'snapshots.git'),
    /** Live places of the agent: workspace, home, tmp. */
    live: join(run, 'live'),
    checkpoints: join(run, 'checkpoints'),
    stage,
    prompt: (k: number) => join(stage(k), 'prompt.md'),
    native: (k: number) => join(stage(k), 'native'),
    changes: (k: number) => join(stage(k), 'changes.patch'),
    usage: (k: number) => join(stage(k), 'usage.json'),
    stageAttempt: (k: number, attempt: number) => join(stage(k), 'attempts', String(attempt)),
    gate: (k: number | 'chain') => join(gate(k), 'gate.json'),
    gateOutput: (k: number | 'chain') => join(gate(k), 'gate-output.txt.gz'),
    regrades: join(run, 'regrades'),
  };
}

/** Every path of the folder that `mine` writes. */
export function minedLayout(folder: string) {
  return {
    chains: join(folder, 'chains.json'),
    rejections: join(folder, 'rejections.jsonl'),
    page: join(folder, 'chains.md'),
    graph: (format: 'graphml' | 'json') => join(folder, `graph.${format}`),
    /** What a model was asked and what it said, a file for each review. */
    transcripts: join(folder, 'transcripts'),
  };
}

/** Every path of the folder that `auto` writes. */
export function autoLayout(folder: string) {
  return {
    mined: join(folder, 'mined'),
    /** What has been tried so far, and how it ended. */
    journal: join(folder, 'attempts.jsonl'),
    lock: join(folder, '.lock'),
    funnel: join(folder, 'funnel.json'),
    /** Admitted tasks. */
    tasks: join(folder, 'tasks'),
    /** Tasks that were built and then refused, to look at. */
    refused: join(folder, 'refused'),
    building: join(folder, '.building'),
  };
}
