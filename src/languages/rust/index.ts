/** Rust: definitions, use trees, strings and names by its grammar; inline test modules are told apart. */
import type { Language } from '../contract.js';
import { makeLanguage } from '../make-language.js';
import type { LanguageRules } from '../rules.js';
import { rustDefinitions, rustScopes } from './definitions.js';
import { rustImports } from './imports.js';
import { RUST_NAMES } from './names.js';
import { calledInTokens, calledName, rustErrors, rustStrings } from './strings.js';

const rules: LanguageRules = {
  name: 'rust',
  comments: new Set(['line_comment', 'block_comment', 'shebang']),
  leads: new Set(['line_comment', 'block_comment', 'attribute_item']),
  identifiers: new Set(['identifier', 'field_identifier', 'type_identifier', 'shorthand_field_identifier']),
  strings: rustStrings,
  definitions: rustDefinitions,
  scopes: rustScopes,
  imports: rustImports,
  calls: { call_expression: calledName, macro_invocation: calledName, token_tree: calledInTokens },
  errors: rustErrors,
  attributes: {},
  exportedLater: {},
  layoutBlocks: new Set(),
};

export const rust: Language = makeLanguage({
  rules,
  extensions: ['.rs'],
  commentPrefixes: ['//', '/*', '*'],
  builtinNames: RUST_NAMES,
});
