import { type Random, seededRandom } from '#kernel/random.js';

/** What a made-up results file should look like. */
export interface MadeResults {
  readonly seed: string;
  readonly agents: readonly string[];
  /** Name and number of stages of each task. */
  readonly tasks: readonly { readonly name: string; readonly stages: number }[];
  readonly attempts?: number;
  readonly experiment?: string | null;
  readonly level?: 'L1' | 'L2' | 'L3' | 'L4';
  readonly mode?: 'chain' | 'reference';
  /** Share of runs that a provider or the machine cut short. */
  readonly unfinished?: number;
  /** Whether judges have labelled the stages. */
  readonly labelled?: boolean;
}

type Line = Record<string, unknown>;

const LANGUAGES = ['python', 'go', 'typescript', 'rust'];
const DOMAINS = ['ai-tools', 'cloud', 'data', 'web', 'developer-tools', 'security', 'media'];

/** The ten-agent, 73-task shape of a full study: 16, 23, 21 and 13 tasks of 2, 3, 4 and 5 or more stages. */
export function studyTasks(): { name: string; stages: number }[] {
  const long = [5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 10];
  const lengths = [...Array(16).fill(2), ...Array(23).fill(3), ...Array(21).fill(4), ...long] as number[];
  return lengths.map((stages, place) => ({
    name: `${DOMAINS[place % 7]}-feature-${String(place + 1).padStart(2, '0')}`,
    stages,
  }));
}

/** Results lines as a plausible experiment leaves them: failures that last, agents that differ, some runs cut short. */
export function makeResults(made: MadeResults): string {
  const lines: Line[] = made.tasks.map(({ name, stages }, place) => makeTask(name, stages, place, made.seed));
  made.agents.forEach((agent, rank) => {
    const skill = 1.5 - (2 * rank) / Math.max(1, made.agents.length - 1);
    for (const task of made.tasks) {
      for (let attempt = 1; attempt <= (made.attempts ?? 1); attempt += 1) {
        lines.push(...makeRun({ made, agent, skill, task, attempt }));
      }
    }
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function makeTask(name: string, stages: number, place: number, seed: string): Line {
  const random = seededRandom(`${seed}/task/${name}`);
  return {
    kind: 'task',
    task: name,
    language: LANGUAGES[place % LANGUAGES.length],
    domain: DOMAINS[place % DOMAINS.length],
    repo: `owner/repo-${place % 53}`,
    stars: 30 + random.below(40_000),
    featureSourceLines: stages * (200 + random.below(500)),
    stages: Array.from({ length: stages }, (_, stage) => ({
      sourceLines: 60 + random.below(900),
      testLines: 60 + random.below(900),
      sourceFiles: 1 + random.below(15),
      sharedFileShare: stage === 0 ? null : Math.round(random.next() * 100) / 100,
    })),
  };
}

interface RunToMake {
  made: MadeResults;
  agent: string;
  skill: number;
  task: { name: string; stages: number };
  attempt: number;
}

function makeRun({ made, agent, skill, task, attempt }: RunToMake): Line[] {
  const random = seededRandom(`${made.seed}/run/${agent}/${task.name}/${attempt}`);
  const difficulty = seededRandom(`${made.seed}/difficulty/${task.name}`).next() * 2.4 - 1.2;
  const identity = {
    experiment: made.experiment ?? null,
    level: made.level ?? 'L4',
    mode: made.mode ?? 'chain',
    agent,
    task: task.name,
    attempt,
  };
  const cut = random.next() < (made.unfinished ?? 0) ? random.below(task.stages + 1) : null;
  const lines: Line[] = [];
  let broken = false;
  let everBroken = false;
  for (let stage = 0; stage < task.stages; stage += 1) {
    if (cut !== null && stage >= cut) {
      const outcome = stage === cut ? 'provider-error' : 'not-reached';
      lines.push({ kind: 'stage', ...identity, stage, round: 0, outcome, f2p: null, p2p: null });
      continue;
    }
    const chance = logistic(0.75 + skill * 0.5 - difficulty - (broken ? 2.3 : 0));
    const f2p = random.next() < chance;
    const p2p = random.next() < (f2p ? 0.985 : 0.88);
    lines.push(makeStage({ ...identity, stage }, { f2p, p2p, afterFailure: broken }, random));
    if (made.labelled === true) lines.push(...makeLabels({ ...identity, stage }, { f2p, p2p, afterFailure: broken }));
    broken = !(f2p && p2p);
    everBroken ||= broken;
  }
  if (cut !== null) return [...lines, { kind: 'chain', ...identity, outcome: 'not-reached', f2p: null, p2p: null }];
  const f2p = random.next() < (everBroken ? 0.03 : 0.95);
  const p2p = random.next() < (f2p ? 0.97 : 0.85);
  return [...lines, { kind: 'chain', ...identity, outcome: 'completed', f2p, p2p, sandbox: 'bwrap' }];
}

interface MadeVerdict {
  f2p: boolean;
  p2p: boolean;
  afterFailure: boolean;
}

function makeStage(identity: Line & { stage: number }, { f2p, p2p, afterFailure }: MadeVerdict, random: Random): Line {
  const total = 3 + random.below(20);
  const timedOut = !f2p && random.next() < 0.06;
  const green = random.next() < 0.74;
  const compiles = (f2p && p2p) || random.next() >= 0.18;
  return {
    kind: 'stage',
    ...identity,
    round: 0,
    outcome: timedOut ? 'agent-timeout' : 'completed',
    f2p,
    p2p,
    failure: f2p && p2p ? null : compiles ? 'tests' : 'compile',
    interfaceMismatch: compiles ? null : total % 3 > 0,
    missingNames: compiles ? null : [{ name: 'x', in: total % 2 === 0 ? 'current-spec' : 'earlier-spec' }],
    marks: random.next() < 0.05 ? ['overlaid'] : random.next() < 0.01 ? ['tamper'] : [],
    flips: random.next() < 0.03 ? 1 + random.below(3) : 0,
    tests: {
      f2pPassed: f2p ? total : random.below(total),
      f2pTotal: total,
      p2pPassed: p2p ? 80 : 79,
      p2pTotal: 80,
    },
    sandbox: 'bwrap',
    selfTest: green ? 'passed' : random.next() < 0.6 ? 'failed' : 'not-run',
    toolCalls: {
      explore: 20 + random.below(40),
      edit: 6 + random.below(20),
      test: random.below(15),
      build: random.below(6),
      other: random.below(8),
    },
    contextMeasured: true,
    compacted: random.next() < 0.2,
    changedFiles: 2 + random.below(12),
    revisitedFiles: identity.stage === 0 ? 0 : random.below(8),
    specWords: 500 + random.below(900),
    cumulativeSpecWords: (identity.stage + 1) * (600 + random.below(600)),
    usage: {
      input: 200_000 + random.below(900_000),
      cachedInput: 100_000,
      output: 8000 + random.below(40_000),
      costUsd: 0.4 + random.next() * 4,
    },
    seconds: (afterFailure ? 300 : 240) + random.next() * 1800,
    overheadSeconds: 0.12 + random.next() ** 4 * 0.9,
  };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Labels draw from a stream of their own, so that labelled and unlabelled results have the same verdicts. */
function makeLabels(identity: Line & { stage: number }, { f2p, p2p, afterFailure }: MadeVerdict): Line[] {
  const random = seededRandom(`labels/${JSON.stringify(identity)}`);
  const label = (name: string, value: string, origin: number | null = null): Line => ({
    kind: 'label',
    ...identity,
    label: name,
    judge: 'majority',
    value,
    applicable: true,
    origin,
    evidence: ['step:1'],
  });
  const lines = [label('criteriaAlignment', random.next() < 0.68 ? 'all' : 'some')];
  if (afterFailure) {
    const drawn = random.next();
    lines.push(label('priorAwareness', drawn < 0.93 ? 'missed' : drawn < 0.96 ? 'noticed-not-fixed' : 'fixed'));
  }
  if (identity.stage > 0 && !(f2p && p2p)) {
    const drawn = random.next();
    const value = !afterFailure ? 'none' : drawn < 0.6 ? 'full' : drawn < 0.9 ? 'partial' : 'none';
    lines.push(label('inheritance', value, value === 'none' ? null : 0));
    lines.push({
      kind: 'inheritance',
      ...identity,
      value,
      origin: value === 'none' ? null : 0,
      measurable: drawn < 0.8,
    });
  }
  return lines;
}
