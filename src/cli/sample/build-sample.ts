import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createRepository } from '#git/index.js';
import { certain } from '#kernel/faults.js';

const SAMPLE = fileURLToPath(new URL('../../../examples/sample/', import.meta.url));

const chainShape = z.object({ feature: z.string(), stages: z.array(z.array(z.string()).min(1)).min(1) });

export interface SampleRepository {
  /** Bare repository. */
  folder: string;
  feature: string;
  /** Commit ids of each stage, oldest first. */
  stages: string[][];
}

/**
 * Rebuilds the bundled sample repository from its patches. Authors, dates and so the commit ids are the same everywhere.
 * @param folder where the bare repository `shelf.git` goes
 */
export async function buildSampleRepository(folder: string): Promise<SampleRepository> {
  const gitDir = join(folder, 'shelf.git');
  const workTree = join(folder, 'shelf');
  await mkdir(workTree, { recursive: true });
  const repository = await createRepository(gitDir);
  try {
    const patches = (await readdir(join(SAMPLE, 'history'))).filter((name) => name.endsWith('.patch')).sort();
    await repository.git({
      args: [
        '-c',
        'core.bare=false',
        `--work-tree=${workTree}`,
        '-C',
        workTree,
        'am',
        '--quiet',
        '--committer-date-is-author-date',
        '--keep-cr',
        ...patches.map((name) => join(SAMPLE, 'history', name)),
      ],
      env: { GIT_COMMITTER_NAME: 'The shelf authors', GIT_COMMITTER_EMAIL: 'authors@shelf.example' },
    });
    const { feature, stages } = chainShape.parse(JSON.parse(await readFile(join(SAMPLE, 'chain.json'), 'utf8')));
    const log = await repository.git({ args: ['log', '-z', '--format=%H %s', 'HEAD'] });
    const bySubject = new Map(
      log.stdout
        .toString('utf8')
        .split('\0')
        .map((line) => [line.slice(41), line.slice(0, 40)]),
    );
    return {
      folder: gitDir,
      feature,
      stages: stages.map((subjects) =>
        subjects.map((subject) => certain(bySubject.get(subject), `sample commit "${subject}"`)),
      ),
    };
  } finally {
    await repository.close();
  }
}
