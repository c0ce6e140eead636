import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReferenceHand } from '#agents/index.js';
import { blobId, diffTrees, type Repository, type TreeFile } from '#git/index.js';
import { languageOf } from '#languages/index.js';
import { type StandingPath, type TaskPackage, type UntrustedFolder, withTemporaryFolder } from '#store/index.js';

/** Acts on a workspace by the task's reference states, which are read on the host and never enter a sandbox. */
export function referenceHand(repository: Repository, task: TaskPackage, files: UntrustedFolder): ReferenceHand {
  const changesOf = async (stage: number) =>
    diffTrees(await repository.files(`refs/states/${stage}`), await repository.files(`refs/states/${stage + 1}`));
  return {
    stages: task.task.stages.length,
    applyStage: async (stage) => {
      const conflicts: string[] = [];
      for (const change of await changesOf(stage))
        if (!(await applyChange(repository, files, change))) conflicts.push(change.path);
      return { conflicts };
    },
    sourceOf: async (stage) => {
      const isTest = testFiles(task, stage);
      const found: { path: string; text: Buffer; addedLines: number[] }[] = [];
      for (const { path, before, after } of await changesOf(stage)) {
        if (after === null || !after.mode.startsWith('100') || languageOf(path) === null || isTest(path)) continue;
        const text = await repository.readBlob(after.oid);
        found.push({ path, text, addedLines: await addedLines(repository, before, after, text) });
      }
      return found;
    },
  };
}

interface Change {
  path: string;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** Brings one file from S_k to S_(k+1), keeping what the workspace changed of it. @returns false where both changed the same */
async function applyChange(repository: Repository, files: UntrustedFolder, change: Change): Promise<boolean> {
  const { path, before, after } = change;
  const standing = await files.look(path);
  const ours = standing === null ? null : standingFile(standing);
  if (sameFile(ours, after)) return true;
  if (sameFile(ours, before)) {
    await put(repository, files, path, after);
    return true;
  }
  if (after === null || standing?.kind !== 'file' || !after.mode.startsWith('100')) {
    await put(repository, files, path, after);
    return false;
  }
  const base = before?.mode.startsWith('100') === true ? await repository.readBlob(before.oid) : Buffer.alloc(0);
  const merged = await mergeTexts(repository, standing.content, base, await repository.readBlob(after.oid));
  await files.write(path, merged.text, after.mode === '100755');
  return merged.clean;
}

async function put(repository: Repository, files: UntrustedFolder, path: string, file: TreeFile | null): Promise<void> {
  const standing = await files.look(path);
  if (file === null || (standing !== null && standing.kind !== 'file')) await files.remove(path);
  if (file === null || file.mode === '160000') return;
  const content = await repository.readBlob(file.oid);
  if (file.mode === '120000') await files.link(path, content);
  else await files.write(path, content, file.mode === '100755');
}

function standingFile(standing: StandingPath): TreeFile | null {
  if (standing.kind === 'link') return { mode: '120000', oid: blobId(standing.target) };
  if (standing.kind !== 'file') return { mode: '160000', oid: '' };
  return { mode: standing.executable ? '100755' : '100644', oid: blobId(standing.content) };
}

function sameFile(a: TreeFile | null, b: TreeFile | null): boolean {
  return a === null || b === null ? a === b : a.mode === b.mode && a.oid === b.oid;
}

/** Three-way by lines; where both sides changed the same lines the reference's are taken. */
async function mergeTexts(
  repository: Repository,
  ours: Buffer,
  base: Buffer,
  theirs: Buffer,
): Promise<{ text: Buffer; clean: boolean }> {
  return withTemporaryFolder('merge', async (folder) => {
    const paths = { ours: join(folder, 'ours'), base: join(folder, 'base'), theirs: join(folder, 'theirs') };
    await writeFile(paths.ours, ours);
    await writeFile(paths.base, base);
    await writeFile(paths.theirs, theirs);
    const merge = (...options: string[]) =>
      repository.git({
        args: ['merge-file', '-p', '-q', ...options, paths.ours, paths.base, paths.theirs],
        accept: [...Array(128).keys(), 255],
      });
    const plain = await merge();
    if (plain.exitCode === 0) return { text: plain.stdout, clean: true };
    // 255 is git's word for what it cannot merge by lines: binary content.
    if (plain.exitCode === 255) return { text: theirs, clean: false };
    return { text: (await merge('--theirs')).stdout, clean: false };
  });
}

async function addedLines(
  repository: Repository,
  before: TreeFile | null,
  after: TreeFile,
  text: Buffer,
): Promise<number[]> {
  if (before === null || !before.mode.startsWith('100'))
    return Array.from({ length: text.toString('latin1').split('\n').length }, (_, index) => index + 1);
  if (before.oid === after.oid) return [];
  const { stdout } = await repository.git({
    args: ['diff', '-U0', '--no-color', '--no-ext-diff', '--no-textconv', before.oid, after.oid],
  });
  const lines: number[] = [];
  for (const [, start, count] of stdout.toString('latin1').matchAll(/^@@ -[0-9,]+ \+([0-9]+)(?:,([0-9]+))? @@/gm))
    for (let line = 0; line < Number(count ?? 1); line += 1) lines.push(Number(start) + line);
  return lines;
}

/** Files of a stage's suite, and what tests are called in this project. */
function testFiles(task: TaskPackage, stage: number): (path: string) => boolean {
  const suite = task.suite(stage);
  const overlaid = new Set(suite.overlay);
  const patterns = suite.setAside.map((pattern) => new RegExp(pattern));
  return (path) => overlaid.has(path) || patterns.some((pattern) => pattern.test(path));
}
