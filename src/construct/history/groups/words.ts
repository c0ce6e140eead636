const STOP_WORDS = new Set(
  `a about after all also an and any are as at be because been but by can change changed changes commit could did do does
  done each else etc for from get had has have how if in instead into is issue it its just like make makes may merge merged
  more most must new no not now of off on one only onto or other our out over pull request rather really same see set should
  since so some still such than that the their them then there these they this those through thus to too up use used uses
  using very via was we were what when where which while who why will with without would yes you your branch master main
  https http www com github org`.split(/\s+/),
);

/** Words of texts and of names (`camelCase`, `snake_case` taken apart), lower case, sorted, without stop words. */
export class WordFinder {
  /** The same few thousand tokens come again and again. */
  private readonly known = new Map<string, string[]>();

  wordsOf(texts: Iterable<string>): string[] {
    const words = new Set<string>();
    for (const text of texts)
      for (const [token] of text.matchAll(/\p{L}[\p{L}\p{N}_]*/gu))
        for (const word of this.partsOf(token)) words.add(word);
    return [...words].sort();
  }

  private partsOf(token: string): string[] {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    const parts = takenApart(token).filter((word) => word.length > 2 && word.length < 40 && !STOP_WORDS.has(word));
    this.known.set(token, parts);
    return parts;
  }
}

function takenApart(token: string): string[] {
  const whole = token.toLowerCase();
  const parts = token
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_]+/)
    .map((part) => part.toLowerCase());
  return parts.length > 1 ? [whole.replace(/^_+|_+$/g, ''), ...parts] : parts;
}
