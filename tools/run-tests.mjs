// `npm test [GROUP...]`: installs and compiles what is needed, runs every group of tests that this machine can run, names
// each skipped group and why, and ends with the plain line that counts. FEATUREARC_NO_SKIP=1 makes a skip a failure.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, installPackages } from './installed.mjs';
import { GROUPS } from './test-groups.mjs';

installPackages();
compile();

/** Clones that nobody ships, and isolation tests of the sandbox that isolates nothing. */
const MAY_SKIP = /FEATUREARC_REPOS|^the local sandbox /;

const strict = process.env.FEATUREARC_NO_SKIP === '1';
const asked = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
const notes = [];
const folder = mkdtempSync(join(tmpdir(), 'featurearc-tests-'));

for (const group of GROUPS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  const missing = group.needs.map((probe) => probe()).filter((reason) => reason !== null);
  if (missing.length > 0) {
    notes.push(`skipped group ${group.name}: ${missing.join('; ')}`);
    if (strict && group.optional !== true) total.failed += 1;
    continue;
  }
  process.stdout.write(`\n== ${group.name}\n`);
  runGroup(group);
}
rmSync(folder, { recursive: true, force: true });

for (const note of notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function runGroup({ name, paths, optional }) {
  const report = join(folder, `${name}.json`);
  const args = [
    'vitest',
    'run',
    '--passWithNoTests',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...paths,
  ];
  const run = spawnSync('npx', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch (error) {
    notes.push(`group ${name} left no report (exit code ${run.status ?? run.signal}): ${error.message}`);
    total.failed += 1;
    return;
  }
  for (const file of results.testResults) {
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      notes.push(`failed to load: ${file.name}: ${file.message}`);
      total.failed += 1;
    }
    for (const test of file.assertionResults) count(test, optional === true);
  }
  // Errors outside any test (an unhandled rejection) fail the run though every test passed.
  if (run.status !== 0 && results.numFailedTests === 0 && results.success) {
    notes.push(`group ${name} ended with exit code ${run.status ?? run.signal} though no test failed`);
    total.failed += 1;
  }
}

function count(test, optional) {
  if (test.status === 'passed') total.passed += 1;
  else if (test.status === 'failed') {
    total.failed += 1;
    notes.push(`failed: ${test.fullName}`);
  } else if (strict && !optional && !MAY_SKIP.test(test.fullName)) {
    total.failed += 1;
    notes.push(`skipped although skipping is forbidden here: ${test.fullName}`);
  } else {
    total.skipped += 1;
    notes.push(`skipped: ${test.fullName}`);
  }
}
