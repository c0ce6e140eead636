'use strict';
// Tells whether the code under test replaced parts of the runner, or read the hidden test files, in this process.
const { dirname } = require('node:path');
const { fileURLToPath } = require('node:url');

/** What cheats replace: module (or `globalThis`) and the functions in it; null for all of its functions. */
const WATCHED = [
  ['node:assert', null],
  ['node:assert/strict', null],
  ['node:test', null],
  ['node:fs', ['writeSync', 'writeFileSync', 'appendFileSync']],
  ['node:process', ['reallyExit', 'exit', 'emit']],
];
const GLOBALS = [
  ['JSON', JSON],
  ['Promise.prototype', Promise.prototype],
  ['Function.prototype', Function.prototype],
  ['Array.prototype', Array.prototype],
  ['AsyncResource.prototype', require('node:async_hooks').AsyncResource.prototype],
  ['EventEmitter.prototype', require('node:events').prototype],
  ['Readable.prototype', require('node:stream').Readable.prototype],
];
const CAPTURED = { keys: Reflect.ownKeys, get: Reflect.get, describe: Object.getOwnPropertyDescriptor };

function functionsOf(holder, names) {
  const found = new Map();
  for (const name of names ?? CAPTURED.keys(holder)) {
    const held = CAPTURED.describe(holder, name);
    if (typeof held?.value === 'function') found.set(name, held.value);
  }
  return found;
}

/**
 * Remembers the parts as they are now, all of them or those named.
 * @returns a function that names those that are others later
 */
function watchParts(only = null) {
  const parts = [
    ...WATCHED.map(([name, names]) => {
      const holder = require(name);
      return { name, holder, functions: functionsOf(holder, names) };
    }),
    ...GLOBALS.map(([name, holder]) => ({ name, holder, functions: functionsOf(holder, null) })),
  ].filter(({ name }) => only === null || only.includes(name));
  const plainKeys = new Set(CAPTURED.keys(Object.prototype));
  return () => {
    const replaced = [];
    for (const { name, holder, functions } of parts) {
      for (const [key, original] of functions) {
        if (CAPTURED.get(holder, key) !== original) replaced.push(`${name} ${String(key)}`);
      }
    }
    for (const key of CAPTURED.keys(Object.prototype)) {
      if (!plainKeys.has(key)) replaced.push(`Object.prototype ${String(key)}`);
    }
    return replaced;
  };
}

const TEST_NAME = /[._-](?:test|spec)\.[cm]?[jt]sx?$/;
const READERS = ['readFileSync', 'openSync', 'readFile', 'open', 'createReadStream'];

/**
 * Notices when code of the workspace reads test files: hidden tests are there to be run.
 * @param where {testFile}: those beside the test file at hand · {root}: those below a folder
 */
function watchReads({ testFile = '', root = null }, onRead) {
  const fs = require('node:fs');
  const folder = `${root ?? dirname(testFile)}/`;
  const pathOf = (place) => {
    try {
      return place instanceof URL ? fileURLToPath(place) : String(place);
    } catch {
      return '';
    }
  };
  const told = new Set();
  const look = (place) => {
    const path = pathOf(place);
    if (told.has(path) || !(path === testFile || (path.startsWith(folder) && TEST_NAME.test(path)))) return;
    // Loaders and the runner read test files too; they have no frame of the workspace above them but a test file's.
    const frames = String(new Error('here').stack).split('\n').slice(3);
    const others = frames.filter(
      (line) => !/\((?:node:|.*\/featurearc\/)|at node:|at async|\/node_modules\//.test(line),
    );
    const isTests = (line) =>
      root === null ? line.includes(folder) : /[._-](?:test|spec)\.[cm]?[jt]sx?[:?]/.test(line);
    if (others.length === 0 || others.every(isTests)) return;
    told.add(path);
    onRead(path.slice(folder.length));
  };
  for (const holder of [fs, fs.promises]) {
    for (const name of READERS) {
      const real = holder[name];
      if (typeof real !== 'function') continue;
      const { [name]: wrapped } = {
        [name](place, ...more) {
          look(place);
          return real.call(this, place, ...more);
        },
      };
      Object.defineProperty(wrapped, 'length', { value: real.length });
      holder[name] = wrapped;
    }
  }
  require('node:module').syncBuiltinESMExports();
}

module.exports = { watchParts, watchReads };
