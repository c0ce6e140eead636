import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE_NAMES } from '../../../test/support/hostile-names.js';
import { csvField } from './csv-text.js';
import { displayWidth, padded } from './display-width.js';
import { markup } from './html/markup.js';
import { markdownText } from './markdown-text.js';
import { latexText } from './render-latex.js';
import { shortName, visibleText } from './visible-text.js';

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...HOSTILE_NAMES));

describe('visibleText', () => {
  it('leaves no character that moves the cursor, hides, or turns direction', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visibleText(text)).not.toMatch(/[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(Buffer.from(visibleText(text)).toString()).toBe(visibleText(text));
        expect(visibleText(visibleText(text))).toBe(visibleText(text));
      }),
    );
  });

  it('shows an escape sequence as text and keeps letters of any script', () => {
    expect(visibleText('\u001b[31mred\u202Egnp')).toBe('\\x1b[31mred\\u{202e}gnp');
    expect(visibleText('云计算 🙂 é')).toBe('云计算 🙂 é');
  });
});

describe('shortName', () => {
  it('never takes more columns than it may', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 40 }), (text, most) => {
        expect(displayWidth(shortName(text, most))).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('cuts in the middle', () => {
    expect(shortName('claude-opus-5.5-with-tools', 13)).toBe('claude…-tools');
    expect(shortName('short', 13)).toBe('short');
  });
});

describe('displayWidth', () => {
  it('counts wide characters twice and combining ones not at all', () => {
    expect(['ab', '云', '🙂', 'e\u0301', '–', '✗', '…'].map(displayWidth)).toEqual([2, 2, 2, 1, 1, 1, 1]);
    expect(padded('云', 4, 'right')).toBe('  云');
  });
});

describe('csvField', () => {
  it.each(['=1+1', '+1', '-1+2', '@sum(A1)', '\t=1', '\r=1', ' =1', '＝1'])(
    'keeps a spreadsheet from computing %j',
    (text) => {
      expect(csvField(text)).toMatch(/^"'/);
    },
  );

  it('leaves numbers numbers, unknown empty, and quotes as the format has it', () => {
    expect([csvField(-0.5), csvField(null), csvField(true), csvField('a'), csvField('a"b,c\nd')]).toEqual([
      '-0.5',
      '',
      'true',
      'a',
      '"a""b,c\nd"',
    ]);
  });

  it('is read back whole by the rules of the format', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const field = csvField(text);
        const read = field.startsWith('"') ? field.slice(1, -1).replace(/""/g, '"') : field;
        expect([text, `'${text}`]).toContain(read);
        if (!field.startsWith('"')) expect(field).not.toMatch(/[",\r\n]/);
      }),
    );
  });
});

describe('markdownText', () => {
  it('lets no text become markup, a cell or a line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const escaped = markdownText(text);
        expect(escaped).not.toMatch(/[<>\r\n]/);
        // Every active character has an odd number of backslashes before it.
        expect(escaped.replace(/\\[\\`*_{}[\]()#!|~:@^$]/g, '')).not.toMatch(/[`*_[\]()|!#]/);
      }),
    );
  });
});

describe('latexText', () => {
  it('shows special characters instead of running them', () => {
    expect(latexText('\\input{x}$a_1%^2~#&')).toBe(
      '\\textbackslash{}input\\{x\\}\\$a\\_1\\%\\textasciicircum{}2\\textasciitilde{}\\#\\&',
    );
  });
});

describe('markup', () => {
  it('escapes what is put in, in text and in attributes, and nothing twice', () => {
    const name = '"><script>alert(1)</script>&amp;`\'';
    const made = markup`<b title="${name}">${markup`<i>${name}</i>`}${null}${[1, 'x<']}</b>`;
    const escaped = '&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;amp;&#96;&#39;';
    expect(made.text).toBe(`<b title="${escaped}"><i>${escaped}</i>1x&#60;</b>`);
  });

  it('never lets a name open or close anything', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(markup`${text}`.text).not.toMatch(/[<>"'`]|&(?!#\d+;)/);
      }),
    );
  });
});
