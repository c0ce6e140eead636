'use strict';
// Loaded into vitest's worker processes before anything else: notes what only tampering does. The worker has no channel of
// its own, so notes go into a file that the process which started vitest reads at the end.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { watchParts, watchReads } = require('../self-check.cjs');

const folder = process.env.FEATUREARC_NOTES;
const root = process.env.FEATUREARC_ROOT;
// Programs that tests start are nobody's workers.
for (const name of ['NODE_OPTIONS', 'FEATUREARC_NOTES', 'FEATUREARC_ROOT']) delete process.env[name];

/** Parts that vitest itself leaves alone. */
const PARTS = ['node:assert', 'node:assert/strict', 'JSON', 'Array.prototype', 'AsyncResource.prototype'];

if (folder !== undefined && root !== undefined && process.send !== undefined) {
  const stringify = JSON.stringify;
  const told = new Set();
  const note = (what) => {
    if (told.has(what) || told.size >= 20) return;
    told.add(what);
    try {
      appendFileSync(join(folder, `${process.pid}.ndjson`), `${stringify({ what })}\n`);
    } catch {
      // A sign less: nothing depends on it.
    }
  };
  const replacedParts = watchParts(PARTS);
  watchReads({ root }, (file) => note(`the code under test read ${file}`));
  const look = () => {
    for (const what of replacedParts().slice(0, 5)) note(`the code under test replaced ${what}`);
  };
  // Workers are ended from outside; what they say last goes through here.
  const send = process.send;
  process.send = function (...message) {
    look();
    return send.apply(this, message);
  };
  const reallyExit = process.reallyExit;
  process.reallyExit = (code) => {
    const frames = String(new Error('here').stack).split('\n');
    if (frames.some((line) => line.includes(`${root}/`) && !line.includes('/node_modules/')))
      note('the code under test ended its process by itself');
    return reallyExit.call(process, code);
  };
}
