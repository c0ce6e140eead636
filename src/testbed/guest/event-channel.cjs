'use strict';
// The way from inside a test process to its supervisor: descriptor 3, one JSON line per event, written at once.
const { writeSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

// Captured before any code under test can change them.
const stringify = JSON.stringify;
const from = Buffer.from.bind(Buffer);

// A process that a test starts inherits our flags, but its descriptor 3 is something else.
const active = isMainThread && process.env.FEATUREARC_EVENTS === String(process.ppid);
if (isMainThread) delete process.env.FEATUREARC_EVENTS;

function send(event) {
  if (!active) return;
  const bytes = from(`${stringify(event)}\n`);
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(3, bytes, offset);
    } catch (thrown) {
      if (thrown.code !== 'EAGAIN') return;
    }
  }
}

/** The first characters of what was thrown, stack included; safe against hostile objects. */
function describe(thrown) {
  try {
    const text = thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack : String(thrown);
    return text.slice(0, 4000);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}

/** Tells how this process comes to its end: out of work, told to exit, or by an exception nobody caught. */
function watchEnd() {
  if (!active) return;
  process.on('beforeExit', () => send({ t: 'drained' }));
  process.on('uncaughtExceptionMonitor', (error) => {
    send({ t: 'uncaught', name: String(error?.name), code: String(error?.code), message: describe(error) });
  });
  const reallyExit = process.reallyExit;
  process.reallyExit = (code) => {
    send({ t: 'exit-called', code: code ?? null });
    return reallyExit.call(process, code);
  };
}

module.exports = { active, send, describe, watchEnd };
