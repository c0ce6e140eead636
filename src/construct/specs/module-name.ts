import { languageOf } from '#languages/index.js';

/** A module's path without extension and without the file name that stands for its folder. */
export function moduleStem(path: string): string {
  return path.replace(/(?:\.d)?\.(?:pyi?|[cm]?[jt]sx?|rs|go)$/, '').replace(/(?:^|\/)(?:index|__init__|mod)$/, '');
}

/** The stem that a relative import of a file leads to, or null where the specifier is not relative. */
export function resolvedStem(file: string, specifier: string): string | null {
  const folder = file.split('/').slice(0, -1);
  if (specifier.startsWith('./') || specifier.startsWith('../') || specifier === '.' || specifier === '..') {
    return moduleStem(joined(folder, specifier.split('/')));
  }
  const dots = /^(\.+)(.*)$/.exec(specifier);
  if (dots === null || !file.endsWith('.py')) return null;
  const [, up = '', rest = ''] = dots;
  return joined(folder.slice(0, folder.length - up.length + 1), rest.split('.'));
}

function joined(folder: string[], parts: readonly string[]): string {
  const path = [...folder];
  for (const part of parts) {
    if (part === '..') path.pop();
    else if (part !== '.' && part !== '') path.push(part);
  }
  return path.join('/');
}

/**
 * How importers call the module of a source file: `click.types` for src/click/types.py, `crate::walk` for src/walk.rs, the
 * folder for a Go package, the path without extension for scripts.
 */
export function moduleName(path: string): string {
  const language = languageOf(path)?.name;
  const stem = moduleStem(path);
  if (language === 'python')
    return stem
      .replace(/^(?:src|lib)\//, '')
      .split('/')
      .join('.');
  if (language === 'rust') {
    const inner = stem.replace(/^(?:.*\/)?src\//, '').replace(/^(?:lib|main)$/, '');
    return ['crate', ...inner.split('/').filter((part) => part !== '')].join('::');
  }
  if (language === 'go') return path.split('/').slice(0, -1).join('/') || '.';
  return stem;
}

/** Whether a specifier that a test writes (or the stem it leads to) is the module of a source file. */
export function isModuleOf(path: string, specifier: string, stem: string): boolean {
  const own = moduleStem(path);
  return (
    stem === own ||
    specifier === moduleName(path) ||
    (languageOf(path)?.name === 'python' && stem.split('.').join('/') === own.replace(/^(?:src|lib)\//, ''))
  );
}
