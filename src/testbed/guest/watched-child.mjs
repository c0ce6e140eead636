// One process with tests in it: its events, the tail of its output, its end, and the watch that ends it.
import { spawn } from 'node:child_process';

const MAX_LINE_BYTES = 1024 * 1024;
/** A process that the tests left behind may hold a pipe open after the end; so long is waited for its last words. */
const DRAIN_MS = 300;

/**
 * Runs one child to its end.
 * @param child {args, env, input, cwd?} arguments for this same Node
 * @param watch {testMs, loadMs, deadlineAt} silence allowed while a test runs, and while none does; end of all time
 * @param onEvent called for each event that the child's reporter wrote
 * @returns {exitCode, signal, killed, garbage, output} `killed` says what ran out: test | load | deadline | null
 */
export function runWatched(child, watch, onEvent) {
  return new Promise((resolve) => {
    const spawned = spawn(process.execPath, child.args, {
      env: { ...process.env, ...child.env, FEATUREARC_EVENTS: String(process.pid) },
      stdio: [child.input === null ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const facts = { killed: null, garbage: 0 };
    let inTest = false;
    const kill = (why) => {
      facts.killed ??= why;
      killGroup(spawned.pid);
    };
    let timer = null;
    const rearm = () => {
      clearTimeout(timer);
      const left = watch.deadlineAt - performance.now();
      const silence = inTest ? watch.testMs : watch.loadMs;
      timer = setTimeout(() => kill(left <= silence ? 'deadline' : inTest ? 'test' : 'load'), Math.min(left, silence));
    };
    rearm();
    const output = keepTail([spawned.stdout, spawned.stderr], child.tailBytes);
    const events = spawned.stdio[3];
    readLines(events, (line) => {
      const event = line === null ? null : parseEvent(line);
      if (event === null) {
        facts.garbage += 1;
        return;
      }
      if (event.t === 'test-start') inTest = true;
      else if (event.t === 'test-end') inTest = false;
      if (facts.killed === null) rearm();
      onEvent(event);
    });
    if (child.input !== null) {
      spawned.stdin.on('error', () => undefined);
      spawned.stdin.end(child.input);
    }
    let ended = null;
    const finish = () => {
      clearTimeout(timer);
      killGroup(spawned.pid);
      for (const stream of [spawned.stdout, spawned.stderr, events]) stream.destroy();
      resolve({ ...facts, ...ended, output: output() });
    };
    spawned.on('error', (error) => {
      ended = { exitCode: null, signal: null, spawnError: String(error) };
      finish();
    });
    spawned.on('exit', (exitCode, signal) => {
      clearTimeout(timer);
      ended = { exitCode, signal };
      const late = setTimeout(finish, DRAIN_MS);
      Promise.all([closed(spawned.stdout), closed(spawned.stderr), closed(events)]).then(() => {
        clearTimeout(late);
        finish();
      });
    });
  });
}

function closed(stream) {
  return new Promise((resolve) => {
    if (stream.closed || stream.destroyed) resolve();
    else stream.once('close', resolve);
  });
}

function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (thrown) {
    if (thrown.code !== 'ESRCH') throw thrown;
  }
}

function parseEvent(line) {
  try {
    const value = JSON.parse(line);
    return value !== null && typeof value === 'object' && typeof value.t === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Calls `onLine` with each line, or with null for one that is too long. The last line counts only when it is whole. */
function readLines(stream, onLine) {
  let held = [];
  let size = 0;
  stream.on('error', () => undefined);
  stream.on('data', (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      size += at;
      onLine(size > MAX_LINE_BYTES ? null : Buffer.concat([...held, rest.subarray(0, at)]).toString('utf8'));
      held = [];
      size = 0;
      rest = rest.subarray(at + 1);
    }
    size += rest.length;
    if (size <= MAX_LINE_BYTES) held.push(rest);
    else held = [];
  });
}

function keepTail(streams, limit) {
  let chunks = [];
  let size = 0;
  for (const stream of streams) {
    stream.on('error', () => undefined);
    stream.on('data', (chunk) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > 2 * limit) {
        chunks = [Buffer.concat(chunks).subarray(-limit)];
        size = limit;
      }
    });
  }
  return () => Buffer.concat(chunks).subarray(-limit);
}
