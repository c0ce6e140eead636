/** A name as a trace: `max-results`, `max_results` and `maxResults` are one. */
export function traceName(name: string): string {
  return name.replace(/[-_\s]+/g, '').toLowerCase();
}

/** The type of a conventional commit says what kind of change it is, not what it is about. */
const TYPE = /^\s*(?:feat|fix|refactor|perf|chore|docs|test|build|ci|style)(?=(?:\([^)]*\))?!?:)/i;

/** A title without the type and scope of a conventional commit; other words before a colon stay. */
export function plainTitle(title: string): string {
  return TYPE.test(title) ? title.replace(/^[^:]*:\s*/, '').trim() : title.trim();
}

/** A plural names its singular as well; short ones (`books`, `users`) are what everything here is about. */
const LONG_PLURAL = 6;

/** Words of a title in their order, with the scope of a conventional commit (`feat(basic-auth): ...`) as one of them. */
export function titleTerms(title: string): string[] {
  const words = [...title.replace(TYPE, '').matchAll(/[\p{L}$][\p{L}\p{N}_$-]*/gu)].map(([word]) => traceName(word));
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`);
  const singular = words
    .filter((word) => word.length >= LONG_PLURAL && /[^s]s$/.test(word))
    .map((word) => word.slice(0, -1));
  return [...new Set([...words, ...pairs, ...singular])].filter((term) => term.length > 2);
}

/** Stem and folders of a path that can carry a feature's name. */
export function pathTerms(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const file = parts.pop() ?? '';
  const stem = file
    .replace(/^_+/, '')
    .replace(/\..*$/, '')
    .replace(/^test_|_test$/, '');
  return [stem, ...parts.slice(1)].map(traceName).filter((term) => term.length > 2);
}
