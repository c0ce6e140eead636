import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StageLine } from '#documents/results.js';
import { createRepository, type TreeFiles } from '#git/index.js';
import { runProcess } from '#process/index.js';
import { sandboxMember } from '#sandbox/index.js';
import { journalEvents, playExperiment } from '../../test/support/play-experiment.js';
import { withTask } from '../../test/support/with-task.js';

const bwrap = await sandboxMember('bwrap').probe();
const why = bwrap.usable ? '' : ` (skipped: ${bwrap.reason})`;

interface Played {
  lines: StageLine[];
  files: TreeFiles[];
  events: { type: string; data: Record<string, unknown> }[];
  folder: string;
  run: string;
}

/** Runs a shell line as the agent of every stage of a two-stage task, in bwrap. */
async function play<T>(line: string, look: (played: Played) => Promise<T>, protocol = {}): Promise<T> {
  return withTask(
    async (_task, folder) => {
      const agents = [{ name: 'rogue', scaffold: 'command', options: { command: line } }];
      const report = await playExperiment(folder, { agents, sandbox: { kind: 'bwrap' }, protocol });
      expect(report.runs.map(({ end, fault }) => [end, fault])).toEqual([['complete', null]]);
      const run = join(report.folder, 'runs/rogue/words-slug/1');
      const repository = await createRepository(join(run, 'snapshots.git'));
      const files = [await repository.files('refs/stages/0'), await repository.files('refs/stages/1')];
      await repository.close();
      const lines = report.lines.filter((one) => one.kind === 'stage');
      return look({ lines, files, events: await journalEvents(report.folder, 'rogue/words-slug/1'), folder, run });
    },
    { stages: 2 },
  );
}

const stageEnds = ({ events }: Played) => events.filter(({ type }) => type === 'stage-ended').map(({ data }) => data);

describe.skipIf(!bwrap.usable)(`an agent in bwrap that behaves badly${why}`, () => {
  it('leaves a daemon that writes into the workspace: it is ended, named, and not in the next stage', async () => {
    const daemon = 'setsid sh -c "while :; do date +%N >> ticks; sleep 0.01; done" >/dev/null 2>&1 & sleep 0.2';
    await play(daemon, async (played) => {
      for (const data of stageEnds(played)) expect((data.survivors as string[]).join()).toMatch(/sh|sleep/);
      const { stdout } = await runProcess({ argv: ['ps', '-eo', 'args'], env: { PATH: process.env.PATH ?? '' } });
      expect(stdout.toString()).not.toContain('date +%N >> ticks');
    });
  });

  it('makes links, odd names and pipes, deletes .git, locks the workspace: both stages are kept and graded', async () => {
    const line =
      'if [ "$FEATUREARC_STAGE" = 0 ]; then rm -rf .git; mkfifo pipe; ln -s /etc etc; ln -s ../../.. up; ' +
      'printf x > "$(printf "n\\377\\nme")"; mkdir deep; echo 1 > deep/a; chmod 500 deep .; fi; echo "$FEATUREARC_STAGE" > deep/a; ' +
      'chmod u+w . 2>/dev/null; echo later > later-$FEATUREARC_STAGE';
    await play(line, async (played) => {
      expect(played.files[1]?.get('etc')?.mode).toBe('120000');
      expect(played.files[1]?.get('up')?.mode).toBe('120000');
      expect(played.files[1]?.has('n\xff\nme')).toBe(true);
      expect(played.files[1]?.has('later-1')).toBe(true);
      expect(stageEnds(played)[0]?.lost).toEqual([{ path: 'pipe', why: 'fifo' }]);
      expect(played.lines.map(({ outcome, p2p }) => `${outcome} ${p2p}`)).toEqual([
        'completed true',
        'completed false',
      ]);
    });
  });

  it('puts filters, hooks and a monitor into .git/config: nothing of it runs on the host', async () => {
    const trap = `/tmp/featurearc-trap-${process.pid}`;
    const line =
      `git config core.fsmonitor "touch ${trap}"; git config filter.x.clean "touch ${trap}; cat"; ` +
      `git config core.hooksPath hooks; mkdir -p hooks; printf '#!/bin/sh\\ntouch ${trap}\\n' > hooks/post-index-change; ` +
      'chmod +x hooks/*; echo "* filter=x" > .gitattributes; echo x > new; rm -f .git/index.lock';
    await play(line, async (played) => {
      expect(played.files[0]?.has('.gitattributes')).toBe(true);
      expect((await readdir('/tmp')).includes(trap.slice(5))).toBe(false);
    });
  });

  it('kills its parent: the stage is an error of its own, and the next one goes on', async () => {
    await play('echo x > before; kill -9 $PPID; sleep 5; echo y > after', async ({ lines, files }) => {
      expect(lines.map(({ outcome }) => outcome)).toEqual(['agent-error', 'agent-error']);
      expect([files[1]?.has('before'), files[1]?.has('after')]).toEqual([true, false]);
    });
  });

  it('kills everything it can reach', async () => {
    await play('kill -9 -1; sleep 5', async ({ lines }) => {
      expect(lines.map(({ outcome }) => outcome)).toEqual(['agent-error', 'agent-error']);
    });
  });

  it('prints 200 MB: the output is cut, the run goes on', async () => {
    await play('head -c 200000000 /dev/zero | tr "\\0" x; echo done > done', async ({ lines, run }) => {
      expect(lines.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
      expect((await readFile(join(run, 'stages/0/native/stdout.txt'))).length).toBeLessThanOrEqual(64 * 2 ** 20);
    });
  });

  it('makes a file of a terabyte of holes: it is named as lost, not read', async () => {
    await play('truncate -s 1T huge; echo x > small', async (played) => {
      expect(stageEnds(played)[0]?.lost).toEqual([{ path: 'huge', why: 'too-large' }]);
      expect(played.files[0]?.has('small')).toBe(true);
    });
  });

  it('takes longer than it may: its time is up, what it did by then is graded', async () => {
    const line = 'echo x > begun; sleep 60; echo y > ended';
    await play(
      line,
      async ({ lines, files }) => {
        expect(lines.map(({ outcome }) => outcome)).toEqual(['agent-timeout', 'agent-timeout']);
        expect([files[0]?.has('begun'), files[0]?.has('ended')]).toEqual([true, false]);
      },
      { stageBudget: '700ms' },
    );
  });

  it('keeps a marked live process through the stages: it stands still while the snapshot is taken', async () => {
    await withTask(
      async (_task, folder) => {
        const writer = 'exec 2>/dev/null; while :; do echo x >> ticks; sleep 0.01; done';
        const begun = 'until [ -s ticks ]; do sleep 0.01; done';
        const goesOn = 'n=$(wc -c < ticks); until [ "$(wc -c < ticks)" -gt "$n" ]; do sleep 0.01; done';
        const stages = [[{ start: writer, live: true }, { run: begun }], [{ run: goesOn }]];
        const agents = [{ name: 'live', scaffold: 'scripted', options: { stages } }];
        const report = await playExperiment(folder, { agents, sandbox: { kind: 'bwrap' } });
        expect(report.runs[0]?.end).toBe('complete');
        const repository = await createRepository(join(report.folder, 'runs/live/words-slug/1/snapshots.git'));
        const sizes: number[] = [];
        for (const stage of [0, 1]) {
          const files = await repository.files(`refs/stages/${stage}`);
          sizes.push((await repository.readBlob(files.get('ticks')?.oid ?? '')).length);
        }
        await repository.close();
        expect(sizes[0]).toBeGreaterThan(0);
        expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0);
        const { stdout } = await runProcess({ argv: ['ps', '-eo', 'args'], env: { PATH: process.env.PATH ?? '' } });
        expect(stdout.toString()).not.toContain('echo x >> ticks');
      },
      { stages: 2 },
    );
  });

  it('does nothing at all, or only fails', async () => {
    await play('true', async ({ lines }) => expect(lines[0]?.outcome).toBe('no-activity'));
    await play('exit 3', async ({ lines }) => expect(lines[0]?.outcome).toBe('agent-error'));
  });

  it('is told session, stage and prompt, finds home and tmp as it left them, and nothing of the harness', async () => {
    const line =
      'cp "$FEATUREARC_PROMPT_FILE" prompt-$FEATUREARC_STAGE.md; echo "$FEATUREARC_SESSION_ID" >> "$HOME/sessions"; ' +
      'echo "$FEATUREARC_STAGE" >> /tmp/stages; cp "$HOME/sessions" sessions; cp /tmp/stages stages; ls /featurearc/prompt > prompts; ' +
      'touch /featurearc/prompt/x 2>/dev/null && echo writable > writable; env > environment';
    await play(line, async ({ run, files }) => {
      const repository = await createRepository(join(run, 'snapshots.git'));
      const read = async (path: string) => (await repository.readBlob(files[1]?.get(path)?.oid ?? '')).toString();
      const sessions = (await read('sessions')).trim().split('\n');
      expect([sessions.length, new Set(sessions).size]).toEqual([2, 1]);
      expect(await read('stages')).toBe('0\n1\n');
      expect(await read('prompts')).toBe('prompt.md\n');
      expect(await read('prompt-0.md')).toContain('lower-cased and joined by dashes');
      expect(await read('prompt-1.md')).not.toContain('lower-cased');
      expect(files[1]?.has('writable')).toBe(false);
      expect(await read('environment')).not.toMatch(/words-slug|pilot|rogue|private/);
      await repository.close();
    });
  });
});
