import type { Repository } from '#git/index.js';
import { Fault } from '#kernel/faults.js';
import { languageOf } from '#languages/index.js';
import type { Admission, AdmissionCriterion, FileChange, HistoryCommit, HistoryOptions } from './history.js';

/** A task may be published only where the source may be. */
const PERMISSIVE = new Set([
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'Zlib',
  'MPL-2.0',
  'BSL-1.0',
  'PSF-2.0',
]);
const MIN_STARS = 30;
/** The largest of the four languages must be at least this much of all source bytes. */
const MIN_LANGUAGE_SHARE = 0.5;
const MAX_READ_BYTES = 300_000;

const FAMILY: Record<string, string> = {
  typescript: 'typescript',
  tsx: 'typescript',
  javascript: 'typescript',
  python: 'python',
  rust: 'rust',
  go: 'go',
};
/** Code in other languages, by extension: enough to see that a repository is mostly something else. */
const OTHER_CODE =
  /\.(?:c|h|cc|cpp|cxx|hpp|hh|java|kt|kts|scala|cs|rb|php|swift|m|mm|lua|pl|pm|r|jl|hs|ml|ex|exs|erl|clj|dart|zig|nim|vue|svelte|sh|el|f90|sol)$/i;

/**
 * Whether tasks may be made of a repository. Every criterion says what was found; what cannot be known here is null
 * and needs the operator's word.
 * @param head files that stand at the head: path -> its last change
 * @throws Fault `object-missing` (input) where a manifest or licence of the head cannot be read
 */
export async function admit(
  repository: Repository,
  head: ReadonlyMap<string, FileChange>,
  { stars = null, allowIncomplete = false }: Pick<HistoryOptions, 'stars' | 'allowIncomplete'>,
): Promise<Admission> {
  const texts = await readTexts(repository, head, allowIncomplete);
  const licence = licenceOf(texts);
  const bytes = await languageBytes(repository, head);
  const frameworks = testFrameworks(head, texts);
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  const [main] = [...bytes].filter(([name]) => name !== 'other').sort((a, b) => b[1] - a[1]);
  const share = main === undefined || total === 0 ? 0 : main[1] / total;
  const criteria: AdmissionCriterion[] = [
    {
      name: 'licence',
      passed: licence === null ? null : PERMISSIVE.has(licence),
      found: licence ?? 'no licence text that is known here',
    },
    {
      name: 'language',
      passed: main !== undefined && share >= MIN_LANGUAGE_SHARE,
      found:
        main === undefined
          ? 'no source in Python, TypeScript/JavaScript, Rust or Go'
          : `${main[0]}, ${Math.round(share * 100)}% of ${total} bytes of source`,
    },
    {
      name: 'tests',
      passed: frameworks.length > 0,
      found: frameworks.length === 0 ? 'no test framework found' : frameworks.join(', '),
    },
    {
      name: 'stars',
      passed: stars === null ? null : stars >= MIN_STARS,
      found: stars === null ? 'unknown (give --stars)' : `${stars}, at least ${MIN_STARS} wanted`,
    },
    { name: 'offline-build', passed: null, found: 'known once an environment has been built' },
  ];
  return {
    criteria,
    licence,
    mainLanguage: main?.[0] ?? null,
    bytesByLanguage: Object.fromEntries(bytes),
    testFrameworks: frameworks,
    stars,
  };
}

/** Files that stand at the head, from the changes of its first-parent line. */
export function filesAtHead(commits: readonly HistoryCommit[]): Map<string, FileChange> {
  const files = new Map<string, FileChange>();
  for (const commit of commits) {
    if (!commit.onMainline) continue;
    for (const change of commit.changes) {
      if (change.from !== null && change.status === 'renamed') files.delete(change.from);
      if (change.newBlob === null) files.delete(change.path);
      else files.set(change.path, change);
    }
  }
  return files;
}

const MANIFEST =
  /^(?:[^/]+\/){0,2}(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|noxfile\.py|requirements[^/]*\.txt|Cargo\.toml|go\.mod|Makefile)$/;
const LICENCE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[.-][^/]*)?$/i;

async function readTexts(
  repository: Repository,
  head: ReadonlyMap<string, FileChange>,
  allowIncomplete: boolean,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, { newBlob }] of head) {
    if (newBlob === null || !(MANIFEST.test(path) || LICENCE_FILE.test(path))) continue;
    const object = await repository.read(newBlob);
    if (object === null && !allowIncomplete)
      throw new Fault({
        code: 'object-missing',
        kind: 'input',
        message: `${repository.place.gitDir}: ${path} of the head (object ${newBlob}) is missing or damaged`,
        hint: 'Run `git fsck` in the repository and fetch what it names again, or go on without it by --allow-incomplete.',
      });
    if (object !== null && object.content.length <= MAX_READ_BYTES) texts.set(path, object.content.toString('utf8'));
  }
  return texts;
}

const LICENCE_TEXTS: [RegExp, string][] = [
  [/Apache License,?\s+Version 2\.0|apache\.org\/licenses\/LICENSE-2\.0/i, 'Apache-2.0'],
  [/GNU AFFERO GENERAL PUBLIC LICENSE/i, 'AGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE/i, 'LGPL'],
  [/GNU GENERAL PUBLIC LICENSE/i, 'GPL'],
  [/Mozilla Public License,? (?:Version|v\.) ?2\.0/i, 'MPL-2.0'],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, 'MIT'],
  [
    /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose with or without fee/i,
    'ISC',
  ],
  [
    /Redistribution and use in source and binary forms[\s\S]*(?:Neither the names?|may not be used to endorse)/i,
    'BSD-3-Clause',
  ],
  [/Redistribution and use in source and binary forms/i, 'BSD-2-Clause'],
  [/This is free and unencumbered software released into the public domain/i, 'Unlicense'],
  [/CC0 1\.0 Universal/i, 'CC0-1.0'],
  [/Boost Software License/i, 'BSL-1.0'],
];

function licenceOf(texts: ReadonlyMap<string, string>): string | null {
  for (const [path, text] of texts) {
    if (!LICENCE_FILE.test(path)) continue;
    const known = LICENCE_TEXTS.find(([pattern]) => pattern.test(text));
    if (known !== undefined) return known[1];
  }
  for (const path of ['package.json', 'Cargo.toml', 'pyproject.toml']) {
    const stated = /^\s*"?license"?\s*[:=]\s*(?:\{\s*text\s*=\s*)?"([^"]+)"/m.exec(texts.get(path) ?? '')?.[1];
    if (stated !== undefined) return stated.split(/\s+OR\s+|\//i).find((name) => PERMISSIVE.has(name.trim())) ?? stated;
  }
  return null;
}

async function languageBytes(
  repository: Repository,
  head: ReadonlyMap<string, FileChange>,
): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  for (const [path, { role, newBlob, after }] of head) {
    if (
      newBlob === null ||
      (after !== 'file' && after !== 'executable') ||
      (role !== 'source' && role !== 'test' && role !== 'other')
    )
      continue;
    const language = languageOf(path);
    const name = language === null ? (OTHER_CODE.test(path) ? 'other' : null) : (FAMILY[language.name] ?? 'other');
    if (name === null) continue;
    const size = (await repository.read(newBlob))?.content.length ?? 0;
    bytes.set(name, (bytes.get(name) ?? 0) + size);
  }
  return bytes;
}

function testFrameworks(head: ReadonlyMap<string, FileChange>, texts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const paths = [...head.keys()];
  const all = [...texts.values()].join('\n');
  const hasTest = (pattern: RegExp): boolean =>
    paths.some((path) => pattern.test(path) && head.get(path)?.role === 'test');
  if (/\bpytest\b/.test(all) && hasTest(/\.py$/)) found.add('pytest');
  else if (hasTest(/\.py$/)) found.add('unittest');
  for (const name of ['vitest', 'jest', 'mocha']) if (new RegExp(`"${name}"\\s*:`).test(all)) found.add(name);
  if (/\bnode --test\b|node:test/.test(all)) found.add('node:test');
  if (/\bbun test\b/.test(all)) found.add('bun test');
  if (texts.has('Cargo.toml')) found.add('cargo test');
  if (hasTest(/_test\.go$/)) found.add('go test');
  return [...found];
}
