import { isChangelog, isVersionFile } from '#languages/index.js';
import type { GroupDefinition, GroupFile, Intent, IntentAnswer, IntentQuestion, SemanticRole } from '../history.js';

/** The semantic role by rules alone. */
export const semanticRules: SemanticRole = { intentOf: async (question) => intentByRules(question) };

const CONVENTIONAL: Record<string, Intent> = {
  feat: 'feature',
  feature: 'feature',
  fix: 'fix',
  bugfix: 'fix',
  hotfix: 'fix',
  docs: 'docs',
  doc: 'docs',
  test: 'test',
  tests: 'test',
  refactor: 'refactor',
  perf: 'refactor',
  style: 'format',
  format: 'format',
  lint: 'format',
  build: 'build',
  ci: 'build',
  chore: 'build',
  deps: 'build',
  release: 'release',
};

const DEPENDENCY = /^(?:build\(deps[^)]*\)|chore\(deps[^)]*\)|bump\b|update dependency|upgrade|pin\b|\[pre-commit)/i;
const RELEASE =
  /^(?:v?\d+\.\d+(?:\.\d+)?\S*$|(?:bump|prepare|start|set|update)\b.*\bversion\b|(?:release|bump|prepare|start)\b.*\bv?\d+\.\d+|release\b|version\s+v?\d|this is (?:going to be )?v?\d)/i;
const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|crash(?:es|ing)?|regress(?:ion|ed)?|incorrect(?:ly)?|wrong(?:ly)?|broken|errors? when|leak|prevent|avoid|handle[sd]?|don'?t|do not|should not|never|ensure|restore|correct(?:ly|s|ed)?)\b/i;
/** Words by which a title says that something grows. */
export const ADD =
  /\b(?:add(?:s|ed|ing)?|support(?:s|ed|ing)?|implement(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|allow(?:s|ed|ing)?|enable[sd]?|new|provide[sd]?|accept(?:s|ed)?|expose[sd]?|extend(?:s|ed)?|option(?:al)?|initial)\b/i;
const REFACTOR =
  /\b(?:refactor(?:s|ed|ing)?|renam(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|clean(?:s|ed|ing|up)?|simplif(?:y|ied|ies)|extract(?:s|ed)?|reorgani[sz]e|restructure|split|inline[sd]?|dedup\w*|remove unused|drop support|modernize|rewrite|tidy|typing|type hints?|annotations?|optimi[sz]e|speed ?up|faster|perf(?:ormance)?)\b/i;
const PROSE = /\b(?:typos?|docstrings?|documentation|docs|comments?|spelling|grammar|readme|wording|changelog)\b/i;
const FORMAT =
  /\b(?:format(?:ting)?|black|prettier|ruff|gofmt|rustfmt|isort|lint(?:ing|s)?|whitespace|indent(?:ation)?|pre-commit|style(?:s|d)?|pyupgrade|flake8|eslint|clippy|typos?)\b/i;

/** Intent by what the message says and by what was changed; what was changed has the last word where it leaves no doubt. */
export function intentByRules(question: IntentQuestion): IntentAnswer {
  const byFiles = intentOfFiles(question);
  if (byFiles !== null) return byFiles;
  const stated = conventionalIntent(question.title);
  const source = sourceEffects(question);
  if (stated !== null) return settle(stated, source);
  if (!source.changesCode) {
    const intent: Intent = FORMAT.test(question.title) ? 'format' : 'docs';
    return {
      intent,
      why: ['no definition or import of the source changed: only layout, comments or strings of prose'],
    };
  }
  return byWords(question, source);
}

function intentOfFiles({ title, files }: IntentQuestion): IntentAnswer | null {
  const only = (what: (file: GroupFile) => boolean): boolean => files.length > 0 && files.every(what);
  const isRelease = (file: GroupFile): boolean =>
    isVersionFile(file.path) ||
    isChangelog(file.path) ||
    file.role === 'build' ||
    file.role === 'lock' ||
    isSmall(file);
  const isUpdate =
    DEPENDENCY.test(title) && /\bfrom \S+ to \S+|\bdependenc|\bgroup\b.*\bupdates?\b|pre-commit/i.test(title);
  if (isUpdate && only((file) => file.role !== 'source' && file.role !== 'test'))
    return { intent: 'build', why: ['an update of dependencies'] };
  if (RELEASE.test(title) && only(isRelease))
    return { intent: 'release', why: [`"${title}" with version, changelog and build files only`] };
  if (only((file) => file.role === 'docs')) return { intent: 'docs', why: ['only documentation changed'] };
  if (only((file) => file.role === 'test' || file.role === 'fixture' || isChangelog(file.path)))
    return { intent: 'test', why: ['only tests and their data changed'] };
  if (only((file) => ['build', 'lock', 'other', 'vendored', 'generated', 'binary'].includes(file.role)))
    return { intent: 'build', why: ['only build, lock, generated or vendored files changed'] };
  if (!files.some((file) => file.role === 'source')) {
    const hasTest = files.some((file) => file.role === 'test');
    return {
      intent: hasTest ? 'test' : files.some((file) => file.role === 'docs') ? 'docs' : 'build',
      why: ['no source file changed'],
    };
  }
  return null;
}

/** A line or two of source, as a version constant is. */
function isSmall(file: GroupFile): boolean {
  return file.role === 'source' && (file.addedLines ?? 99) <= 2 && (file.removedLines ?? 99) <= 2;
}

/** Whether a word before a title's colon names a kind of change, as conventional commits do. */
export function isKindOfChange(word: string): boolean {
  return CONVENTIONAL[word.toLowerCase()] !== undefined || word.toLowerCase() === 'revert';
}

function conventionalIntent(title: string): { intent: Intent; word: string } | null {
  const word = /^(\w+)(?:\([^)]*\))?!?:\s/.exec(title)?.[1]?.toLowerCase();
  const intent = word === undefined ? undefined : CONVENTIONAL[word];
  return word === undefined || intent === undefined ? null : { intent, word };
}

interface SourceEffects {
  changesCode: boolean;
  /** Exported definitions that are new and stand by themselves (no members). */
  newNames: GroupDefinition[];
  /** Members, parameters and further growth of what was there. */
  grown: GroupDefinition[];
  hasNewTests: boolean;
  isMove: boolean;
}

function sourceEffects({ definitions, importsAdded, tests }: IntentQuestion): SourceEffects {
  const source = definitions.filter((definition) => !definition.inTest);
  const added = source.filter((definition) => definition.change === 'added' && definition.exported);
  const addedNames = new Set(added.map((definition) => definition.qualifiedName));
  const isMember = (definition: GroupDefinition): boolean => definition.qualifiedName.includes('.');
  const ownedByNew = (definition: GroupDefinition): boolean =>
    addedNames.has(definition.qualifiedName.split('.')[0] ?? '');
  return {
    changesCode: source.length > 0 || importsAdded.length > 0,
    newNames: added.filter((definition) => !isMember(definition)),
    grown: [
      ...added.filter((definition) => isMember(definition) && !ownedByNew(definition)),
      ...source.filter((definition) => definition.change === 'signature' && definition.exported),
    ],
    hasNewTests: tests.some((test) => test.change === 'added'),
    isMove:
      source.length > 0 &&
      source.every((definition) => definition.change === 'moved' || definition.change === 'removed'),
  };
}

function settle(stated: { intent: Intent; word: string }, source: SourceEffects): IntentAnswer {
  const why = [`the message says "${stated.word}:"`];
  if (stated.intent === 'feature' && source.newNames.length === 0)
    return { intent: 'extension', why: [...why, 'no new name stands by itself: something that was there grew'] };
  if (stated.intent === 'build' && source.newNames.length > 0 && source.hasNewTests)
    return { intent: 'extension', why: [...why, 'but it adds exported names with tests'] };
  return { intent: stated.intent, why };
}

function byWords({ title, message, references }: IntentQuestion, source: SourceEffects): IntentAnswer {
  const scores = new Map<Intent, { score: number; why: string[] }>();
  const give = (intent: Intent, score: number, why: string): void => {
    const held = scores.get(intent) ?? { score: 0, why: [] };
    scores.set(intent, { score: held.score + score, why: [...held.why, why] });
  };
  const wordIn = (pattern: RegExp, intent: Intent, score: number): void => {
    const match = pattern.exec(title)?.[0];
    if (match !== undefined) give(intent, score, `the title says "${match}"`);
    else if (pattern.test(message)) give(intent, score / 3, `the message says "${pattern.exec(message)?.[0] ?? ''}"`);
  };
  const growth: Intent = source.newNames.length > 0 ? 'feature' : 'extension';
  wordIn(FIX, 'fix', 3);
  wordIn(ADD, growth, 3);
  wordIn(REFACTOR, 'refactor', 3);
  wordIn(FORMAT, 'format', 2);
  if (!source.hasNewTests && source.newNames.length === 0) wordIn(PROSE, 'docs', 4);
  if (source.newNames.length > 0)
    give(
      'feature',
      source.hasNewTests ? 2 : 1,
      `adds ${source.newNames
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  if (source.grown.length > 0)
    give(
      growth,
      source.hasNewTests ? 1.5 : 0.5,
      `extends ${source.grown
        .slice(0, 3)
        .map(({ qualifiedName }) => qualifiedName)
        .join(', ')}`,
    );
  if (source.newNames.length === 0 && source.hasNewTests) give('fix', 1, 'behaviour of existing code, with new tests');
  if (references.closes.length > 0)
    give(source.newNames.length > 0 ? 'feature' : 'fix', 0.5, `closes #${references.closes[0]}`);
  if (source.isMove) give('refactor', 4, 'definitions only moved');
  if (!source.hasNewTests && source.newNames.length === 0)
    give('refactor', 0.8, 'no new test and no new exported name');
  const [best] = [...scores].sort((a, b) => b[1].score - a[1].score);
  return best === undefined
    ? { intent: 'refactor', why: ['nothing says otherwise'] }
    : { intent: best[0], why: best[1].why };
}
