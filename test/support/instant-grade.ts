import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Verdict } from '#documents/verdict.js';
import type { GradeSnapshot } from '#evaluate/index.js';
import { instantOf } from '#kernel/clock.js';
import { digestOfJson } from '#kernel/ids.js';
import { runProcess } from '#process/index.js';

/**
 * A gate for tests of what surrounds gates: it runs the suite's files with node's own test runner on the snapshot's
 * `src`, without a sandbox and without any guard. Only for snapshots of scripted agents of ours.
 */
export const instantGrade: GradeSnapshot = async (request) => {
  const { package: task, stage, repository, snapshotTree } = request;
  const suite = task.suite(stage);
  const folder = await mkdtemp(join(tmpdir(), 'instant-grade-'));
  try {
    for (const [path, file] of await repository.files(snapshotTree)) {
      if (!path.startsWith('src/') && path !== 'package.json') continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), await repository.readBlob(file.oid));
    }
    const passing: string[] = [];
    for (const [path, { content }] of (await task.suiteFiles(stage)).tests) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
      const argv = [process.execPath, '--test', '--test-reporter=tap', join(folder, path)];
      const ran = await runProcess({ argv, cwd: folder, env: { PATH: process.env.PATH ?? '' } });
      for (const [, title] of ran.stdout.toString('utf8').matchAll(/^\s*ok \d+ - (.*)$/gm)) passing.push(title ?? '');
    }
    const tests = suite.tests.map(({ id, kind, key }) => {
      const status = passing.includes(key.path.at(-1) ?? '') ? ('pass' as const) : ('fail' as const);
      return { id, kind, status, attempts: [status], durationMs: null, message: null };
    });
    const passes = (kind: 'f2p' | 'p2p') => tests.every((test) => test.kind !== kind || test.status === 'pass');
    const gradedAt = instantOf(request.clock);
    const verdict: Verdict = {
      id: digestOfJson({ stage, snapshotTree, agent: request.agent, attempt: request.attempt, gradedAt }).slice(7, 23),
      derivedFrom: request.derivedFrom,
      ...{ agent: request.agent, task: task.task.id, attempt: request.attempt, stage, round: request.round },
      ...{ snapshot: snapshotTree, gradedTree: snapshotTree, gateDigest: suite.gateDigest },
      ...{ environment: task.environment.digest, grader: 'instant', sandbox: request.sandbox.kind },
      ...{ f2p: passes('f2p'), p2p: passes('p2p'), failure: null, valid: true, tests, twins: [], marks: [] },
      ...{ control: null, gradings: [], flips: [], gradedAt, seconds: 0 },
    };
    return { verdict, output: Buffer.from('instant\n') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
