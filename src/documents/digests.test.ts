import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateDigestOf, suiteDigestOf } from './digests.js';
import type { Suite } from './suite.js';

const key = (name: string) => ({
  runner: 'node-test' as const,
  project: null,
  file: 't.mjs',
  path: [name],
  ordinal: 0,
});
const suite = (names: readonly string[]): Suite => ({
  stage: 0,
  gateDigest: '',
  runs: [
    {
      id: 'all',
      runner: 'node-test',
      cwd: '',
      project: null,
      files: ['t.mjs'],
      timeoutMs: 1000,
      perTestTimeoutMs: 100,
    },
  ],
  tests: names.map((name) => ({
    ...{ id: name, key: key(name), run: 'all', kind: 'f2p' as const, why: 'new' as const },
    ...{ since: null, validThrough: null, durationMs: 3 },
  })),
  twins: [],
  quarantined: [],
  overlay: ['t.mjs'],
  manifests: [],
  setAside: [],
  referenceSuspicions: [],
});
const NO_FILES = { tests: [], manifests: [] };

describe('digests of suites', () => {
  it('do not depend on the order of tests, on durations or on evidence', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (names) => {
        const one = suite(names);
        const other = suite([...names].reverse());
        other.tests = other.tests.map((test) => ({ ...test, durationMs: null, note: 'unknown key' }));
        expect(suiteDigestOf(other, NO_FILES)).toBe(suiteDigestOf(one, NO_FILES));
      }),
    );
  });

  it('change with a byte of a hidden test, its executable bit, a kind, or a reference state', () => {
    const file = { path: 't.mjs', executable: false, digest: 'sha256:0' };
    const digests = [
      suiteDigestOf(suite(['a']), { tests: [file], manifests: [] }),
      suiteDigestOf(suite(['a']), { tests: [{ ...file, executable: true }], manifests: [] }),
      suiteDigestOf(suite(['a']), { tests: [{ ...file, digest: 'sha256:1' }], manifests: [] }),
      suiteDigestOf(suite(['a']), { tests: [], manifests: [file] }),
      suiteDigestOf(suite(['b']), { tests: [file], manifests: [] }),
      gateDigestOf({ suites: ['x'], states: ['1', '2'] }),
      gateDigestOf({ suites: ['x'], states: ['1', '3'] }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});
