import { collectFacts } from './collect-facts.js';
import type { Language } from './contract.js';
import { parseSource } from './parse-source.js';
import type { LanguageRules } from './rules.js';
import { SyntaxTree } from './syntax-tree.js';

export interface LanguageParts {
  rules: LanguageRules;
  extensions: readonly string[];
  commentPrefixes: readonly string[];
  builtinNames: ReadonlySet<string>;
}

/** A member of the contract from its rules. */
export function makeLanguage({ rules, ...facts }: LanguageParts): Language {
  return {
    name: rules.name,
    ...facts,
    parse: (source) => parseSource(rules.name, source),
    analyse: async (source) => {
      const tree = await parseSource(rules.name, source);
      return tree instanceof SyntaxTree ? collectFacts(tree, rules) : tree;
    },
  };
}
