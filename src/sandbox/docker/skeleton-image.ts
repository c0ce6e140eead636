import { createHash } from 'node:crypto';
import { Fault } from '#kernel/faults.js';
import { baseSystem } from '../host/base-system.js';
import { callIfThere, openCall, readAll } from './engine.js';
import { type TarEntry, tarOf } from './tar.js';

const REPOSITORY = 'featurearc-skeleton';
const FOLDERS = ['dev', 'etc', 'proc', 'sys', 'tmp', 'featurearc'];

/**
 * The image of all our containers: no file at all, only empty places for what is mounted from the host. Named by its
 * content, imported once; no registry is asked.
 * @returns the image's name
 */
export async function ensureSkeletonImage(): Promise<string> {
  const entries: TarEntry[] = FOLDERS.map((path) => ({ path, link: null }));
  for (const { path, link } of baseSystem()) entries.push({ path: path.slice(1), link });
  const tar = tarOf(entries);
  const tag = createHash('sha256').update(tar).digest('hex').slice(0, 16);
  const name = `${REPOSITORY}:${tag}`;
  if ((await callIfThere({ method: 'GET', path: `/images/${name}/json` })) !== null) return name;
  const answer = await openCall({
    method: 'POST',
    path: '/images/create',
    query: { fromSrc: '-', repo: REPOSITORY, tag },
    body: tar,
  });
  const report = (await readAll(answer)).toString('utf8');
  // The engine reports a failed import in a successful answer; whether the image is there tells.
  if ((await callIfThere({ method: 'GET', path: `/images/${name}/json` })) !== null) return name;
  throw new Fault({
    code: 'docker-refused',
    kind: 'environment',
    message: `the Docker engine did not import our base image: ${report.trim().slice(0, 500)}`,
    hint: 'Look for a full disk below Docker’s data folder.',
  });
}
