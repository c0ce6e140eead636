import { plainTitle, titleTerms, traceName } from '../graph/names.js';

/** What is meant for tools, not for people: paths, tests, names that the code keeps to itself. */
const INTERNAL = /\/|^_|^tests?[_A-Z]|^test$/;

/**
 * The one name that a feature goes by: of the names that tell it, most telling first, the one that most titles of its
 * changes speak of; where none does, the first that is not internal. '' where there is no name at all.
 */
export function featureName(symbols: readonly string[], titles: readonly string[]): string {
  const terms = titles.map((title) => new Set(titleTerms(title)));
  let best = symbols.find((symbol) => !INTERNAL.test(lastPart(symbol))) ?? symbols[0] ?? '';
  let most = 0;
  for (const symbol of symbols) {
    if (INTERNAL.test(lastPart(symbol))) continue;
    const name = traceName(lastPart(symbol));
    const spoken = terms.filter((words) => words.has(name)).length;
    if (spoken > most) {
      best = symbol;
      most = spoken;
    }
  }
  return best;
}

/** What a chain is called: the name it goes by, and what its first change says of itself. */
export function featureTitle(name: string, firstTitle: string): string {
  const said = plainTitle(firstTitle);
  if (name === '') return firstTitle;
  return said === '' ? name : `${name}: ${said}`;
}

function lastPart(symbol: string): string {
  return symbol.includes('/') ? symbol : (symbol.split(/[.:#]+/).at(-1) ?? symbol);
}
