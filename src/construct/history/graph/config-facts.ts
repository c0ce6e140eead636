import { parse as parseToml } from 'smol-toml';

/** What a project's configuration says about where imports lead. Everything else in these files is left out. */
export type ConfigFacts =
  | {
      kind: 'package';
      name: string | null;
      entries: string[];
      exports: [string, string][];
      imports: [string, string][];
    }
  | { kind: 'tsconfig'; baseUrl: string | null; paths: [string, string[]][]; extends: string | null }
  | { kind: 'deno'; imports: [string, string][] }
  | { kind: 'cargo'; name: string | null; libName: string | null; libPath: string | null }
  | { kind: 'go-module'; path: string };

/** Whether a path is of a file that configures imports. */
export function isConfigPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    /^(?:package\.json|[tj]sconfig(?:\.[\w.-]+)?\.json|deno\.jsonc?|Cargo\.toml|go\.mod)$/.test(name) &&
    !/(?:^|\/)node_modules\//.test(path)
  );
}

/** Reads a configuration file. Null where it cannot be read: then it configures nothing. */
export function readConfig(path: string, content: Buffer): ConfigFacts | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const text = content.toString('utf8');
  if (name === 'go.mod') {
    const module = /^module\s+("?)([^\s"]+)\1/m.exec(text)?.[2];
    return module === undefined ? null : { kind: 'go-module', path: module };
  }
  try {
    if (name === 'Cargo.toml') return readCargo(parseToml(text));
    const value = record(parseJson(text));
    if (name === 'package.json') return readPackage(value);
    return name.startsWith('deno') ? { kind: 'deno', imports: leaves(value.imports) } : readTsconfig(value);
  } catch {
    // Conflict markers, templates, trailing nonsense: a file that tools could not read either.
    return null;
  }
}

function readPackage(value: Record<string, unknown>): ConfigFacts {
  const entries = [value.source, value.module, value.main, value.types, value.typings].filter(
    (entry) => typeof entry === 'string',
  );
  const exports =
    typeof value.exports === 'string' ? [['.', value.exports] as [string, string]] : leaves(value.exports, '.');
  return {
    kind: 'package',
    name: typeof value.name === 'string' ? value.name : null,
    entries,
    exports,
    imports: leaves(value.imports),
  };
}

function readTsconfig(value: Record<string, unknown>): ConfigFacts {
  const options = record(value.compilerOptions);
  const paths = Object.entries(record(options.paths)).map(([pattern, targets]): [string, string[]] => [
    pattern,
    Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
  ]);
  return {
    kind: 'tsconfig',
    baseUrl: typeof options.baseUrl === 'string' ? options.baseUrl : null,
    paths,
    extends: typeof value.extends === 'string' && value.extends.startsWith('.') ? value.extends : null,
  };
}

function readCargo(value: unknown): ConfigFacts {
  const { package: own, lib } = record(value);
  const name = record(own).name;
  const library = record(lib);
  return {
    kind: 'cargo',
    name: typeof name === 'string' ? name : null,
    libName: typeof library.name === 'string' ? library.name : null,
    libPath: typeof library.path === 'string' ? library.path : null,
  };
}

/** Pairs of pattern and file from a map whose values may be conditions: the first file of each wins. */
function leaves(value: unknown, conditionsOf = ''): [string, string][] {
  const entries = Object.entries(record(value));
  const isConditions = conditionsOf !== '' && entries.length > 0 && entries.every(([key]) => !key.startsWith('.'));
  const listed: [string, unknown][] = isConditions ? [[conditionsOf, value]] : entries;
  return listed.flatMap(([key, target]) => firstFiles(target).map((file): [string, string] => [key, file]));
}

function firstFiles(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (target === null || typeof target !== 'object') return [];
  return Object.values(target).flatMap(firstFiles).slice(0, 4);
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(withoutComments(text));
  }
}

/** JSON as people write it: comments and trailing commas go, strings stay. */
function withoutComments(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_all, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_all, string: string | undefined) => string ?? '');
}
