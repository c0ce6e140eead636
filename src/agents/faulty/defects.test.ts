import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kernel/random.js';
import { languageOf } from '#languages/index.js';
import type { ReferenceHand } from '../contract.js';
import { chooseDefect } from './choose-defect.js';
import { findDefects, lineText } from './defects.js';

const SOURCES: Record<string, string> = {
  'a.ts': `// a === b, true, 1
import { x } from 'node:x';
/** not true */
export function pick(items: Array<number>, limit = 10): string {
  const text = "a === b, not true, 1";
  if (!items.length || limit < 3) return '';
  for (const item of items) if (item === limit && true) return \`\${item + 1}\`;
  return 'none';
}
`,
  'a.py': `"""not true"""
import os
# x == 1
def pick(items, limit=10):
    """Docs == 1."""
    text = "x == 1 and True"
    if not items or limit < 3:
        return ""
    return [item + 1 for item in items if item == limit and item is not None]
`,
  'a.rs': `// x == 1
fn pick(items: &[u32], limit: u32) -> bool {
    let text = "x == 1";
    !items.is_empty() && limit >= 3 && items[0] == limit + 1
}
`,
  'a.go': `package a

// x == 1
func Pick(items []int, limit int) bool {
	text := "x == 1"
	return len(text) > 0 && items[0] == limit+1 || !true
}
`,
};
const everyLine = (text: string) => text.split('\n').map((_, index) => index + 1);

describe('defects', () => {
  it.each(Object.entries(SOURCES))(
    'of %s change one line, parse no worse, and leave comments, imports and docs alone',
    async (path, text) => {
      const source = Buffer.from(text);
      const defects = await findDefects(path, source, everyLine(text));
      expect(new Set(defects.map(({ mutation }) => mutation)).size).toBeGreaterThanOrEqual(5);
      const before = await languageOf(path)?.parse(source);
      for (const { line, before: old, after } of defects) {
        expect(lineText(text, line)).toBe(old);
        expect(old).not.toMatch(/^\s*(\/\/|#|"""|\/\*|import)/);
        const lines = text.split('\n');
        lines[line - 1] = after;
        const tree = await languageOf(path)?.parse(Buffer.from(lines.join('\n')));
        expect(tree).toMatchObject({
          parseErrors: before !== undefined && before !== null && 'parseErrors' in before ? before.parseErrors : 0,
        });
      }
      // The inside of a string is text: it is emptied, never edited.
      for (const { before: old, after, mutation } of defects)
        if (/^\s*(const |let )?text\b/.test(old))
          expect(mutation === 'string' ? /["']{2}/.test(after) : false).toBe(true);
    },
  );

  it('are looked for in the given lines only, and in no file of an unknown language', async () => {
    const text = SOURCES['a.ts'] ?? '';
    expect((await findDefects('a.ts', Buffer.from(text), [6])).every(({ line }) => line === 6)).toBe(true);
    expect(await findDefects('a.txt', Buffer.from(text), everyLine(text))).toEqual([]);
    expect(await findDefects('a.ts', Buffer.from([0, 1, 2]), [1])).toEqual([]);
  });

  it('are chosen by seed, and rather where the line stands to the end', async () => {
    const files = (text: string) => [{ path: 'a.ts', text: Buffer.from(text), addedLines: everyLine(text) }];
    const reference: ReferenceHand = {
      stages: 2,
      applyStage: async () => ({ conflicts: [] }),
      sourceOf: async (stage) =>
        files(stage === 0 ? 'const a = 1 < 2;\nconst b = 3 > 4;\n' : 'const a = two();\nconst b = 3 > 4;\n'),
    };
    const wish = { stage: 0, mutation: null, match: null };
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed += 1) {
      const pick = () => chooseDefect(reference, { ...wish, random: seededRandom(`${seed}`) });
      const defect = await pick();
      expect(await pick()).toEqual(defect);
      expect(defect?.line).toBe(2);
      seen.add(defect?.after ?? '');
    }
    expect(seen.size).toBeGreaterThan(1);
    expect(await chooseDefect(reference, { ...wish, mutation: 'return', random: seededRandom('1') })).toBeNull();
  });
});
