import type { Criteria } from '#documents/criteria.js';
import { apiProse } from './api-prose.js';
import { codeSpan } from './code-span.js';
import { commitProse } from './commit-prose.js';
import { contractEntries } from './contract-entries.js';
import { docsProse } from './docs-prose.js';
import { groupTests, type TestGroup } from './group-tests.js';
import type { StageMaterial } from './material.js';
import { type ObservedFact, observedFacts } from './observed-facts.js';
import { readStage, type StageReading } from './read-stage.js';
import { testCases } from './test-cases.js';
import { testSentence } from './test-sentence.js';

export interface WrittenRequirement {
  title: string;
  text: string;
  criteria: Criteria;
}

const MAX_STATEMENTS = 60;
/** Sentences of manuals: a new page has many, the first of them say what it is about. */
const MAX_MANUAL = 25;
/** Facts of one criterion: it may stand for many tests. */
const MAX_FACTS = 8;

/**
 * The stage's requirement: goal, behaviour, numbered acceptance criteria with the F2P tests each stands for, what must
 * keep working. Every F2P test is in exactly one criterion.
 */
export async function writeRequirement(material: StageMaterial): Promise<WrittenRequirement> {
  return requirementOf(await readStage(material));
}

/** The requirement of a stage that has been read already. */
export async function requirementOf(reading: StageReading): Promise<WrittenRequirement> {
  const { material } = reading;
  const commits = commitProse(material.messages);
  const docs = docsProse(material.docs);
  const isName = nameTest(reading);
  const criteria = criteriaOf(await groupTests(material), isName);
  const [entry] = docs.changelog;
  const title =
    (commits.titleSaysWhat ? commits.title : (entry ?? commits.title)) ?? criteria[0]?.text ?? 'Extend the feature.';
  const said = new Set([sameWords(title)]);
  const fresh = (statements: readonly string[]): string[] =>
    statements.filter((one) => !said.has(sameWords(one)) && said.add(sameWords(one)));
  const steps = commits.steps.filter(isOutcome(reading));
  const manual = docs.manual.slice(0, MAX_MANUAL);
  const statements = [...docs.changelog, ...commits.statements, ...steps, ...apiProse(reading), ...manual];
  const behaviour = fresh(statements.filter(isOfThisState(reading))).slice(0, MAX_STATEMENTS);
  const lines = [`# ${title.replace(/\.$/, '')}`, '', '## Goal', '', title, ''];
  if (behaviour.length > 0) lines.push('## Behaviour', '', ...behaviour.map((statement) => `- ${statement}`), '');
  lines.push('## Acceptance criteria', '', ...criteria.flatMap(criterionLines), '');
  lines.push('## What must keep working', '', ...keptLines(reading).map((line) => `- ${line}`));
  return {
    title: title.replace(/\.$/, ''),
    text: `${lines.join('\n')}\n`,
    criteria: {
      stage: material.stage,
      criteria: criteria.map(({ text, tests }, at) => ({ number: at + 1, text, tests })),
    },
  };
}

interface Criterion {
  text: string;
  facts: ObservedFact[];
  cases: string[];
  tests: string[];
}

function criteriaOf(groups: readonly TestGroup[], isName: (name: string) => boolean): Criterion[] {
  const bySentence = new Map<string, Criterion>();
  for (const group of groups) {
    const text = testSentence(telling(group), isName);
    const held = bySentence.get(text) ?? { text, facts: [], cases: [], tests: [] };
    bySentence.set(text, held);
    held.tests.push(...group.tests.map(({ id }) => id));
    held.facts.push(...observedFacts(group));
    held.cases.push(...testCases(group));
  }
  return [...bySentence.values()];
}

/** A test of one or two words says too little without what its file is about. */
function telling({ path, tests }: TestGroup): string[] {
  const file = tests[0]?.key.file.split('/').pop() ?? '';
  const subject = /^test_(\w+)\.py$|^(\w+)_test\.(?:py|go)$/.exec(file);
  const words = path
    .join('_')
    .replace(/^test_/, '')
    .split('_').length;
  const about = subject?.[1] ?? subject?.[2];
  return path.length === 1 && words <= 3 && about !== undefined ? [about, ...path] : [...path];
}

function criterionLines({ text, facts, cases }: Criterion, at: number): string[] {
  const lines = [`${at + 1}. ${text}`];
  const byInput = new Map<string, Set<string>>();
  for (const { input, text: fact } of facts.slice(0, MAX_FACTS))
    byInput.set(input ?? '', (byInput.get(input ?? '') ?? new Set()).add(fact));
  for (const [input, told] of byInput)
    lines.push(`   - ${input === '' ? '' : `With ${codeSpan(input)}: `}${[...told].join('; ')}.`);
  for (const one of cases) lines.push(`   - For example: ${one}.`);
  return lines;
}

/** A name that the stage brings to code that tests reach, so that a test's name means it and not the word. */
function nameTest({ usage, newIdentifiers }: StageReading): (name: string) => boolean {
  return (name) => newIdentifiers.has(name) && usage.names.has(name);
}

/** A step counts where it brings a name that is there in the end, or names no code at all. */
function isOutcome({ newIdentifiers }: StageReading): (step: string) => boolean {
  return (step) => {
    if (/^(?:replac|chang|switch|remov|drop|us(?:e|ing)\b|fix|improv|updat|enhanc)/i.test(step)) return false;
    const names = step.match(/`[^`]+`|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b[A-Z][a-z]+[A-Z]\w*\b/g) ?? [];
    return (
      names.length === 0 ||
      names.some((name) => (name.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => newIdentifiers.has(word)))
    );
  };
}

/** Messages tell of attempts that were given up: what names code that the outcome does not have is no behaviour of it. */
function isOfThisState({ after, usage, material }: StageReading): (statement: string) => boolean {
  const identifiers = new Set([...after.values()].flatMap(({ facts }) => [...facts.identifiers.keys()]));
  const text = [...after.values()].map(({ tree }) => tree.text).join('\n');
  const isKnown = (name: string): boolean =>
    identifiers.has(name) || usage.names.has(name) || material.workspace.hasName(name) || text.includes(name);
  return (statement) =>
    (statement.match(/\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b/g) ?? []).every(isKnown);
}

function sameWords(statement: string): string {
  return statement
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function keptLines(reading: StageReading): string[] {
  const changed = contractEntries(reading).filter(
    ({ change, kind }) => change === 'changed' && ['function', 'method', 'class'].includes(kind),
  );
  const names = [...new Set(changed.map(({ name }) => codeSpan(name.replace(/\.(?:__init__|constructor)$/, ''))))];
  const lines = ['Everything that worked before works as before, unless a criterion above says otherwise.'];
  if (names.length > 0)
    lines.unshift(
      `Uses of ${names.slice(0, 12).join(', ')} that were right before stay right: what is new is optional unless the contract says otherwise.`,
    );
  return lines;
}
