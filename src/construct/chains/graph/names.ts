/** A name as a trace: `max-results`, `max_results` and `maxResults` are one. */
export function traceName(name: string): string {
  return name.replace(/[-_\s]+/g, '').toLowerCase();
}

/** Words of a title in their order, with the scope of a conventional commit (`feat(basic-auth): ...`) as one of them. */
export function titleTerms(title: string): string[] {
  const words = [...title.matchAll(/[\p{L}$][\p{L}\p{N}_$-]*/gu)].map(([word]) => traceName(word));
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`);
  return [...new Set([...words, ...pairs])].filter((term) => term.length > 2);
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
