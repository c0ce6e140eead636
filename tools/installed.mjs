// What a fresh clone needs before anything of ours can run: the packages of the lock file and the compiled program.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a command with our own streams; ends this program with its exit code where it fails. */
export function must(argv, env = process.env) {
  const [program, ...args] = argv;
  const run = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (run.status === 0) return;
  process.stderr.write(`${argv.join(' ')}: ${run.error?.message ?? `exit code ${run.status ?? run.signal}`}\n`);
  process.exit(run.status ?? 1);
}

/** `npm ci` where node_modules is missing or older than the lock file. */
export function installPackages() {
  const marker = 'node_modules/.featurearc-lock';
  const lock = readFileSync('package-lock.json', 'utf8');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return;
  must(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(marker, lock);
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return time;
}

/** Compiles where a source is newer than the last build. */
export function compile() {
  const built = 'dist/.built';
  if (existsSync(built) && statSync(built).mtimeMs > newest('src')) return;
  must(['npm', 'run', '--silent', 'build']);
  writeFileSync(built, '');
}
