import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNFINISHED_OUTCOMES } from '#documents/outcomes.js';
import { classifyOutcome, type DecidingFacts, type GatewayFacts } from './classify-outcome.js';

const FINE: DecidingFacts = {
  started: true,
  exitCode: 0,
  signal: null,
  timedOut: false,
  sessionLost: null,
  refused: false,
  activity: true,
  error: null,
};
const enforced = { pids: true, memory: true, cpus: true, disk: true, network: true, filesystem: true };
const SANDBOX = { diskFull: false, enforced };
const FULL_HOST = { diskFull: true, enforced: { ...enforced, disk: false } };
const FULL_QUOTA = { diskFull: true, enforced };
const GATEWAY: GatewayFacts = { requests: 3, lastFailure: null, budgetSpent: null, refused: false };

describe('the outcome of a stage', () => {
  it.each([
    ['completed', {}, null, SANDBOX],
    ['completed', {}, GATEWAY, SANDBOX],
    ['completed', { activity: null }, null, SANDBOX],
    ['completed', {}, null, { diskFull: null, enforced }],
    ['no-activity', { activity: false }, null, SANDBOX],
    ['agent-error', { exitCode: 1 }, null, SANDBOX],
    ['agent-error', { exitCode: null, signal: 'SIGKILL' }, null, SANDBOX],
    ['agent-error', { error: 'crashed' }, null, SANDBOX],
    ['agent-error', { sessionLost: 'agent' as const }, null, SANDBOX],
    ['agent-error', { exitCode: 1 }, null, FULL_QUOTA],
    ['agent-error', { exitCode: 1, activity: false }, null, SANDBOX],
    ['agent-refusal', { refused: true, exitCode: 1 }, null, SANDBOX],
    ['agent-refusal', {}, { ...GATEWAY, refused: true }, SANDBOX],
    ['agent-timeout', { timedOut: true, exitCode: null, signal: 'SIGKILL' }, null, SANDBOX],
    ['agent-timeout', { timedOut: true, exitCode: null }, GATEWAY, SANDBOX],
    ['agent-budget', { exitCode: 1 }, { ...GATEWAY, budgetSpent: 'dollars' as const }, SANDBOX],
    [
      'agent-budget',
      { exitCode: 1 },
      { ...GATEWAY, budgetSpent: 'tokens' as const, lastFailure: 'auth' as const },
      SANDBOX,
    ],
    ['provider-error', { exitCode: 1 }, { ...GATEWAY, lastFailure: 'overload' as const }, SANDBOX],
    ['provider-error', {}, { ...GATEWAY, lastFailure: 'auth' as const }, SANDBOX],
    ['provider-error', { timedOut: true }, { ...GATEWAY, lastFailure: 'unreachable' as const }, SANDBOX],
    ['environment-error', { started: false, exitCode: null }, null, SANDBOX],
    ['environment-error', { sessionLost: 'environment' as const }, GATEWAY, SANDBOX],
    ['environment-error', {}, null, FULL_HOST],
  ] as const)('is %s for %j with gateway %j and sandbox %j', (outcome, agent, gateway, sandbox) => {
    expect(classifyOutcome({ ...FINE, ...agent }, gateway, sandbox)).toBe(outcome);
  });

  it('is never an excuse made of what the agent controls: exit code, signal, error text, activity, refusal, its own quota', () => {
    const own = fc.record({
      started: fc.constant(true),
      exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
      signal: fc.option(fc.constantFrom('SIGKILL', 'SIGTERM')),
      timedOut: fc.boolean(),
      sessionLost: fc.constantFrom(null, 'agent' as const),
      refused: fc.boolean(),
      activity: fc.constantFrom(true, false, null),
      error: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(
        own,
        fc.constantFrom(SANDBOX, FULL_QUOTA),
        fc.constantFrom(null, GATEWAY),
        (agent, sandbox, gateway) => {
          expect(UNFINISHED_OUTCOMES.has(classifyOutcome(agent, gateway, sandbox))).toBe(false);
        },
      ),
    );
  });

  it('is always the provider or the environment where the gateway or the host say so', () => {
    const failures = fc.constantFrom(
      'rate-limit',
      'overload',
      'auth',
      'model-not-found',
      'unreachable',
    ) as fc.Arbitrary<NonNullable<GatewayFacts['lastFailure']>>;
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.option(fc.integer({ min: 0, max: 255 })),
        failures,
        (timedOut, exitCode, lastFailure) => {
          expect(classifyOutcome({ ...FINE, timedOut, exitCode }, { ...GATEWAY, lastFailure }, SANDBOX)).toBe(
            'provider-error',
          );
          expect(classifyOutcome({ ...FINE, timedOut, exitCode }, { ...GATEWAY, lastFailure }, FULL_HOST)).toBe(
            'environment-error',
          );
        },
      ),
    );
  });
});
