// Starts the environment's own vitest with our reporter on the files that the order on standard input names.
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EventReporter } from './reporter.mjs';

const { send, describe } = createRequire(import.meta.url)('../event-channel.cjs');

const order = JSON.parse(readFileSync(0, 'utf8'));
const pathOf = (key) => join(order.workspace, Buffer.from(key, 'latin1').toString('utf8'));
const keys = new Map(order.files.map((key) => [pathOf(key), key]));
const realWorkspace = realpathSync(order.workspace);
/** vitest may know a file by its real path. */
const keyOf = (path) =>
  keys.get(path) ??
  (path.startsWith(`${realWorkspace}/`) ? keys.get(join(order.workspace, path.slice(realWorkspace.length))) : null) ??
  path;

/** Runs exactly the files asked for, in the order asked for. */
class OrderedSequencer {
  shard(specifications) {
    return specifications;
  }

  sort(specifications) {
    const place = new Map(order.files.map((key, index) => [key, index]));
    const key = (specification) => keyOf(specification.moduleId ?? specification[1]);
    return specifications
      .filter((specification) => place.has(key(specification)))
      .sort((a, b) => place.get(key(a)) - place.get(key(b)));
  }
}

/** The folder of the vitest that code in the working folder would get. */
function vitestFolder() {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', 'vitest');
    try {
      return { folder: candidate, manifest: JSON.parse(readFileSync(join(candidate, 'package.json'), 'utf8')) };
    } catch (thrown) {
      if (folder === dirname(folder)) throw new Error('vitest is not installed in the environment', { cause: thrown });
    }
  }
}

function entryOf(manifest) {
  let entry = manifest.exports?.['./node'];
  while (entry !== null && typeof entry === 'object') entry = entry.import ?? entry.default;
  return typeof entry === 'string' ? entry : 'dist/node.js';
}

function options() {
  const shuffle = order.order.kind === 'shuffled';
  return {
    run: true,
    watch: false,
    ui: false,
    open: false,
    reporters: [reporter],
    passWithNoTests: true,
    testTimeout: order.perTestTimeoutMs,
    retry: 0,
    bail: 0,
    cache: false,
    coverage: { enabled: false },
    sequence: { sequencer: OrderedSequencer, shuffle, ...(shuffle ? { seed: order.numberSeed } : {}) },
    ...(order.project === null ? {} : { project: [order.project] }),
    // A pattern that no title matches: files are loaded, bodies of tests are not run.
    ...(order.mode === 'list' ? { testNamePattern: '(?!)' } : {}),
  };
}

/** Has worker processes note what only tampering does. @returns a function that tells what they noted */
function watchWorkers() {
  const notes = mkdtempSync(join(tmpdir(), 'notes-'));
  process.env.FEATUREARC_NOTES = notes;
  process.env.FEATUREARC_ROOT = realWorkspace;
  const worker = fileURLToPath(new URL('./worker.cjs', import.meta.url));
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require=${JSON.stringify(worker)}`.trim();
  return () => {
    try {
      const lines = readdirSync(notes).flatMap((name) => readFileSync(join(notes, name), 'utf8').split('\n'));
      for (const line of lines.filter((one) => one !== '').slice(0, 50)) {
        const { what } = JSON.parse(line);
        if (typeof what === 'string') send({ t: 'suspicion', what: what.slice(0, 500) });
      }
    } catch {
      send({ t: 'suspicion', what: 'notes about the workers were tampered with' });
    }
  };
}

function failAll(thrown) {
  const message = `vitest could not start: ${describe(thrown)}`;
  process.stderr.write(`${message}\n`);
  for (const file of order.files) {
    send({ t: 'file-failed', file, kind: 'collect', message });
    send({ t: 'file-end', file });
  }
  send({ t: 'reported' });
  process.exitCode = 1;
}

const reporter = new EventReporter(order, keyOf, send);
// Older versions exit by themselves where none of the files is a test file.
process.on('exit', () => {
  if (reporter.ctx !== undefined && reporter.asked.size === 0) reporter.done();
});
try {
  const { folder, manifest } = vitestFolder();
  const { startVitest } = await import(pathToFileURL(join(folder, entryOf(manifest))).href);
  const tellNotes = watchWorkers();
  const vitest = await startVitest('test', order.files.map(pathOf), options());
  tellNotes();
  if (vitest !== undefined && !vitest.shouldKeepServer()) await vitest.exit();
} catch (thrown) {
  failAll(thrown);
}
