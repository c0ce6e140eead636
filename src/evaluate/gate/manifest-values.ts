import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, stringify as printToml, type TomlTable } from 'smol-toml';
import type { ManifestMerge } from '#documents/suite.js';
import { messageOf } from '#kernel/faults.js';
import { type IniSection, iniEntries, iniError, iniSections, iniText, iniValues } from './ini-sections.js';

/** A parsed manifest whose fields can be compared and replaced. */
export interface ManifestValues {
  /** Whether both hold the same at this path of keys. */
  sameAt(other: ManifestValues, path: readonly string[]): boolean;
  /** Takes what the other holds at this path; what it does not hold is removed. */
  takeFrom(other: ManifestValues, path: readonly string[]): void;
  isEmpty(): boolean;
  print(): Buffer;
}

/** Parses a manifest. @returns the values, or why nobody could read it */
export function parseManifest(
  format: ManifestMerge['format'],
  content: Buffer,
): { values: ManifestValues } | { unreadable: string } {
  const text = content.toString('utf8').replace(/^\uFEFF/, '');
  try {
    if (format === 'ini') {
      const sections = iniSections(text);
      const error = iniError(sections);
      return error === null ? { values: new IniManifest(sections) } : { unreadable: error };
    }
    const value: unknown = format === 'json' ? JSON.parse(text) : parseToml(text);
    if (!isTable(value)) return { unreadable: 'not a table of fields' };
    return { values: new TableManifest(value, format, text) };
  } catch (thrown) {
    return { unreadable: messageOf(thrown).split('\n')[0] ?? 'unreadable' };
  }
}

/** A manifest without any field. */
export function emptyManifest(format: ManifestMerge['format']): ManifestValues {
  return format === 'ini' ? new IniManifest([]) : new TableManifest({}, format, '');
}

type Table = Record<string, unknown>;

function isTable(value: unknown): value is Table {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}

class TableManifest implements ManifestValues {
  constructor(
    private readonly table: Table,
    private readonly format: 'json' | 'toml',
    private readonly text: string,
  ) {}

  private at(path: readonly string[]): unknown {
    let value: unknown = this.table;
    for (const key of path) {
      if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
      value = value[key];
    }
    return value;
  }

  sameAt(other: ManifestValues, path: readonly string[]): boolean {
    return other instanceof TableManifest && isDeepStrictEqual(this.at(path), other.at(path));
  }

  takeFrom(other: ManifestValues, path: readonly string[]): void {
    const value = other instanceof TableManifest ? other.at(path) : undefined;
    const last = path.at(-1);
    if (last === undefined) return;
    let table = this.table;
    for (const key of path.slice(0, -1)) {
      const next = Object.hasOwn(table, key) ? table[key] : undefined;
      if (isTable(next)) {
        table = next;
        continue;
      }
      if (value === undefined) return;
      const made: Table = {};
      table[key] = made;
      table = made;
    }
    if (value === undefined) delete table[last];
    else table[last] = value;
  }

  isEmpty(): boolean {
    return Object.keys(this.table).length === 0;
  }

  print(): Buffer {
    if (this.format === 'toml') return Buffer.from(printToml(this.table as TomlTable));
    const indent = /^\s*\{\s*?\n([ \t]+)/.exec(this.text)?.[1] ?? 2;
    return Buffer.from(`${JSON.stringify(this.table, null, indent)}\n`);
  }
}

/** Path of one key: a whole section; of two: one key of a section. */
class IniManifest implements ManifestValues {
  constructor(private sections: IniSection[]) {}

  private section(name: string | undefined): IniSection | undefined {
    return this.sections.find((section) => section.name === name);
  }

  private valuesAt(path: readonly string[]): unknown {
    const section = this.section(path[0]);
    if (section === undefined) return undefined;
    const values = iniValues(section);
    return path[1] === undefined ? values : values.get(path[1].toLowerCase());
  }

  sameAt(other: ManifestValues, path: readonly string[]): boolean {
    return other instanceof IniManifest && isDeepStrictEqual(this.valuesAt(path), other.valuesAt(path));
  }

  takeFrom(other: ManifestValues, path: readonly string[]): void {
    const [name, key] = path;
    const theirs = other instanceof IniManifest ? other.section(name) : undefined;
    const own = this.section(name);
    if (name === undefined) return;
    if (key === undefined) {
      this.sections = this.sections.filter((section) => section !== own);
      if (theirs !== undefined) this.append({ name, lines: [...theirs.lines] });
      return;
    }
    const wanted = key.toLowerCase();
    const lines = theirs === undefined ? [] : iniEntries(theirs).filter((entry) => entry.key === wanted);
    const kept = own === undefined ? [] : iniEntries(own).filter((entry) => entry.key !== wanted);
    const taken = lines.flatMap((entry) => entry.lines).filter((line) => line.trim() !== '');
    if (own !== undefined) {
      const all = kept.flatMap((entry) => entry.lines);
      own.lines = [...all.slice(0, 1), ...taken, ...all.slice(1)];
    } else if (taken.length > 0) this.append({ name, lines: [`[${name}]`, ...taken] });
  }

  private append(section: IniSection): void {
    const last = this.sections.at(-1);
    // A text that ends in a newline ends in an empty last line; the new section goes in front of it.
    if (last?.lines.at(-1) === '') last.lines.pop();
    if (section.lines.at(-1) !== '') section.lines.push('');
    this.sections.push(section);
  }

  isEmpty(): boolean {
    return this.sections.every((section) => section.name === null && section.lines.every((line) => line === ''));
  }

  print(): Buffer {
    return Buffer.from(iniText(this.sections));
  }
}
