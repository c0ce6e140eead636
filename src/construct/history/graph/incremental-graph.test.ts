import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PieceImport } from '../pieces/piece-facts.js';
import { readConfig } from './config-facts.js';
import { IncrementalGraph, type TreeChange } from './incremental-graph.js';

/** Files of a tree: imports by specifier, or a configuration's text. */
type Files = Record<string, (string | [specifier: string, ...names: string[]])[] | string>;

function change(path: string, content: Files[string] | null): TreeChange {
  if (content === null) return { path, now: null };
  if (typeof content === 'string')
    return { path, now: { imports: null, config: readConfig(path, Buffer.from(content)) } };
  const imports = content.map((entry): PieceImport => {
    const [specifier, ...names] = typeof entry === 'string' ? [entry] : entry;
    return { specifier, names, typeOnly: false, within: '' };
  });
  return { path, now: { imports, config: null } };
}

function graphOf(files: Files): Record<string, string[]> {
  const graph = new IncrementalGraph();
  graph.apply(Object.entries(files).map(([path, content]) => change(path, content)));
  return Object.fromEntries(graph.edges());
}

describe('the module graph of Python', () => {
  it('finds modules and packages from the top, from src and by dots', () => {
    expect(
      graphOf({
        'src/click/__init__.py': [['.core', 'Command']],
        'src/click/core.py': [['.', 'types'], 'os'],
        'src/click/types.py': ['types'],
        'tests/test_a.py': ['click', ['click.core', 'Group'], ['click', 'types']],
      }),
    ).toEqual({
      'src/click/__init__.py': ['src/click/core.py'],
      'src/click/core.py': ['src/click/__init__.py', 'src/click/types.py'],
      'tests/test_a.py': ['src/click/__init__.py', 'src/click/core.py', 'src/click/types.py'],
    });
  });

  it('does not take a neighbour in a package for a module of the standard library', () => {
    expect(graphOf({ 'p/__init__.py': [], 'p/types.py': [], 'p/a.py': ['types'] })).toEqual({});
  });
});

describe('the module graph of TypeScript and JavaScript', () => {
  it('finds files without extension, with the compiled one, as folder index and as component', () => {
    expect(
      graphOf({
        'src/a.ts': ['./b', './c.js', './d', './e/f'],
        'src/b.ts': [],
        'src/c.ts': [],
        'src/d/index.tsx': [],
        'src/e/f.jsx': [],
      }),
    ).toEqual({
      'src/a.ts': ['src/b.ts', 'src/c.ts', 'src/d/index.tsx', 'src/e/f.jsx'],
    });
  });

  it('follows path aliases, also through extended configuration with comments', () => {
    expect(
      graphOf({
        'tsconfig.base.json':
          '{ // base\n "compilerOptions": {"baseUrl": ".", "paths": {"@app/*": ["src/app/*"], "util": ["src/util.ts"],}}}',
        'tsconfig.json': '{"extends": "./tsconfig.base.json"}',
        'src/app/x.ts': ['util'],
        'src/util.ts': [],
        'test/x.test.ts': ['@app/x', 'react'],
      }),
    ).toEqual({ 'src/app/x.ts': ['src/util.ts'], 'test/x.test.ts': ['src/app/x.ts'] });
  });

  it('finds packages of a workspace by name, their exports in the sources, and own imports with #', () => {
    expect(
      graphOf({
        'packages/core/package.json':
          '{"name": "@w/core", "exports": {".": {"import": "./dist/index.js"}, "./sub/*": "./dist/sub/*.js"}, "imports": {"#in/*": "./src/in/*.ts"}}',
        'packages/core/src/index.ts': ['#in/z'],
        'packages/core/src/sub/y.ts': [],
        'packages/core/src/in/z.ts': [],
        'packages/app/main.ts': ['@w/core', '@w/core/sub/y', '@w/none'],
      }),
    ).toEqual({
      'packages/app/main.ts': ['packages/core/src/index.ts', 'packages/core/src/sub/y.ts'],
      'packages/core/src/index.ts': ['packages/core/src/in/z.ts'],
    });
  });
});

describe('the module graph of Rust', () => {
  it('follows mod and use through the module tree, and other crates of the workspace by name', () => {
    expect(
      graphOf({
        'Cargo.toml': '[package]\nname = "fd-find"\n[lib]\nname = "fd"\n',
        'src/lib.rs': ['mod walk', 'mod exec'],
        'src/walk.rs': [['crate::exec', 'Job'], 'std::fs'],
        'src/exec/mod.rs': ['mod job', ['self::job', 'Job']],
        'src/exec/job.rs': [
          ['super', 'Job'],
          ['crate', 'walk'],
        ],
        'tests/all.rs': ['mod common', ['fd::walk', 'scan'], ['other_crate', 'x']],
        'tests/common/mod.rs': [],
        'crates/other/Cargo.toml': '[package]\nname = "other-crate"\n',
        'crates/other/src/lib.rs': [],
      }),
    ).toEqual({
      'src/lib.rs': ['src/exec/mod.rs', 'src/walk.rs'],
      'src/walk.rs': ['src/exec/mod.rs'],
      'src/exec/mod.rs': ['src/exec/job.rs'],
      'src/exec/job.rs': ['src/exec/mod.rs', 'src/walk.rs'],
      'tests/all.rs': ['crates/other/src/lib.rs', 'src/walk.rs', 'tests/common/mod.rs'],
    });
  });
});

describe('the module graph of Go', () => {
  it('leads to package folders, keeps internal packages in, and gives tests their package', () => {
    expect(
      graphOf({
        'go.mod': 'module github.com/o/r/v5\n\ngo 1.21\n',
        'chi.go': ['fmt'],
        'chi_test.go': ['testing'],
        'middleware/log.go': ['github.com/o/r/v5', 'github.com/o/r/v5/internal/x'],
        'internal/x/x.go': [],
        'nested/go.mod': 'module example.com/nested\n',
        'nested/a.go': ['github.com/o/r/v5/internal/x', 'example.com/nested/sub', 'github.com/o/r/v5/none'],
        'nested/sub/internal/s.go': [],
        'nested/sub/b.go': [],
      }),
    ).toEqual({
      'chi_test.go': ['./'],
      'middleware/log.go': ['./', 'internal/x/'],
      'nested/a.go': ['internal/x/', 'nested/sub/'],
    });
  });
});

const PATHS = [
  'p/__init__.py',
  'p/a.py',
  'p/b.py',
  'b.py',
  'src/p/a.py',
  'p/b/__init__.py',
  's/a.ts',
  's/b.ts',
  's/b/index.ts',
  's/b.js',
  'k/s/b.ts',
  'g/a.go',
  'g/h/b.go',
  'g/h/b_test.go',
  'r/src/lib.rs',
  'r/src/m.rs',
  'r/src/m/mod.rs',
  'r/src/m/n.rs',
];
const CONFIGS: Record<string, string[]> = {
  'tsconfig.json': ['{"compilerOptions": {"baseUrl": "s"}}', '{"compilerOptions": {"paths": {"b": ["./k/s/b"]}}}', '{'],
  'k/package.json': ['{"name": "b", "main": "dist/s/b.js"}', '{"name": "c"}', '{"name": "b", "version": "2"}'],
  'go.mod': ['module m\n', 'module m/g\n'],
  'g/go.mod': ['module m/g\n'],
  'r/Cargo.toml': ['[package]\nname = "r"\n', '[package]\nname = "x"\n[lib]\nname = "r"\npath = "src/m.rs"\n'],
};
const SPECIFIERS = [
  'p',
  'p.a',
  'p.b',
  'b',
  '.b',
  '.',
  './b',
  './b.js',
  '../s/b',
  'm/g/h',
  'm/g',
  'h',
  'crate::m::n',
  'mod m',
  'mod n',
  'super',
  'r::m',
  'self::n',
];

const contents = fc.array(
  fc
    .tuple(fc.constantFrom(...SPECIFIERS), fc.constantFrom('a', 'b', 'n', 'm', '*'))
    .map(([specifier, name]): [string, string] => [specifier, name]),
  { maxLength: 3 },
);
const edits: fc.Arbitrary<TreeChange> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...PATHS), fc.option(contents)).map(([path, content]) => change(path, content)),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...Object.keys(CONFIGS))
      .chain((path) => fc.option(fc.constantFrom(...(CONFIGS[path] ?? []))).map((content) => change(path, content))),
  },
);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(edits, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant('revert' as const) },
  ),
  { minLength: 1, maxLength: 25 },
);

describe('a graph that follows a changing tree', () => {
  it('equals the graph built from nothing after every step, also when steps are taken back', () => {
    fc.assert(fc.property(steps, expectFollows), { numRuns: 300 });
  });
});

function expectFollows(script: readonly ('revert' | TreeChange[])[]): void {
  const graph = new IncrementalGraph();
  const states: Map<string, TreeChange>[] = [new Map()];
  const undos: Parameters<IncrementalGraph['revert']>[0][] = [];
  for (const step of script) {
    if (step !== 'revert') {
      states.push(afterStep(states.at(-1) ?? new Map(), step));
      undos.push(expectApplies(graph, step));
    } else {
      const undo = undos.pop();
      if (undo === undefined) continue;
      graph.revert(undo);
      states.pop();
    }
    const fresh = new IncrementalGraph();
    fresh.apply([...(states.at(-1)?.values() ?? [])]);
    expect(flat(graph)).toEqual(flat(fresh));
  }
}

function afterStep(before: ReadonlyMap<string, TreeChange>, step: readonly TreeChange[]): Map<string, TreeChange> {
  const state = new Map(before);
  for (const edit of step) {
    if (edit.now === null) state.delete(edit.path);
    else state.set(edit.path, edit);
  }
  return state;
}

/** The edges that a step reports are exactly those that came and went. */
function expectApplies(
  graph: IncrementalGraph,
  step: readonly TreeChange[],
): Parameters<IncrementalGraph['revert']>[0] {
  const before = flat(graph);
  const { edges, undo } = graph.apply(step);
  const after = flat(graph);
  const reported = (change: string): Set<string> =>
    new Set(edges.filter((edge) => edge.change === change).map(({ from, to }) => `${from}>${to}`));
  expect(new Set([...before].filter((edge) => !after.has(edge)))).toEqual(reported('removed'));
  expect(new Set([...after].filter((edge) => !before.has(edge)))).toEqual(reported('added'));
  return undo;
}

function flat(graph: IncrementalGraph): Set<string> {
  return new Set([...graph.edges()].flatMap(([from, targets]) => targets.map((to) => `${from}>${to}`)));
}
