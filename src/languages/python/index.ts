/** Python: definitions, imports, strings and names by its grammar. */
import type { Language } from '../contract.js';
import { makeLanguage } from '../make-language.js';
import type { LanguageRules } from '../rules.js';
import { pythonAttributes, pythonDefinitions } from './definitions.js';
import { pythonImports } from './imports.js';
import { PYTHON_NAMES } from './names.js';
import { calledName, pythonErrors, pythonStrings } from './strings.js';

const rules: LanguageRules = {
  name: 'python',
  comments: new Set(['comment', 'line_continuation']),
  leads: new Set(['comment']),
  identifiers: new Set(['identifier']),
  strings: pythonStrings,
  definitions: pythonDefinitions,
  scopes: {},
  imports: pythonImports,
  calls: { call: calledName },
  errors: pythonErrors,
  attributes: pythonAttributes,
  exportedLater: {},
  layoutBlocks: new Set(['block']),
};

export const python: Language = makeLanguage({
  rules,
  extensions: ['.py', '.pyi'],
  commentPrefixes: ['#'],
  builtinNames: PYTHON_NAMES,
});
