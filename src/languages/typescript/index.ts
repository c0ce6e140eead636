/** TypeScript, TSX and JavaScript (modules and CommonJS): one set of rules over three grammars. */
import type { Language } from '../contract.js';
import type { LanguageName } from '../language-name.js';
import { makeLanguage } from '../make-language.js';
import type { LanguageRules } from '../rules.js';
import { typescriptExports } from './common-js.js';
import { typescriptDefinitions } from './definitions.js';
import { typescriptImports } from './imports.js';
import { TYPESCRIPT_NAMES } from './names.js';
import { calledName, typescriptErrors, typescriptStrings } from './strings.js';

const IDENTIFIERS = [
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
  'statement_identifier',
];

function rulesFor(name: LanguageName): LanguageRules {
  return {
    name,
    comments: new Set(['comment', 'html_comment', 'hash_bang_line']),
    leads: new Set(['comment', 'decorator']),
    identifiers: new Set(IDENTIFIERS),
    strings: typescriptStrings,
    definitions: typescriptDefinitions,
    scopes: {},
    imports: typescriptImports,
    calls: { call_expression: calledName, new_expression: calledName },
    errors: typescriptErrors,
    attributes: {
      assignment_expression: (tree, node, around) => {
        const left = tree.childByField(node, 'left');
        const match = left === null || around.kind !== 'method' ? null : /^this\.([\w$]+)$/.exec(tree.textOf(left));
        return match === null
          ? null
          : { owner: around.qualifiedName.split('.').slice(0, -1).join('.'), name: match[1] as string };
      },
    },
    exportedLater: typescriptExports,
    layoutBlocks: new Set(),
  };
}

function member(name: LanguageName, extensions: readonly string[]): Language {
  return makeLanguage({
    rules: rulesFor(name),
    extensions,
    commentPrefixes: ['//', '/*', '*'],
    builtinNames: TYPESCRIPT_NAMES,
  });
}

export const typescript: Language = member('typescript', ['.ts', '.mts', '.cts']);
export const tsx: Language = member('tsx', ['.tsx']);
export const javascript: Language = member('javascript', ['.js', '.jsx', '.mjs', '.cjs']);
