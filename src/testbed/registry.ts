import { RUNNERS, type RunnerName } from '#documents/test-identity.js';
import { Fault } from '#kernel/faults.js';
import type { Runner } from './contract.js';
import { nodeTestRunner } from './runners/node-test/node-test-runner.js';
import { pytestRunner } from './runners/pytest/pytest-runner.js';
import { vitestRunner } from './runners/vitest/vitest-runner.js';

const MEMBERS: readonly Runner[] = [nodeTestRunner, pytestRunner, vitestRunner];

/** The runner of a name. */
export function runnerNamed(name: RunnerName): Runner {
  const member = MEMBERS.find((candidate) => candidate.name === name);
  if (member !== undefined) return member;
  throw new Fault({
    code: 'runner-unknown',
    kind: 'input',
    message: `there is no test runner ${JSON.stringify(name)}`,
    hint: `Known are: ${RUNNERS.join(', ')}.`,
  });
}
