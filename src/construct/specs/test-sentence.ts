import { asSentence, cleanProse, namesHidden, namesPath } from './clean-prose.js';
import { codeSpan } from './code-span.js';

/**
 * A test's titles as a sentence on behaviour: `test_float_range_rejects` is "Float range rejects", `describe('basic auth')`
 * with `it('should return 401')` is "Basic auth: should return 401".
 * @param isName whether a word or words joined by `_` are a name of the code, to be shown as such
 */
export function testSentence(path: readonly string[], isName: (name: string) => boolean): string {
  const parts = path.map((part, at) => titleWords(part, at === path.length - 1, isName)).filter((part) => part !== '');
  const distinct = parts.filter((part, at) => at === 0 || part.toLowerCase() !== (parts[at - 1] ?? '').toLowerCase());
  return asSentence(distinct.join(': ') || 'Works as described');
}

function titleWords(part: string, isLast: boolean, isName: (name: string) => boolean): string {
  const isIdentifier = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part);
  const text = isIdentifier ? identifierWords(part, isName) : cleanProse(part.replace(/^[\s>›-]+|[\s:.-]+$/g, ''));
  const safe = text
    .split(/(\s+)/)
    .map((word) => (namesPath(` ${word} `) || namesHidden(` ${word} `) ? '…' : word))
    .join('');
  return isLast && isIdentifier && safe === '' ? part : safe;
}

/** Words of `test_min_open` or `TestMinOpen`, with the longest runs that are names of the code shown as code. */
function identifierWords(identifier: string, isName: (name: string) => boolean): string {
  const plain = identifier.replace(/^(?:test|Test)_*/, '').replace(/_*(?:Test|test|Tests)$/, '');
  const words =
    plain.includes('_') || plain === plain.toLowerCase()
      ? plain.split('_').filter((word) => word !== '')
      : camelWords(plain, isName);
  const told: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(4, words.length - at);
    while (length > 0 && !isTellingName(words.slice(at, at + length), isName)) length -= 1;
    told.push(length === 0 ? (words[at] as string) : codeSpan(words.slice(at, at + length).join('_')));
    at += Math.max(1, length);
  }
  return told.join(' ');
}

/** One short word is more often a word than a name. */
function isTellingName(words: readonly string[], isName: (name: string) => boolean): boolean {
  const name = words.join('_');
  return (words.length > 1 || name.length > 3) && !/^[\d_]+$/.test(name) && isName(name);
}

function camelWords(plain: string, isName: (name: string) => boolean): string[] {
  if (isName(plain)) return [plain];
  return plain
    .split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map((word, at) => (at === 0 || /^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
}
