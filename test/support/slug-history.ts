import { SAMPLE_STAGES, sampleState } from './sample-feature.js';
import { type CommitScript, type Entry, scriptHistory } from './script-history.js';

export interface SlugHistoryOptions {
  /** Commits before the feature's. */
  before?: CommitScript[];
  /** Further files of each stage's commit. */
  beside?: (stage: number) => [path: string, entry: Entry][];
  /** How paths and messages are written. */
  path?: (path: string) => string | Buffer;
  message?: (text: string) => string | Buffer;
  /** So many commits of other work between the stages. */
  commits?: number;
}

const TITLES = ['Make slugs of titles', 'Let slugs have another separator', 'Let slugs have a greatest length'];

/** A history in which `slug` grows in three stages, with as much around it as a test wants. @returns the bare repository */
export function slugHistory(gitDir: string, options: SlugHistoryOptions = {}): string {
  const { before = [], beside = () => [], path = (name) => name, message = (text) => text, commits = 3 } = options;
  const licence = 'Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n';
  const all: CommitScript[] = [
    ...before,
    { message: message('Start'), files: [['LICENSE', licence], ...entries(0, path), ...beside(0)] },
  ];
  for (let stage = 1; stage <= SAMPLE_STAGES; stage += 1) {
    all.push({ message: message(TITLES[stage - 1] ?? ''), files: [...entries(stage, path), ...beside(stage)] });
    for (let at = 0; at < Math.ceil(commits / SAMPLE_STAGES); at += 1) all.push(otherWork(stage * 1000 + at));
  }
  scriptHistory(
    gitDir,
    // A week between the commits, so that the stages are changes of their own.
    all.map((commit, at) => ({
      ...commit,
      at: 1_500_000_000 + at * 604_800,
      committedAt: 1_500_000_000 + at * 604_800,
    })),
  );
  return gitDir;
}

function entries(stage: number, path: (path: string) => string | Buffer): [string | Buffer, Entry][] {
  const earlier = stage === 0 ? {} : sampleState(stage - 1);
  return Object.entries(sampleState(stage))
    .filter(([name, text]) => (earlier as Record<string, string>)[name] !== text)
    .map(([name, text]) => [path(name), text]);
}

/** A change that has nothing to do with slugs, in a file of its own that other such changes share. */
function otherWork(at: number): CommitScript {
  const name = `count${at}`;
  return {
    message: `Count ${at} things`,
    files: [
      [`src/${name}.js`, `export function ${name}(things) {\n  return things.length + ${at};\n}\n`],
      [
        `test/${name}.test.js`,
        `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\ntest('counts ${at}', () => {\n  assert.equal(${name}([]), ${at});\n});\n`,
      ],
    ],
  };
}
