import { describe, expect, it } from 'vitest';
import { classifyPath, isChangelog, isHousekeeping, isVersionFile } from './file-roles.js';

describe('the role of a path', () => {
  it.each([
    ['src/click/core.py', 'source'],
    ['src/changes.ts', 'source'],
    ['src/middleware/etag/index.ts', 'source'],
    ['src/middleware/etag/index.test.ts', 'test'],
    ['runtime-tests/node/index.test.ts', 'test'],
    ['tests/test_options.py', 'test'],
    ['tests/conftest.py', 'test'],
    ['tests/testenv/mod.rs', 'test'],
    ['mux_test.go', 'test'],
    ['tests/data/input.json', 'fixture'],
    ['testdata/a.go', 'fixture'],
    ['docs/api.rst', 'docs'],
    ['docs/conf.py', 'docs'],
    ['examples/demo/demo.py', 'docs'],
    ['README.md', 'docs'],
    ['CHANGES.rst', 'docs'],
    ['LICENSE', 'docs'],
    ['package.json', 'build'],
    ['requirements/dev.txt', 'build'],
    ['.github/workflows/tests.yaml', 'build'],
    ['uv.lock', 'lock'],
    ['Cargo.lock', 'lock'],
    ['vendor/golang.org/x/a.go', 'vendored'],
    ['deno_dist/hono.ts', 'vendored'],
    ['api/service.pb.go', 'generated'],
    ['docs/_static/logo.png', 'binary'],
    ['data/table.csv', 'other'],
    ['docs/caf\u00e9.md', 'docs'],
  ])('is told for %s: %s', (path, role) => {
    expect(classifyPath(path)).toBe(role);
  });

  it('knows changelogs, version files and housekeeping', () => {
    expect(['CHANGES.rst', 'CHANGELOG.md', '.changeset/blue-cats.md', 'src/history.ts'].map(isChangelog)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(['VERSION', 'src/pkg/_version.py', 'src/version-range.ts'].map(isVersionFile)).toEqual([true, true, false]);
    expect(['.github/dependabot.yml', '.editorconfig', 'package.json'].map(isHousekeeping)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
