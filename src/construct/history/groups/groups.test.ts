import { describe, expect, it } from 'vitest';
import { NO_REFERENCES } from '../../../../test/support/no-references.js';
import type { GroupDefinition, GroupFile, IntentQuestion } from '../history.js';
import { intentByRules } from './intent.js';
import { WordFinder } from './words.js';

function file(path: string, role: GroupFile['role']): GroupFile {
  return { lineage: 0, path, role, status: 'modified', addedLines: 10, removedLines: 1 };
}

function definition(
  qualifiedName: string,
  change: GroupDefinition['change'],
  more: Partial<GroupDefinition> = {},
): GroupDefinition {
  return {
    key: qualifiedName,
    name: qualifiedName,
    qualifiedName,
    kind: 'function',
    change,
    path: 'src/a.py',
    lineage: 0,
    exported: true,
    inTest: false,
    signature: '',
    ...more,
  };
}

function intent(title: string, question: Partial<IntentQuestion>): string {
  return intentByRules({
    title,
    message: title,
    files: [file('src/a.py', 'source')],
    definitions: [],
    importsAdded: [],
    references: NO_REFERENCES,
    tests: [],
    byBot: false,
    ...question,
  }).intent;
}

describe('the intent of a change', () => {
  it('is told by its files where only one kind of them changed', () => {
    expect(intent('Improve the guide', { files: [file('docs/a.md', 'docs')] })).toBe('docs');
    expect(intent('Add more cases', { files: [file('tests/a.py', 'test')] })).toBe('test');
    expect(intent('Bump tox from 1 to 2', { files: [file('tox.ini', 'build')] })).toBe('build');
    expect(
      intent('Bump version to 1.2.0', { files: [file('CHANGES.md', 'docs'), file('pyproject.toml', 'build')] }),
    ).toBe('release');
  });

  it('is a feature where names that stand by themselves are new, an extension where something grew', () => {
    const tests = [{ path: 'tests/a.py', lineage: 1, name: 'test_a', change: 'added' as const }];
    expect(intent('Add ranges', { definitions: [definition('Range', 'added')], tests })).toBe('feature');
    expect(
      intent('Add a step to ranges', {
        definitions: [definition('Range.step', 'added'), definition('Range.__init__', 'signature')],
        tests,
      }),
    ).toBe('extension');
    expect(intent('feat(range): steps', { definitions: [definition('Range.step', 'added')], tests })).toBe('extension');
  });

  it('is a fix, a refactoring or a matter of format by its words and effects', () => {
    expect(intent('Fix clamp of empty ranges', { definitions: [definition('Range.clamp', 'body')] })).toBe('fix');
    expect(intent('Move ranges to a module', { definitions: [definition('Range', 'moved')] })).toBe('refactor');
    expect(intent('Run black', { definitions: [] })).toBe('format');
    expect(intent('Reword docstrings', { definitions: [] })).toBe('docs');
  });
});

describe('words', () => {
  it('take names apart and leave out what says nothing', () => {
    expect(new WordFinder().wordsOf(['Add the getPagerFile and XMLServer to show_default'])).toEqual([
      'add',
      'default',
      'file',
      'getpagerfile',
      'pager',
      'server',
      'show',
      'show_default',
      'xml',
      'xmlserver',
    ]);
  });
});
