// Runs every check and prints all findings at once, so that one run shows all there is to mend.
import { spawnSync } from 'node:child_process';

const CHECKS = ['format', 'lint', 'types', 'house', 'unused', 'generated'];
const failed = CHECKS.filter((name) => {
  const run = spawnSync('npm', ['run', '--silent', `check:${name}`], { encoding: 'utf8' });
  process.stdout.write(`${run.status === 0 ? 'ok    ' : 'FAILED'} check:${name}\n`);
  if (run.status !== 0) process.stdout.write(`${run.stdout}${run.stderr}\n`);
  return run.status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
