// The groups of tests: where their files are, what they need of the machine, and how to get it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const works = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
const bwrap = () => (works('bwrap', '--version') ? null : 'bubblewrap is not installed (apt-get install bubblewrap)');
const pytest = () =>
  works('python3', '-m', 'pytest', '--version') ? null : 'pytest is not installed (python3 -m pip install pytest)';
const docker = () => (works('docker', 'info') ? null : 'no Docker daemon answers (tools/start-docker.sh)');
const chromium = () => (works('chromium', '--version') ? null : 'Chromium is not installed (apt-get install chromium)');
const repositories = () => {
  const folder = process.env.FEATUREARC_REPOS;
  if (folder === undefined) return 'FEATUREARC_REPOS names no folder with clones of public repositories';
  return existsSync(folder) ? null : `FEATUREARC_REPOS: ${folder} does not exist`;
};

/** `needs`: null where the machine has it, else why not. `optional`: may be missing even where skipping is forbidden. */
export const GROUPS = [
  { name: 'unit', paths: ['src'], needs: [] },
  { name: 'contract', paths: ['test/contract', 'test/support'], needs: [bwrap, pytest] },
  { name: 'house', paths: ['test/house'], needs: [] },
  { name: 'e2e', paths: ['test/e2e'], needs: [bwrap, pytest] },
  { name: 'adversary', paths: ['test/adversary'], needs: [bwrap, pytest] },
  { name: 'docker', paths: ['test/docker'], needs: [docker] },
  { name: 'page', paths: ['test/page'], needs: [chromium] },
  { name: 'real', paths: ['test/real'], needs: [repositories, bwrap, pytest], optional: true },
].filter(({ paths }) => paths.some((path) => existsSync(path)));
