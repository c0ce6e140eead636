import type { Suite } from '#documents/suite.js';

/**
 * A test as an agent might leave one beside the suite's: of the runner's kind, next to a hidden file, and ruinous if it
 * were run.
 * @returns its path key and text
 */
export function ownTestFor(suite: Suite): { path: string; text: string } {
  const [run] = suite.runs;
  const beside = run?.files[0] ?? '';
  const folder = beside.slice(0, beside.lastIndexOf('/') + 1);
  if (run?.runner === 'pytest') return { path: `${folder}test_agents_own.py`, text: 'import os\n\nos._exit(1)\n' };
  const ending = /(?:\.(?:test|spec))?\.[A-Za-z]+$/.exec(beside)?.[0] ?? '.test.js';
  return { path: `${folder}agents-own${ending}`, text: 'process.exit(1);\n' };
}
