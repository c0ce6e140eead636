import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTask } from '../../test/support/make-task.js';
import {
  journalEvents,
  playExperiment,
  snapshotTrees,
  timelessResults,
  writeScript,
} from '../../test/support/play-experiment.js';
import { withTask } from '../../test/support/with-task.js';
import { gradeSnapshot } from './gate/index.js';

const TRIO = {
  agents: [
    { name: 'oracle', scaffold: 'oracle' },
    { name: 'nop', scaffold: 'nop' },
    { name: 'faulty', scaffold: 'faulty', options: { stage: 0, seed: 7 } },
  ],
};
const FAULTY = { agents: TRIO.agents.slice(2) };
const ORACLE = { agents: [{ name: 'oracle', scaffold: 'oracle' }] };

class Death extends Error {}

describe('an experiment', () => {
  it('takes every agent through every stage and writes what came of it', async () => {
    await withTask(async (task, folder) => {
      const report = await playExperiment(folder, TRIO);
      expect(report.runs.map(({ agent, end }) => `${agent} ${end}`)).toEqual([
        'oracle complete',
        'nop complete',
        'faulty complete',
      ]);
      const gates = report.lines.flatMap((line) =>
        line.kind === 'stage' || line.kind === 'chain'
          ? [`${line.agent} ${line.kind === 'stage' ? line.stage : 'chain'} ${line.outcome} ${line.f2p} ${line.p2p}`]
          : [],
      );
      expect(gates.filter((line) => line.startsWith('oracle'))).toEqual([
        'oracle 0 completed true true',
        'oracle 1 completed true true',
        'oracle 2 completed true true',
        'oracle chain completed true true',
      ]);
      expect(gates.filter((line) => line.startsWith('nop'))).toEqual([
        'nop 0 no-activity false true',
        'nop 1 no-activity false false',
        'nop 2 no-activity false false',
        'nop chain no-activity false true',
      ]);
      expect(gates).toContain('faulty 0 completed false true');
      expect(gates).toContain('faulty chain completed false true');
      const trees = await snapshotTrees(report.folder);
      expect(trees[`nop/${task.task.id}/1`]?.match(/[0-9a-f]{40}/g)).toEqual(Array(3).fill(expect.any(String)));
      const run = join(report.folder, 'runs', 'oracle', task.task.id, '1');
      expect((await readdir(run)).sort()).toEqual([
        'chain',
        'journal.jsonl',
        'live',
        'run.json',
        'snapshots.git',
        'stages',
      ]);
      expect((await readdir(join(run, 'live'))).sort()).toEqual(['home']);
      expect((await readdir(join(run, 'stages', '1'))).sort()).toEqual([
        'changes.patch',
        'gate-output.txt.gz',
        'gate.json',
        'native',
        'prompt.md',
        'usage.json',
      ]);
      expect(await readFile(join(run, 'stages', '1', 'prompt.md'), 'utf8')).toContain('another separator');
      expect(await readFile(join(run, 'stages', '1', 'changes.patch'), 'utf8')).toContain('+  const separator');
    });
  });

  it('has nothing to do when it is run again, and says the same', async () => {
    await withTask(async (_task, folder) => {
      const first = await playExperiment(folder, ORACLE);
      const journal = await journalEvents(first.folder, 'oracle/words-slug/1');
      const again = await playExperiment(folder, ORACLE);
      expect(again.lines).toEqual(first.lines);
      const events = await journalEvents(first.folder, 'oracle/words-slug/1');
      expect(events.slice(journal.length).map(({ type }) => type)).toEqual(['process-started']);
    });
  });

  it('refuses a second process while one is at work', async () => {
    await withTask(async (_task, folder) => {
      // Which of the two is first is theirs to settle.
      const ends = await Promise.allSettled([playExperiment(folder, ORACLE), playExperiment(folder, ORACLE)]);
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      const done = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.runs[0]?.end] : []));
      expect(refused).toEqual([expect.objectContaining({ code: 'locked' })]);
      expect(done).toEqual(['complete']);
    });
  });

  it.each(['isolated', 'reference'])('in %s mode gives each stage its reference state', async (mode) => {
    await withTask(async (task, folder) => {
      const agents = [{ name: 'nop', scaffold: 'nop' }, ...ORACLE.agents];
      const report = await playExperiment(folder, { agents, protocol: { mode } });
      const gates = report.lines.flatMap((line) =>
        line.kind === 'stage' ? [`${line.agent} ${line.f2p} ${line.p2p}`] : [],
      );
      expect(gates).toEqual([...Array(3).fill('nop false true'), ...Array(3).fill('oracle true true')]);
      expect(report.lines.some((line) => line.kind === 'chain')).toBe(false);
      const sessions = (await journalEvents(report.folder, `nop/${task.task.id}/1`))
        .filter(({ type }) => type === 'stage-started')
        .map(({ data }) => data.sessionId);
      expect(new Set(sessions).size).toBe(mode === 'isolated' ? 3 : 1);
    });
  });
});

describe('a run that a dead process left', () => {
  it('goes on from any point to the same snapshots and results, and no graded stage is done again', async () => {
    const points: string[] = [];
    const expected = await withTask(async (_task, folder) => {
      const report = await playExperiment(folder, FAULTY, { faultPoint: (name) => points.push(name) });
      return { results: await timelessResults(report), trees: await snapshotTrees(report.folder) };
    });
    const deaths = points.map((name, at) => ({
      name,
      occurrence: points.slice(0, at + 1).filter((one) => one === name).length,
    }));
    // Each kind of point at its first occurrence, and some later ones.
    const some = deaths.filter(({ occurrence }, at) => occurrence === 1 || at % 5 === 0);
    for (const death of some) {
      await withTask(async (_task, folder) => {
        let seen = 0;
        const die = (name: string): void => {
          if (name !== death.name) return;
          seen += 1;
          if (seen === death.occurrence) throw new Death();
        };
        await expect(playExperiment(folder, FAULTY, { faultPoint: die }), JSON.stringify(death)).rejects.toThrow(Death);
        const gradedBefore = await gradedStages(join(folder, 'out'));
        const report = await playExperiment(folder, FAULTY);
        expect(await timelessResults(report), JSON.stringify(death)).toEqual(expected.results);
        expect(await snapshotTrees(report.folder)).toEqual(expected.trees);
        for (const [run, stages] of Object.entries(gradedBefore)) {
          const events = await journalEvents(report.folder, run);
          for (const stage of stages)
            expect(events.filter(({ type, data }) => type === 'gate-ended' && data.place === stage)).toHaveLength(1);
        }
      });
    }
  }, 300_000);

  it('keeps the attempt that died, and what it wrote, apart from the one that counts', async () => {
    await withTask(async (_task, folder) => {
      let seen = 0;
      const faultPoint = (name: string): void => {
        if (name === 'turn-ended') seen += 1;
        if (seen === 2) throw new Death();
      };
      await expect(playExperiment(folder, ORACLE, { faultPoint })).rejects.toThrow(Death);
      const report = await playExperiment(folder, ORACLE);
      const run = join(report.folder, 'runs', 'oracle', 'words-slug', '1');
      expect(await readdir(join(run, 'stages', '1', 'attempts', '0'))).toEqual(['native', 'prompt.md']);
      const summary = JSON.parse(await readFile(join(run, 'run.json'), 'utf8'));
      expect(summary).toMatchObject({
        state: 'finished',
        processes: 2,
        stages: [{ attempts: 1 }, { attempts: 2 }, {}],
      });
      expect(summary.abandoned).toEqual([{ stage: 1, attempt: 0, why: 'harness-died', costUsd: null }]);
      expect(report.runs[0]?.resumed).toBe(true);
    });
  });

  it('is refused with the damaged place named where its checkpoint was changed', async () => {
    await withTask(async (_task, folder) => {
      let seen = 0;
      const faultPoint = (name: string): void => {
        if (name === 'stage-started') seen += 1;
        if (seen === 2) throw new Death();
      };
      await expect(playExperiment(folder, ORACLE, { faultPoint })).rejects.toThrow(Death);
      await writeFile(join(folder, 'out/runs/oracle/words-slug/1/checkpoints/0/workspace/src/slug.js'), 'changed');
      const report = await playExperiment(folder, ORACLE);
      expect(report.runs[0]).toMatchObject({ end: 'failed', fault: { code: 'checkpoint-damaged' } });
      expect(report.unfinished).toHaveLength(1);
    });
  });
});

describe('a changed experiment', () => {
  it('is not continued where an agent would see something else, unless runs are renewed, and says why', async () => {
    await withTask(async (_task, folder) => {
      const before = await playExperiment(folder, ORACLE);
      await makeTask(join(folder, 'task'), { stageMs: 50_000 });
      const refused = playExperiment(folder, ORACLE);
      await expect(refused).rejects.toMatchObject({ code: 'runs-invalidated' });
      await expect(refused).rejects.toThrow(
        /oracle\/words-slug\/1: task words-slug: what an agent can see has changed/,
      );
      const report = await playExperiment(folder, ORACLE, { renew: true });
      expect(await timelessResults(report)).toEqual(await timelessResults(before));
      expect(await readdir(join(report.folder, 'runs/oracle/words-slug'))).toEqual(['1', '1.aside-1']);
    });
  });

  it('is not continued under other conditions or with another configuration of the agent', async () => {
    await withTask(async (_task, folder) => {
      await playExperiment(folder, { ...FAULTY });
      await expect(
        playExperiment(folder, { agents: [{ ...TRIO.agents[2], options: { stage: 0, seed: 8 } }] }),
      ).rejects.toThrow(/agent faulty: its configuration has changed/);
      await expect(playExperiment(folder, { ...FAULTY, protocol: { stageBudget: '1h' } })).rejects.toThrow(
        /protocol.stageBudget "4h" -> "1h"/,
      );
      const more = { ...FAULTY, protocol: { attempts: 2 }, concurrency: { runs: 2, grading: 2 } };
      const report = await playExperiment(folder, more);
      expect(report.runs.map(({ resumed }) => resumed)).toEqual([true, false]);
    });
  });
});

describe('an experiment file', () => {
  const refusal = async (yaml: string): Promise<string> =>
    withTask(async (_task, folder) => {
      const file = join(folder, 'experiment.yaml');
      await writeFile(file, yaml);
      const { runExperiment } = await import('./run-experiment.js');
      const refused = await runExperiment({ file, folder: join(folder, 'out'), toolVersion: 'test' }).then(
        () => 'not refused',
        (thrown: Error & { code?: string }) => `${thrown.code} ${thrown.message.replace(folder, '')}`,
      );
      expect(await readdir(folder)).not.toContain('out');
      return refused;
    });
  const head = 'name: pilot\ntasks: [task]\n';

  it.each([
    ['a: [', /^experiment-not-yaml \/experiment.yaml:1: /],
    [`${head}agents: []\n`, /^experiment-invalid \/experiment.yaml:3: field agents: /],
    [`${head}agents:\n  - name: a\n    scaffold: magic\n`, /experiment.yaml:5: field agents.0.scaffold: /],
    [
      `${head}agents:\n  - {name: a, scaffold: nop}\n  - {name: a, scaffold: nop}\n`,
      /^agent-twice .*yaml:5: field agents.1.name/,
    ],
    [
      `${head}agents:\n  - {name: a, scaffold: nop, options: {x: 1}}\n`,
      /^agent-options .*yaml:4: field agents.0.options: .*options/,
    ],
    [`${head}agents: [{name: a, scaffold: faulty, options: {mutation: none}}]\n`, /options.mutation/],
    [`${head}agents: [{name: a, scaffold: scripted, options: {file: none.yaml}}]\n`, /none.yaml: no such file/],
    [
      `${head}agents: [{name: a, scaffold: nop}]\nprotocol:\n  level: L2\n`,
      /^level-unsupported .*runs L4 only, not L2/,
    ],
    [`${head}agents: [{name: a, scaffold: nop}]\nconcurrency: {perAgent: {b: 1}}\n`, /^agent-unknown /],
    [`name: pilot\ntasks: [none/*]\nagents: [{name: a, scaffold: nop}]\n`, /^task-not-found .*yaml:2: field tasks.0/],
    [
      `${head}agents: [{name: a, scaffold: command, options: {command: 'true'}}]\nsandbox: {kind: local}\n`,
      /^local-not-isolating /,
    ],
  ])('%j is refused with file, line and field, and leaves nothing behind', async (yaml, message) => {
    expect(await refusal(yaml)).toMatch(message);
  });

  it('finds tasks by patterns, each once, and refuses two of one id', async () => {
    await withTask(async (_task, folder) => {
      await makeTask(join(folder, 'more', 'other'), { id: 'other' });
      const report = await playExperiment(folder, { ...ORACLE, tasks: ['task', 'more/*', '**/other'] });
      expect(report.runs.map(({ task }) => task)).toEqual(['other', 'words-slug']);
      await makeTask(join(folder, 'more', 'again'), { id: 'other' });
      await expect(playExperiment(folder, { ...ORACLE, tasks: ['more/*'] })).rejects.toMatchObject({
        code: 'task-twice',
      });
    });
  });
});

describe('the operator', () => {
  const SLEEPY = { agents: [{ name: 'sleepy', scaffold: 'scripted', options: { file: 'sleepy.yaml' } }] };
  const stopper = () => {
    const [soon, now] = [new AbortController(), new AbortController()];
    return { soon, now, stop: { soon: soon.signal, now: now.signal } };
  };

  it('stops soon: the stage at work is finished, and the next process goes on behind it', async () => {
    await withTask(async (_task, folder) => {
      await writeScript(folder, 'sleepy.yaml', Array(3).fill([{ write: { path: 'a', text: 'x' } }]));
      const { soon, stop } = stopper();
      const faultPoint = (name: string): void => {
        if (name === 'turn-ended') soon.abort();
      };
      const report = await playExperiment(folder, SLEEPY, { stop, faultPoint });
      expect(report).toMatchObject({ interrupted: true, unfinished: [] });
      const outcomes = report.lines.flatMap((line) => (line.kind === 'stage' ? [line.outcome] : []));
      expect(outcomes).toEqual(['not-reached', 'not-reached', 'not-reached']);
      const again = await playExperiment(folder, SLEEPY);
      const started = (await journalEvents(again.folder, 'sleepy/words-slug/1')).filter(
        ({ type }) => type === 'stage-started',
      );
      expect(started.map(({ data }) => `${data.stage}/${data.attempt}`)).toEqual(['0/0', '1/0', '2/0']);
      expect(again.runs[0]?.end).toBe('complete');
    });
  });

  it('stops now: the turn is cut off and counts for nothing', async () => {
    await withTask(async (_task, folder) => {
      await writeScript(folder, 'sleepy.yaml', [[{ write: { path: 'a', text: 'x' } }, { sleep: '60m' }]]);
      const { soon, now, stop } = stopper();
      const faultPoint = (name: string): void => {
        if (name !== 'stage-started') return;
        soon.abort();
        setTimeout(() => now.abort(), 50);
      };
      const report = await playExperiment(folder, SLEEPY, { stop, faultPoint });
      expect(report.interrupted).toBe(true);
      const events = await journalEvents(report.folder, 'sleepy/words-slug/1');
      expect(events.at(-1)).toMatchObject({ type: 'stage-abandoned', data: { why: 'interrupted', stage: 0 } });
    });
  });
});

describe('the operator and a gate at work', () => {
  it('stops now: a gate that would hang is ended, says nothing, and is held anew by the next process', async () => {
    await withTask(async (_task, folder) => {
      const endless = [{ write: { path: 'src/shout.js', text: 'for (;;);\n' } }];
      const yaml = { agents: [{ name: 'endless', scaffold: 'scripted', options: { stages: [endless] } }] };
      const [soon, now] = [new AbortController(), new AbortController()];
      const stop = { soon: soon.signal, now: now.signal };
      let held = 0;
      const grade: typeof gradeSnapshot = async (request) => {
        held += 1;
        setTimeout(() => {
          soon.abort();
          now.abort();
        }, 500);
        return gradeSnapshot(request);
      };
      const report = await playExperiment(folder, yaml, { stop, grade });
      expect([report.interrupted, held]).toEqual([true, 1]);
      const events = await journalEvents(report.folder, 'endless/words-slug/1');
      expect(events.some(({ type }) => type === 'gate-ended' || type === 'gate-failed')).toBe(false);
      const again = await playExperiment(folder, yaml);
      expect(again.runs[0]?.end).toBe('complete');
    });
  });
});

/** By run, the places that its journal says were graded. */
async function gradedStages(experiment: string): Promise<Record<string, unknown[]>> {
  const graded: Record<string, unknown[]> = {};
  for (const agent of await readdir(join(experiment, 'runs')).catch(() => [])) {
    const run = `${agent}/words-slug/1`;
    const events = await journalEvents(experiment, run);
    graded[run] = events.filter(({ type }) => type === 'gate-ended').map(({ data }) => data.place);
  }
  return graded;
}
