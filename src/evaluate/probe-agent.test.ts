import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRepository } from '#git/index.js';
import { type SandboxKind, sandboxMember } from '#sandbox/index.js';
import type { TaskPackage } from '#store/index.js';
import { playExperiment } from '../../test/support/play-experiment.js';
import { withTask } from '../../test/support/with-task.js';

const KINDS: readonly SandboxKind[] = ['bwrap', 'docker'];
const probes = await Promise.all(KINDS.map((kind) => sandboxMember(kind).probe()));

/** Sentences of every spec, hidden test and reference change, by what they belong to. */
async function needles(task: TaskPackage): Promise<{ name: string; text: string }[]> {
  const found: { name: string; text: string }[] = [];
  for (const stage of task.task.stages.keys()) {
    const spec = task
      .requirement(stage)
      .split('\n')
      .filter((line) => /^\d\./.test(line));
    for (const line of spec) found.push({ name: `spec ${stage}`, text: line.replace(/^\d\. /, '') });
    const { tests } = await task.suiteFiles(stage);
    const own = tests.get('test/slug.test.js')?.content.toString('utf8').split('\n') ?? [];
    for (const line of own.filter((one) => one.includes('assert.equal(')))
      found.push({ name: `test ${stage}`, text: line.trim() });
  }
  for (const text of ['const separator = options.separator', 'options.maxLength !== undefined'])
    found.push({ name: 'reference', text });
  found.push({ name: 'canary', text: task.task.source.canary });
  found.push({ name: 'states', text: task.states.at(-1) ?? '' });
  return found;
}

describe.each(probes)('an agent that searches all it can see in $kind ($reason)', ({ kind, usable }) => {
  it.skipIf(!usable)(
    'finds its own stage and nothing of a later one, of hidden tests, of the reference, of the task',
    async () => {
      await withTask(async (task, folder) => {
        const wanted = await needles(task);
        const list = Buffer.from(wanted.map(({ text }) => `${text}\n`).join('')).toString('base64');
        // Needles travel encoded, so that the search does not find itself; objects of git are searched unpacked.
        const search =
          `echo ${list} | base64 -d > /tmp/needles; ` +
          'git cat-file --batch-all-objects --batch > /tmp/objects 2>/dev/null; git log --all -p >> /tmp/objects; ' +
          // The host's own system folders are in every sandbox and hold nothing of ours.
          'set --; for dir in /*; do case $dir in /proc|/sys|/dev|/usr|/lib*|/bin|/sbin|/nix) continue;; esac; set -- "$@" "$dir"; done; ' +
          'grep -raohF -f /tmp/needles --exclude=needles --exclude=found-* --exclude-dir=.pyenv --exclude-dir=.rustup --exclude-dir=.cargo "$@" 2>/dev/null | sort -u > /tmp/found; ' +
          'cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n" | grep -aF -f /tmp/needles >> /tmp/found; ' +
          'cp /tmp/found found-$FEATUREARC_STAGE; rm -f /tmp/needles /tmp/objects /tmp/found; ' +
          'find "$@" \\( -name .pyenv -o -name .rustup -o -name .cargo \\) -prune -o -name task.json -print -o -name suite.json -print -o -name "*.bundle" -print 2>/dev/null > named-$FEATUREARC_STAGE';
        const agents = [{ name: 'probe', scaffold: 'command', options: { command: search } }];
        const report = await playExperiment(folder, { agents, sandbox: { kind } });
        expect(report.runs.map(({ end, fault }) => [end, fault])).toEqual([['complete', null]]);
        const repository = await createRepository(join(report.folder, 'runs/probe/words-slug/1/snapshots.git'));
        for (const stage of task.task.stages.keys()) {
          const files = await repository.files(`refs/stages/${stage}`);
          const read = async (path: string) => (await repository.readBlob(files.get(path)?.oid ?? '')).toString('utf8');
          const found = new Set((await read(`found-${stage}`)).split('\n').filter((line) => line !== ''));
          const due = wanted.filter(({ name }) => name === `spec ${stage}`).map(({ text }) => text);
          expect([...found].sort(), `stage ${stage}`).toEqual(due.sort());
          expect(await read(`named-${stage}`)).toBe('');
        }
        await repository.close();
        expect(await readFile(join(report.folder, 'runs/probe/words-slug/1/stages/0/native/stderr.txt'), 'utf8')).toBe(
          '',
        );
      });
    },
  );
});
