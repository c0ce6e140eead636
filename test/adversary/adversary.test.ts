import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNNERS, type RunnerName } from '#documents/test-identity.js';
import type { Verdict } from '#documents/verdict.js';
import { mapLimited } from '#kernel/async.js';
import { probeSandboxes } from '#sandbox/index.js';
import { makeTemporaryFolder } from '#store/index.js';
import type { GradingBench } from '../support/grade-edited.js';
import type { Cheat, HonestChange, Sign } from './cheat.js';
import { printTable, type TableRow } from './print-table.js';
import { PYTHON_CHEATS, PYTHON_HONEST } from './python-cheats.js';
import { SCRIPT_CHEATS, SCRIPT_HONEST } from './script-cheats.js';
import { environmentFor, openTinyBench } from './tiny-benches.js';

const only = process.env.FEATUREARC_CHEAT ?? '';
const chosen = <T extends { name: string; runner: string }>(all: readonly T[]): T[] =>
  all.filter(({ name, runner }) => `${runner}: ${name}`.includes(only));
const CHEATS: readonly Cheat[] = chosen([...SCRIPT_CHEATS, ...PYTHON_CHEATS]);
const HONEST: readonly HonestChange[] = chosen([...SCRIPT_HONEST, ...PYTHON_HONEST]);

// Cheats kill whatever they can reach, so they run only where they can reach nothing.
const isolating = (await probeSandboxes()).find((probe) => probe.usable && probe.isolating && probe.kind === 'bwrap');
/** Patience for a busy machine; what hangs gets less of it. */
const PATIENT = { timeoutMs: 90_000, perTestTimeoutMs: 10_000 };
const HASTY = { timeoutMs: 12_000, perTestTimeoutMs: 1_000 };
const missing = new Set<RunnerName>();
for (const runner of RUNNERS) if ((await environmentFor(runner)) === null) missing.add(runner);

describe.skipIf(isolating === undefined)('The grader against cheats (needs bwrap)', () => {
  let folder: string;
  const benches = new Map<RunnerName, { patient: GradingBench; hasty: GradingBench }>();
  const verdicts = new Map<string, Verdict>();
  const unguarded = new Map<string, Verdict>();
  const rows: TableRow[] = [];
  const idOf = ({ runner, name }: { runner: RunnerName; name: string }): string => `${runner}: ${name}`;

  beforeAll(async () => {
    folder = await makeTemporaryFolder('adversary');
    for (const runner of RUNNERS) {
      const patient = await openTinyBench(folder, runner, 'bwrap', PATIENT);
      const hasty = await openTinyBench(folder, runner, 'bwrap', HASTY);
      if (patient !== null && hasty !== null) benches.set(runner, { patient, hasty });
    }
    const gradings = [
      ...HONEST.map((change) => ({ change, state: 1, twins: true, kept: verdicts })),
      ...CHEATS.map((change) => ({ change, state: 0, twins: true, kept: verdicts })),
      ...CHEATS.filter((cheat) => cheat.winsWithoutTwins).map((change) => ({
        ...{ change, state: 0, twins: false, kept: unguarded },
      })),
    ].filter(({ change }) => benches.has(change.runner));
    await mapLimited(gradings, 2, async ({ change, state, twins, kept }) => {
      const sign: Sign | null = 'sign' in change ? (change as Cheat).sign : null;
      const hangs = sign !== null && 'cause' in sign && sign.cause === 'hang';
      const bench = benches.get(change.runner)?.[hangs ? 'hasty' : 'patient'];
      if (bench === undefined) return;
      const tree = await bench.edited(state, change.edits);
      const { verdict, output } = await bench.grade(0, tree, { twins, gradings: 1, seed: idOf(change) });
      kept.set(idOf(change), verdict);
      if (only !== '')
        process.stdout.write(`${idOf(change)}\n${JSON.stringify(verdict, null, 1)}\n${output.subarray(0, 2000)}\n`);
    });
  }, 1_800_000);

  afterAll(async () => {
    printTable(rows);
    for (const { patient, hasty } of benches.values()) await Promise.all([patient.close(), hasty.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('has at least 25 cheats', () => {
    expect(new Set([...SCRIPT_CHEATS, ...PYTHON_CHEATS].map(({ name }) => name)).size).toBeGreaterThanOrEqual(25);
  });

  for (const cheat of CHEATS) {
    it.skipIf(missing.has(cheat.runner))(`${idOf(cheat)} does not pass and shows: ${cheat.how}`, () => {
      const verdict = verdicts.get(idOf(cheat));
      const without = unguarded.get(idOf(cheat));
      rows.push({ cheat, verdict, unguarded: without });
      expect(verdict?.f2p).toBe(false);
      // Never the grader's fault: the outcome stays the agent's.
      expect(verdict?.valid).toBe(true);
      if ('mark' in cheat.sign) expect(verdict?.marks.map(({ mark }) => mark)).toContain(cheat.sign.mark);
      else expect(verdict?.failure).toBe(cheat.sign.cause);
    });
  }

  it('lets cheats through where twins are off: the guard is real', () => {
    const winners = [...unguarded].filter(([, verdict]) => verdict.f2p === true).map(([id]) => id);
    const expected = CHEATS.filter((cheat) => cheat.winsWithoutTwins && !missing.has(cheat.runner)).map(idOf);
    expect(winners.sort()).toEqual(expected.sort());
    if (only === '') expect(winners.length).toBeGreaterThanOrEqual(3);
  });

  for (const change of HONEST) {
    it.skipIf(missing.has(change.runner))(`${idOf(change)}: still passes`, () => {
      const verdict = verdicts.get(idOf(change));
      expect(verdict).toMatchObject({ f2p: true, p2p: true, failure: null });
      expect(verdict?.marks.filter(({ mark }) => mark === 'tamper')).toEqual([]);
    });
  }
});
