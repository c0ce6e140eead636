// The house rules. ARCHITECTURE.md shows the same floors as a picture; an arrow goes down only.
// Each floor lists the floors it may reach; anything else is an error. A folder is a "room".
const FLOORS = [
  ['kernel'],
  ['documents'],
  ['process'],
  ['sandbox', 'git', 'store'],
  ['interop', 'languages', 'testbed', 'gateway'],
  ['agents'],
  ['roles'],
  ['construct', 'evaluate', 'study'],
  ['cli', 'viewer'],
];
// Rooms on one floor are neighbours: they never import each other, but for the pairs named here with a reason.
/** @type {Record<string, string[]>} */
const NEIGHBOURS = {
  // A git repository's temporary object stores are placed and removed by the store.
  git: ['store'],
  // A sandbox's folder is a temporary one: the store names it, so that it can be swept when its process is dead.
  sandbox: ['store'],
  // A command line composes; the page's server is one of its commands.
  cli: ['viewer'],
};
// Rooms whose every file is meant to be imported by name, so they have no front door.
const OPEN_HOUSES = ['kernel', 'documents'];
// Acts are made of steps: a step never imports its neighbour; only the act's own top-level files compose them.
const ACTS = ['construct', 'evaluate', 'study'];

/** @type {Record<string, string[]>} */
const mayImport = {};
FLOORS.forEach((rooms, level) => {
  const below = FLOORS.slice(0, level).flat();
  for (const room of rooms) mayImport[room] = [...below, ...(NEIGHBOURS[room] ?? [])];
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Split out the part both sides need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(mayImport).map(([room, allowed]) => ({
      name: `floors-${room}`,
      comment: `src/${room} may import only: ${allowed.join(', ') || 'nothing of ours'}. See ARCHITECTURE.md, "Floors".`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: [`^src/${room}/`, ...allowed.map((name) => `^src/${name}/`)] },
    })),
    {
      name: 'known-rooms-only',
      comment: 'A new room needs a floor in tools/dependency-rules.cjs, otherwise no rule looks at it.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: `^src/(${FLOORS.flat().join('|')})/` },
      to: {},
    },
    {
      name: 'front-door-only',
      comment: 'From outside, enter a folder through its index.ts. What is not exported there is private.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', '/index[.]ts$', ...OPEN_HOUSES.map((name) => `^src/${name}/`)] },
    },
    {
      name: 'steps-do-not-call-steps',
      comment: "Two steps of an act meet in a document or in the act's conductor, never by import.",
      severity: 'error',
      from: { path: `^src/(${ACTS.join('|')})/([^/]+)/` },
      to: { path: '^src/$1/', pathNot: '^src/$1/$2/' },
    },
    {
      name: 'steps-by-their-door',
      comment: "An act's conductor enters a step through its index.ts.",
      severity: 'error',
      from: { path: `^src/(${ACTS.join('|')})/[^/]+[.]ts$` },
      to: { path: '^src/$1/[^/]+/', pathNot: '/index[.]ts$' },
    },
    {
      name: 'no-own-front-door',
      comment: "Inside a folder import the file, not the folder's index.ts (that is how barrels grow cycles).",
      severity: 'error',
      from: { path: `^src/((?:${ACTS.join('|')})/[^/]+|[^/]+)/.+`, pathNot: '/index[.]ts$' },
      to: { path: '^src/$1/index[.]ts$' },
    },
    {
      name: 'members-do-not-know-their-registry',
      comment:
        'contract.ts has types, a member implements them, registry.ts imports members; never the other way. Tests of all members go by the registry.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['/(?:index|registry)[.]ts$', '[.]test[.]ts$'] },
      to: { path: '^src/(sandbox|testbed|agents|languages)/registry[.]ts$', pathNot: '^src/$1/registry[.]ts$' },
    },
    {
      name: 'only-process-spawns',
      severity: 'error',
      comment:
        'child_process lives in src/process: one place for timeouts, process groups and output caps. What runs inside a sandbox (guest/) is another program.',
      from: { path: '^src/', pathNot: ['^src/process/', '/guest/'] },
      to: { path: '^(?:node:)?child_process$' },
    },
    {
      name: 'the-pure-stay-pure',
      severity: 'error',
      comment: 'kernel, documents, study/metrics and study/inference compute; they do not touch files or the network.',
      from: { path: '^src/(?:kernel|documents|study/metrics|study/inference)/' },
      to: { path: '^(?:node:)?(?:fs|fs/promises|net|http|https)$' },
    },
    {
      name: 'page-stays-in-the-browser',
      severity: 'error',
      comment: 'The page is built for browsers: it may share document types and pure kernel code, nothing of Node.',
      from: { path: '^src/viewer/page/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'another-room-by-hash',
      severity: 'error',
      comment:
        'Another room is reached as #room/…, a file of the same room by a relative path; the import line then says whose it is.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: '^src/$1/', dependencyTypesNot: ['aliased'] },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'A file nobody imports is dead, or its door forgot it.',
      from: { orphan: true, path: '^src/', pathNot: ['^src/bin[.]ts$', '[.]test[.]ts$', '/guest/'] },
      to: {},
    },
    {
      name: 'not-to-test',
      severity: 'error',
      comment: 'The product never needs its tests.',
      from: { path: '^src/', pathNot: '[.]test[.]ts$' },
      to: { path: '^test/|[.]test[.]ts$' },
    },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      comment: 'What ships may use only what is installed with it.',
      from: { path: '^src/', pathNot: ['^src/viewer/page/', '[.]test[.]ts$'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|fixtures|golden)/' },
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'types', 'default'], exportsFields: ['exports'] },
  },
};
