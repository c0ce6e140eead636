import { describe, expect, it } from 'vitest';
import { licenseOf, mainLanguage, nameOfRepository, slugOf } from './task-names.js';

describe('names of a task', () => {
  it('are slugs of any text', () => {
    expect(slugOf('Search the Shelf: field:value!')).toBe('search-the-shelf-field-value');
    expect(slugOf('…')).toBe('task');
    expect(slugOf('x'.repeat(200))).toHaveLength(60);
  });

  it('come from the folder of a work tree, a .git folder or a bare repository', () => {
    expect(['/a/click', '/a/click/', '/a/click/.git', '/a/click.git', '/'].map(nameOfRepository)).toEqual([
      'click',
      'click',
      'click',
      'click',
      'repository',
    ]);
  });

  it('tell the language from the changed sources before all others', () => {
    const files = new Map(['a.py', 'b.py', 'web/c.ts'].map((path) => [path, { mode: '100644' as const, oid: '' }]));
    expect(mainLanguage(files, ['web/c.ts', 'README.md'])).toBe('typescript');
    expect(mainLanguage(files, ['README.md'])).toBe('python');
  });

  it('know the usual licences by their words, however wrapped', () => {
    expect(licenseOf('Permission is hereby granted, free\nof charge, to any person')).toBe('MIT');
    expect(licenseOf('Apache License\n   Version 2.0, January 2004')).toBe('Apache-2.0');
    expect(licenseOf('All rights reserved.')).toBeNull();
  });
});
