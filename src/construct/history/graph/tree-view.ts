import type { ConfigFacts } from './config-facts.js';

/**
 * What a resolver may ask of a tree. Every question is noted as a probe, so that an answer that changes later leads
 * back to those who asked.
 */
export interface TreeView {
  has(path: string): boolean;
  /** A Python file of this name (without its ending), or anything below a folder of this name, is there. */
  hasPythonName(path: string): boolean;
  /** The folder holds Go files that are not tests. */
  hasGoPackage(folder: string): boolean;
  config(path: string): ConfigFacts | null;
  /** Package name -> folder of its manifest: `package.json` and `Cargo.toml` of the whole tree. */
  workspace(kind: 'package' | 'cargo'): ReadonlyMap<string, string>;
  /** Go module path -> folder. */
  goModules(): ReadonlyMap<string, string>;
}

/** The three global maps; each is one probe. */
export type WorkspaceKind = 'package' | 'cargo' | 'go-module';

/** Files, Go packages and configuration of one tree, changed in place. */
export class TreeState implements TreeView {
  private readonly files = new Set<string>();
  private readonly goFiles = new Map<string, number>();
  private readonly pythonNames = new Map<string, number>();
  private readonly configs = new Map<string, ConfigFacts>();
  private readonly workspaces = new Map<WorkspaceKind, Map<string, string>>();

  has(path: string): boolean {
    return this.files.has(path);
  }

  hasPythonName(path: string): boolean {
    return (this.pythonNames.get(path) ?? 0) > 0;
  }

  hasGoPackage(folder: string): boolean {
    return (this.goFiles.get(folder) ?? 0) > 0;
  }

  config(path: string): ConfigFacts | null {
    return this.configs.get(path) ?? null;
  }

  goModules(): ReadonlyMap<string, string> {
    return this.workspace('go-module');
  }

  workspace(kind: WorkspaceKind): ReadonlyMap<string, string> {
    const known = this.workspaces.get(kind);
    if (known !== undefined) return known;
    const fresh = new Map<string, string>();
    const paths = [...this.configs.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    for (const path of paths) {
      const config = this.configs.get(path);
      if (config === undefined || config.kind !== kind) continue;
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const name = config.kind === 'go-module' ? config.path : config.name;
      if (name !== null && !fresh.has(name)) fresh.set(name, folder);
      if (config.kind === 'cargo' && config.libName !== null && !fresh.has(config.libName))
        fresh.set(config.libName, folder);
    }
    this.workspaces.set(kind, fresh);
    return fresh;
  }

  /** @returns the probes whose answers changed */
  setFile(path: string, isThere: boolean): string[] {
    if (this.files.has(path) === isThere) return [];
    if (isThere) this.files.add(path);
    else this.files.delete(path);
    const step = isThere ? 1 : -1;
    const probes = [fileProbe(path)];
    if (/\.pyi?$/.test(path))
      for (const name of pythonNamesOf(path)) if (count(this.pythonNames, name, step)) probes.push(pythonProbe(name));
    if (path.endsWith('.go') && !path.endsWith('_test.go')) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (count(this.goFiles, folder, step)) probes.push(goProbe(folder));
    }
    return probes;
  }

  /** @returns the probes whose answers changed */
  setConfig(path: string, facts: ConfigFacts | null): string[] {
    const before = this.configs.get(path) ?? null;
    if (before === facts || textOf(before) === textOf(facts)) return [];
    const kinds = new Set<WorkspaceKind>();
    if (nameOf(before) !== nameOf(facts))
      for (const config of [before, facts]) if (config !== null && isNamed(config)) kinds.add(config.kind);
    const workspacesBefore = [...kinds].map((kind) => JSON.stringify([...this.workspace(kind)]));
    if (facts === null) this.configs.delete(path);
    else this.configs.set(path, facts);
    const probes = [configProbe(path)];
    [...kinds].forEach((kind, index) => {
      this.workspaces.delete(kind);
      if (JSON.stringify([...this.workspace(kind)]) !== workspacesBefore[index]) probes.push(workspaceProbe(kind));
    });
    return probes;
  }
}

const texts = new WeakMap<ConfigFacts, string>();

function textOf(facts: ConfigFacts | null): string {
  if (facts === null) return '';
  const known = texts.get(facts);
  if (known !== undefined) return known;
  const text = JSON.stringify(facts);
  texts.set(facts, text);
  return text;
}

function isNamed(facts: ConfigFacts): facts is Extract<ConfigFacts, { kind: WorkspaceKind }> {
  return facts.kind === 'package' || facts.kind === 'cargo' || facts.kind === 'go-module';
}

/** What a manifest gives to the map of its kind. */
function nameOf(facts: ConfigFacts | null): string {
  if (facts === null || !isNamed(facts)) return '';
  if (facts.kind === 'go-module') return `${facts.kind} ${facts.path}`;
  return `${facts.kind} ${facts.name} ${facts.kind === 'cargo' ? facts.libName : ''}`;
}

/** Counts up or down. @returns whether there was nothing before, or is nothing now */
function count(counts: Map<string, number>, name: string, step: number): boolean {
  const before = counts.get(name) ?? 0;
  counts.set(name, before + step);
  return before === 0 || before + step === 0;
}

/** `a/b/c`, `a/b` and `a` of `a/b/c.py`. */
function pythonNamesOf(path: string): string[] {
  const names = [path.replace(/\.pyi?$/, '')];
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) names.push(path.slice(0, cut));
  return names;
}

export const pythonProbe = (path: string): string => `p${path}`;
export const fileProbe = (path: string): string => `f${path}`;
export const goProbe = (folder: string): string => `g${folder}`;
export const configProbe = (path: string): string => `c${path}`;
export const workspaceProbe = (kind: WorkspaceKind): string => `w${kind}`;

/** A view of a tree that notes what it is asked. */
export class NotingView implements TreeView {
  readonly probes = new Set<string>();

  constructor(private readonly tree: TreeState) {}

  has(path: string): boolean {
    this.probes.add(fileProbe(path));
    return this.tree.has(path);
  }

  hasPythonName(path: string): boolean {
    this.probes.add(pythonProbe(path));
    return this.tree.hasPythonName(path);
  }

  hasGoPackage(folder: string): boolean {
    this.probes.add(goProbe(folder));
    return this.tree.hasGoPackage(folder);
  }

  config(path: string): ConfigFacts | null {
    this.probes.add(configProbe(path));
    return this.tree.config(path);
  }

  workspace(kind: 'package' | 'cargo'): ReadonlyMap<string, string> {
    this.probes.add(workspaceProbe(kind));
    return this.tree.workspace(kind);
  }

  goModules(): ReadonlyMap<string, string> {
    this.probes.add(workspaceProbe('go-module'));
    return this.tree.workspace('go-module');
  }
}
