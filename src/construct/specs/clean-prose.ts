const SOURCE_FILE =
  /(?:^|[\s("'`])(?:[\w.@-]+\/)*[\w.@-]+\.(?:pyi?|[cm]?[jt]sx?|rs|go|toml|ya?ml|lock|cfg|ini|rst|md|json)(?=$|[\s)"'`.,:;])/;
const SOURCE_FOLDER =
  /(?:^|[\s("'`])(?:\.{1,2}\/|(?:src|lib|tests?|docs?|packages|crates|runtime[-_]tests|deno_dist)\/)[\w./@-]+/;

/** A file or folder of a repository, named in a text. Routes such as `/auth/*` and types such as `text/html` are none. */
export function namesPath(text: string): boolean {
  return (
    SOURCE_FILE.test(text.replace(/\b(?:Node|Vue|Next|Express|Deno|Bun|D3)\.js\b/gi, '')) || SOURCE_FOLDER.test(text)
  );
}

/** A name that its language hides, in code of any kind: `_resolve`, `ctx._depth`, `#stack`. */
export function namesHidden(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}_$])(?:_[\p{L}][\p{L}\p{N}]*_?[\p{L}\p{N}_]*(?<!__)|#[a-z]\w+)(?=$|[^\p{L}\p{N}_$])/u.test(
    text.replace(/__\w+__/g, ''),
  );
}

/** Who wrote, asked or reviewed it, where it was discussed, which commit it is. */
export function namesHistory(text: string): boolean {
  return /https?:\/\/|www\.|\bGH-\d+|(?:^|[\s(])#\d+\b|(?:^|\s)@[a-z\d][\w-]+\b|[\w.+-]+@[\w-]+\.\w+|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/i.test(
    text,
  );
}

/** Text for a spec out of text for developers: links, numbers, authors, marks of the markup go; code keeps its backticks. */
export function cleanProse(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\((?:[^()]|\([^)]*\))*\)/g, '$1')
    .replace(/<(?:https?|mailto):[^>]*>/g, '')
    .replace(/`([^`<]+?)\s*<[^>`]*>`_*/g, '$1')
    .replace(/\{(?:issue|pr|user|ghissue|pull|commit|cve)\}`[^`]*`/g, '')
    .replace(/\{[a-z][\w:-]*\}(?=`)/g, '')
    .replace(/:(?:issue|pr|user|ghissue|pull|commit|cve):`[^`]*`/g, '')
    .replace(
      /:[a-z]+(?::[a-z]+)*:`~?(?:[^`<]*<)?!?([^`>]*)>?`/g,
      (_all, name: string) => `\`${name.replace(/^\.?(?:\w+\.)*(?=\w+$)/, '')}\``,
    )
    .replace(/``([^`]*)``/g, '`$1`')
    .replace(/\{@link\s+([^}\s|]*)[^}]*\}/g, '$1')
    .replace(/https?:\/\/[^\s)\]]+/g, '')
    .replace(
      /\b(?:fix(?:es|ed)?|clos(?:e|es|ed)|resolv(?:e|es|ed)|refs?|see|related to|addresses|part of)\s*:?\s*(?:issue\s*)?(?:[\w./-]*#\d+(?:\s*(?:,|and|&)\s*)?)+\.?/gi,
      '',
    )
    .replace(/\(\s*(?:thanks|by|from|via)[^)]*@[^)]*\)/gi, '')
    .replace(/[\w/-]*#\d+\b|\bGH-\d+\b/g, '')
    .replace(/[\w.+-]+@[\w-]+\.\w+/g, '')
    .replace(/\b(?:by|thanks(?: to)?|cc)\s+@[\w-]+/gi, '')
    .replace(/(^|[\s(])@[a-z\d][\w-]*\/?[\w-]*(?=[\s,.)]|$)/gi, '$1')
    .replace(/\(\s*[,;\s]*\)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/ +([.,;:)])/g, '$1')
    .replace(/([.!?])?[\s,;]*[,;][\s.,;]*$/, '$1')
    .trim();
}

/** Sentences of a paragraph, each with its mark. Abbreviations and names with dots do not end one. */
export function sentencesOf(paragraph: string): string[] {
  return paragraph
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)\s+(?=[\p{Lu}`"'(*])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Says how the work was done instead of what it brings. */
const HOW =
  /^(?:[-*]\s*)?(?:refactor|renam|mov(?:e|ed|ing)\b|extract|clean(?:ed)?[ -]?up|lint|format|prettier|biome|eslint|typos?\b|spelling|bump|upgrade|update (?:the )?(?:docs?|tests?|changelog|readme|snapshot|lock)|updated? (?:change|docs?)|add(?:ed|s|ing)? (?:(?:a|some|more|the|missing|unit|new|extra|basic|additional) )*(?:tests?|docs?|documentation|changelog|changes? entry|comments?|types? tests?)\b|tests?\b|documentation\b|ci\b|wip\b|merge|apply suggestions?|address|code review|review|revert|denoify|deno\b|build\b|chore|style\b|fix(?:ed)? (?:the )?(?:lint|typos?|tests?|formatting|flake8|mypy|ci|build|merge|conflicts?)|minor\b|nit\b|nits\b|pre-commit|rebase|squash|tweak|remove unused|use\b|set `|\[pre-commit)/i;

/** Pointers to elsewhere, introductions to what follows, and code. */
function isNoStatement(sentence: string): boolean {
  return (
    /\b(?:in|at|by|on|from|to|of|for|and|or|the|a|with|per|via)$/i.test(sentence) ||
    /^see\b|^\(?(?:also )?see also\b|:$|\bchange ?log\b|\bcode comments?\b/i.test(sentence) ||
    /=>|[;{]\s*$|\)\s*\{|\(\);|^\/\/|^\w+\s*=\s*\S+\(/.test(sentence.replace(/`[^`]*`/g, ''))
  );
}

/** What a sentence keeps of itself in a spec: null where it tells where, who or names what is hidden. */
export function specSentence(sentence: string): string | null {
  const clean = cleanProse(sentence);
  if (clean.replace(/[^\p{L}]/gu, '').length < 4 || isNoStatement(clean)) return null;
  return namesPath(clean) || namesHidden(clean) || namesHistory(clean) ? null : clean;
}

/** The same for what developers tell each other: null also where it says how the work was done. */
export function historySentence(sentence: string): string | null {
  const kept = specSentence(sentence);
  return kept === null || HOW.test(kept) ? null : kept;
}

/** A sentence with a capital at its front and a full stop at its end. */
export function asSentence(text: string): string {
  const capital =
    /^\p{Ll}/u.test(text) && !/^\p{Ll}+[\p{Lu}_.(]/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?:…]$/.test(capital) ? capital : `${capital}.`;
}
