/** The little evolving feature that test tasks are made of: `slug`, grown in three stages beside an older `shout`. */

const MANIFEST = `${JSON.stringify({ name: 'words', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`;

const SHOUT = `export function shout(text) {
  return \`\${text.toUpperCase()}!\`;
}
`;

const SHOUT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shout } from '../src/shout.js';

test('shout raises the voice', () => {
  assert.equal(shout('hey'), 'HEY!');
});
`;

const SLUG = [
  `// Makes one word of a title.
export function slug(text) {
  const words = text.toLowerCase().split(' ').filter((word) => word.length > 0);
  return words.join('-');
}
`,
  `// Makes one word of a title.
export function slug(text, options = {}) {
  const separator = options.separator ?? '-';
  const words = text.toLowerCase().split(' ').filter((word) => word.length > 0);
  return words.join(separator);
}
`,
  `// Makes one word of a title.
export function slug(text, options = {}) {
  const separator = options.separator ?? '-';
  const words = text.toLowerCase().split(' ').filter((word) => word.length > 0);
  const kept = [];
  let length = 0;
  for (const word of words) {
    length += word.length + (kept.length > 0 ? separator.length : 0);
    if (options.maxLength !== undefined && length > options.maxLength) break;
    kept.push(word);
  }
  return kept.join(separator);
}
`,
];

interface SampleTest {
  title: string;
  call: string;
  expected: string;
  /** What a twin of the test expects instead. */
  wrong: string;
}

/** The tests that come with each stage. */
export const SLUG_TESTS: readonly (readonly SampleTest[])[] = [
  [
    { title: 'slug joins words', call: `slug('Hello World')`, expected: 'hello-world', wrong: 'hello_world' },
    { title: 'slug drops blanks', call: `slug('  a  b ')`, expected: 'a-b', wrong: 'a--b' },
  ],
  [
    {
      title: 'slug takes a separator',
      call: `slug('Hello World', { separator: '_' })`,
      expected: 'hello_world',
      wrong: 'hello-world',
    },
  ],
  [
    {
      title: 'slug stops at a word that would be too much',
      call: `slug('one two three', { maxLength: 8 })`,
      expected: 'one-two',
      wrong: 'one-two-three',
    },
  ],
];

export const SAMPLE_STAGES = SLUG_TESTS.length;

export function sampleTestText(one: SampleTest, expected: string, title = one.title): string {
  return `\ntest('${title}', () => {\n  assert.equal(${one.call}, '${expected}');\n});\n`;
}

/** test/slug.test.js of reference state `state` (state 0 has none). */
export function slugTestFile(state: number): string {
  const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';
`;
  return (
    head +
    SLUG_TESTS.slice(0, state)
      .flat()
      .map((one) => sampleTestText(one, one.expected))
      .join('')
  );
}

/** All files of reference state `state`. */
export function sampleState(state: number): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': MANIFEST,
    'README.md': '# words\n',
    'src/shout.js': SHOUT,
    'test/shout.test.js': SHOUT_TEST,
  };
  const slug = SLUG[state - 1];
  if (slug !== undefined) {
    files['src/slug.js'] = slug;
    files['test/slug.test.js'] = slugTestFile(state);
  }
  return files;
}

export const SAMPLE_SPECS = [
  {
    title: 'Titles become slugs',
    requirement: `# Titles become slugs

A program can turn a title into one word.

1. The words of the title are lower-cased and joined by dashes.
2. Blanks around and between words leave no trace.

What worked before keeps working.
`,
    criteria: [
      { number: 1, text: 'The words of the title are lower-cased and joined by dashes.', tests: ['slug joins words'] },
      { number: 2, text: 'Blanks around and between words leave no trace.', tests: ['slug drops blanks'] },
    ],
    contract: '# Contract\n\n- module `src/slug.js` exports `slug(text)`\n',
  },
  {
    title: 'Slugs with another separator',
    requirement: `# Slugs with another separator

1. A separator other than the dash can be asked for.

What worked before keeps working.
`,
    criteria: [
      {
        number: 1,
        text: 'A separator other than the dash can be asked for.',
        tests: ['slug takes a separator'],
      },
    ],
    contract: '# Contract\n\n- module `src/slug.js` exports `slug(text, options)`; option `separator`\n',
  },
  {
    title: 'Slugs of limited length',
    requirement: `# Slugs of limited length

1. With a greatest length, a slug ends before the word that would make it longer.

What worked before keeps working.
`,
    criteria: [
      {
        number: 1,
        text: 'With a greatest length, a slug ends before the word that would make it longer.',
        tests: ['slug stops at a word that would be too much'],
      },
    ],
    contract: '# Contract\n\n- module `src/slug.js` exports `slug(text, options)`; option `maxLength`\n',
  },
] as const;
