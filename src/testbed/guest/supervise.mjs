// Runs processes with tests in them, one after the other, and reports what they say and how they end.
// Stands between the grader and the code under test: what a test process does to itself cannot stop or write this report.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openReport } from './report-lines.mjs';
import { runWatched } from './watched-child.mjs';

const order = JSON.parse(readFileSync(0, 'utf8'));
forgetInput();
const report = openReport(order.secret);
order.secret = '';

report({ t: 'header', version: 1, tool: `node ${process.version}` });
const deadlineAt = performance.now() + order.deadlineMs;
const watch = { testMs: order.testSilenceMs, loadMs: order.loadSilenceMs, deadlineAt };
const clock = order.clockMs > 0 ? movedClock(order.clockMs) : {};
let reached = 0;
for (const child of order.children) {
  if (performance.now() >= deadlineAt) break;
  const number = reached;
  reached += 1;
  report({ t: 'process-start', process: number });
  const end = await runWatched(
    { ...child, env: { ...child.env, ...clock }, tailBytes: order.tailBytes },
    watch,
    (event) => report({ t: 'event', process: number, event }),
  );
  report({ t: 'process-end', process: number, ...end, output: end.output.toString('base64') });
}
report({ t: 'end', reached });
process.exit(0);

/** Through NODE_OPTIONS, so that programs which the tests start live in the same time. */
function movedClock(clockMs) {
  const preload = fileURLToPath(new URL('./clock.cjs', import.meta.url));
  const options = [process.env.NODE_OPTIONS ?? '', '--require', JSON.stringify(preload)].join(' ').trim();
  return { NODE_OPTIONS: options, FEATUREARC_CLOCK_MS: String(clockMs) };
}

/** Empties the file behind standard input, and lets go of it: no process here shall read the secret from there. */
function forgetInput() {
  try {
    closeSync(openSync('/proc/self/fd/0', 'w'));
  } catch {
    // A pipe has nothing left to empty, and a read-only file is not ours.
  }
  closeSync(0);
  openSync('/dev/null', 'r');
}
