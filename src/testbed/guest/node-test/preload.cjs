'use strict';
// Loaded into a test file's process before anything else: sees node:test's own events the moment they happen.
const { Readable } = require('node:stream');
const { active, send, describe, watchEnd } = require('../event-channel.cjs');
const { watchParts, watchReads } = require('../self-check.cjs');

const ERRORS = new Set(['hookFailed', 'cancelledByParent', 'testAborted']);
/** Titles by nesting: as started to run, and as reported (in the order of the source). */
const running = [];
const reported = [];
const seen = new Map();
let direct = false;

function statusOf(data, passed) {
  if (data.skip !== undefined && data.skip !== false) return 'skip';
  if (data.todo !== undefined && data.todo !== false) return 'todo';
  if (passed) return 'pass';
  const kind = data.details?.error?.failureType;
  if (kind === 'testTimeoutFailure') return 'timeout';
  return ERRORS.has(kind) ? 'error' : 'fail';
}

function messageOf(data) {
  const error = data.details?.error;
  if (error === undefined) return null;
  return describe(error.cause instanceof Error ? error.cause : error);
}

function onResult(data, passed) {
  reported.length = data.nesting;
  const path = [...reported, data.name];
  if (data.details?.type === 'suite') {
    const kind = data.details.error?.failureType;
    const own = !passed && kind !== 'subtestsFailed' && kind !== 'cancelledByParent';
    send({ t: 'group-end', path, failed: !passed, message: own ? messageOf(data) : null });
    return;
  }
  const id = JSON.stringify(path);
  const ordinal = seen.get(id) ?? 0;
  seen.set(id, ordinal + 1);
  const status = statusOf(data, passed);
  const message = status === 'pass' ? null : messageOf(data);
  send({ t: 'test-end', path, ordinal, status, raw: path.join(' > '), ms: data.details?.duration_ms ?? null, message });
}

function onEvent(type, data) {
  if (type === 'test:dequeue') {
    running.length = data.nesting;
    running[data.nesting] = data.name;
    send({ t: 'test-start', path: [...running] });
  } else if (type === 'test:start') {
    reported.length = data.nesting;
    reported[data.nesting] = data.name;
  } else if (type === 'test:pass' || type === 'test:fail') {
    onResult(data, type === 'test:pass');
  }
}

/**
 * node:test hands its events to reporters some ticks late, and a process that exits or hangs in a test hands over none.
 * Its stream emits each event at once, so we listen there, from the first event on.
 */
function listenAtTheSource() {
  const push = Readable.prototype.push;
  const listening = function (chunk, ...more) {
    if (typeof chunk?.type === 'string' && chunk.type.startsWith('test:') && this.constructor?.name === 'TestsStream') {
      Readable.prototype.push = push;
      direct = true;
      onEvent(chunk.type, chunk.data);
      const emit = this.emit;
      this.emit = function (type, data, ...others) {
        if (typeof type === 'string' && type.startsWith('test:')) onEvent(type, data);
        return emit.call(this, type, data, ...others);
      };
    }
    return push.call(this, chunk, ...more);
  };
  Readable.prototype.push = listening;
  return () => {
    if (Readable.prototype.push === listening) Readable.prototype.push = push;
  };
}

/** Says at the end whether the code under test replaced parts of the runner or read hidden tests. */
function watchTampering() {
  const replacedParts = watchParts();
  watchReads({ testFile: process.argv[1] ?? '' }, (file) =>
    send({ t: 'suspicion', what: `the code under test read ${file}` }),
  );
  const stopListening = listenAtTheSource();
  process.on('exit', () => {
    stopListening();
    for (const what of replacedParts().slice(0, 5))
      send({ t: 'suspicion', what: `the code under test replaced ${what}` });
  });
}

if (active) {
  watchEnd();
  watchTampering();
}

/** For the reporter: an event that arrived the slow way counts only where the fast way is not open. */
module.exports = {
  onReported: (event) => {
    if (active && !direct) onEvent(event.type, event.data);
  },
  onAllReported: () => send({ t: 'reported' }),
};
