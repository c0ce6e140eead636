/** Go: definitions, imports, strings and names by its grammar; a capital letter is what exports. */
import type { Language } from '../contract.js';
import { makeLanguage } from '../make-language.js';
import type { LanguageRules } from '../rules.js';
import { goDefinitions } from './definitions.js';
import { GO_NAMES } from './names.js';
import { calledName, goErrors, goStrings } from './strings.js';

const rules: LanguageRules = {
  name: 'go',
  comments: new Set(['comment']),
  leads: new Set(['comment']),
  identifiers: new Set(['identifier', 'field_identifier', 'type_identifier', 'package_identifier', 'label_name']),
  strings: goStrings,
  definitions: goDefinitions,
  scopes: {},
  imports: {
    import_spec: (tree, node) => {
      const path = tree.childByField(node, 'path');
      if (path === null) return [];
      const specifier = tree.textOf(path).slice(1, -1);
      const name = tree.childByField(node, 'name');
      const alias = name === null ? null : tree.textOf(name);
      const local =
        alias ??
        specifier
          .replace(/\/v\d+$/, '')
          .split('/')
          .pop() ??
        specifier;
      return [
        {
          specifier,
          names: alias === '.' ? ['*'] : [],
          localNames: alias === '.' || alias === '_' ? [] : [local],
          start: tree.startOf(node),
          end: tree.endOf(node),
          typeOnly: false,
          reExport: false,
        },
      ];
    },
  },
  calls: { call_expression: calledName, composite_literal: calledName },
  errors: goErrors,
  attributes: {},
  exportedLater: {},
  layoutBlocks: new Set(),
};

export const go: Language = makeLanguage({
  rules,
  extensions: ['.go'],
  commentPrefixes: ['//', '/*', '*'],
  builtinNames: GO_NAMES,
});
