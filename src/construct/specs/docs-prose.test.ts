import { describe, expect, it } from 'vitest';
import { docsProse } from './docs-prose.js';

const file = (path: string, before: string, after: string) => ({
  path,
  before: Buffer.from(before),
  after: Buffer.from(after),
});

describe('what documentation gained', () => {
  it('tells new entries of a changelog before new sentences of manuals', () => {
    const docs = [
      file('docs/usage.md', 'Run it.\n', 'Run it.\n\nSeveral origins may be given.\n'),
      file('CHANGES.rst', '-   Old entry is here.\n', '-   Old entry is here.\n-   Accept several origins.\n'),
    ];
    expect(docsProse(docs)).toEqual({
      changelog: ['Accept several origins.'],
      manual: ['Several origins may be given.'],
    });
  });

  it('takes an entry whose marks or line breaks alone were touched for the old one', () => {
    const before = '-   Add a ``strict`` parameter to :class:`Runner`. It is\n    off.\n';
    const after =
      '-   Add a ``strict`` parameter to :class:``Runner``.\n    It is off.\n-   The runner accepts enums.\n';
    expect(docsProse([file('CHANGES.rst', before, after)]).changelog).toEqual(['The runner accepts enums.']);
  });
});
