import type { Suite } from '#documents/suite.js';
import { testId } from '#documents/test-identity.js';
import { Fault } from '#kernel/faults.js';
import { isPlainPath, type PlainFile } from './plain-files.js';

/**
 * What the shape of suite.json cannot say: paths stay inside, references lead somewhere, the lists name exactly the
 * files that are there.
 * @throws Fault `suite-invalid` (input) naming file and field
 */
export function checkSuite(
  suite: Suite,
  where: string,
  place: Suite['stage'],
  files: { tests: ReadonlyMap<string, PlainFile>; manifests: ReadonlyMap<string, PlainFile> },
): void {
  const refuse: Refuse = (field, what) => {
    throw new Fault({
      code: 'suite-invalid',
      kind: 'input',
      message: `${where}: field ${field}: ${what}`,
      hint: 'The package was edited by hand or damaged; restore it or build the task anew.',
    });
  };
  if (suite.stage !== place) refuse('stage', `${suite.stage} stands in the place of ${place}`);
  checkLists(suite, files, refuse);
  checkRuns(suite, refuse);
  checkTests(suite, refuse);
  checkTwins(suite, files.tests, refuse);
}

type Refuse = (field: string, what: string) => void;

function checkLists(
  suite: Suite,
  files: { tests: ReadonlyMap<string, PlainFile>; manifests: ReadonlyMap<string, PlainFile> },
  refuse: Refuse,
): void {
  const sameList = (field: string, listed: readonly string[], there: ReadonlyMap<string, PlainFile>): void => {
    for (const [index, path] of listed.entries()) {
      if (!isPlainPath(path))
        refuse(`${field}.${index}`, `${JSON.stringify(path)} is not a plain path inside the tree`);
      if (!there.has(path)) refuse(`${field}.${index}`, `the file ${JSON.stringify(path)} is missing`);
    }
    for (const path of there.keys())
      if (!listed.includes(path)) refuse(field, `the file ${JSON.stringify(path)} is there but not listed`);
  };
  sameList('overlay', suite.overlay, files.tests);
  sameList(
    'manifests',
    suite.manifests.map((manifest) => manifest.path),
    files.manifests,
  );
  for (const [index, pattern] of suite.setAside.entries()) {
    if (!pattern.startsWith('^')) refuse(`setAside.${index}`, `${JSON.stringify(pattern)} is not anchored by ^`);
    try {
      new RegExp(pattern);
    } catch {
      refuse(`setAside.${index}`, `${JSON.stringify(pattern)} is not a regular expression`);
    }
  }
}

function checkRuns(suite: Suite, refuse: Refuse): void {
  const overlay = new Set(suite.overlay);
  const ids = new Set<string>();
  for (const [index, run] of suite.runs.entries()) {
    if (ids.has(run.id)) refuse(`runs.${index}.id`, `${JSON.stringify(run.id)} is there twice`);
    ids.add(run.id);
    if (run.cwd !== '' && !isPlainPath(run.cwd))
      refuse(`runs.${index}.cwd`, `${JSON.stringify(run.cwd)} is not a plain path inside the workspace`);
    for (const [at, file] of run.files.entries()) {
      // A test file that the suite does not bring would be the agent's own.
      if (!overlay.has(file)) refuse(`runs.${index}.files.${at}`, `${JSON.stringify(file)} is not in the overlay`);
    }
  }
}

function checkTests(suite: Suite, refuse: Refuse): void {
  const runs = new Map(suite.runs.map((run) => [run.id, new Set(run.files)]));
  const ids = new Set<string>();
  for (const [index, test] of suite.tests.entries()) {
    if (test.id !== testId(test.key)) refuse(`tests.${index}.id`, `is not the id of its key, ${testId(test.key)}`);
    if (ids.has(test.id)) refuse(`tests.${index}.id`, `${test.id} is there twice`);
    ids.add(test.id);
    const run = runs.get(test.run);
    if (run === undefined) refuse(`tests.${index}.run`, `no run is named ${JSON.stringify(test.run)}`);
    else if (!run.has(test.key.file))
      refuse(`tests.${index}.key.file`, `${JSON.stringify(test.key.file)} is not among the files of run ${test.run}`);
  }
}

function checkTwins(suite: Suite, tests: ReadonlyMap<string, PlainFile>, refuse: Refuse): void {
  const ids = new Set(suite.tests.map((test) => test.id));
  for (const [index, twin] of suite.twins.entries()) {
    const file = tests.get(twin.file);
    if (file === undefined) refuse(`twins.${index}.file`, `${JSON.stringify(twin.file)} is not in the overlay`);
    else if (twin.insertAt > file.content.length) refuse(`twins.${index}.insertAt`, 'is behind the end of the file');
    if (!ids.has(twin.of)) refuse(`twins.${index}.of`, `no test has the id ${twin.of}`);
    if (twin.nameStart >= twin.nameEnd || twin.nameEnd > Buffer.byteLength(twin.text))
      refuse(`twins.${index}.nameEnd`, 'the name does not lie inside the text');
  }
}
