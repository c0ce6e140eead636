import { studyExperiment } from '#study/index.js';

/** The main table of a results file, ready to print; nothing is written. */
export async function composeStudy(resultsPath: string): Promise<string> {
  const study = await studyExperiment({
    resultsPaths: [resultsPath],
    outDir: '',
    formats: [],
    color: process.stdout.isTTY === true,
  });
  return study.terminal;
}
