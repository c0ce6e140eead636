/** One section of an ini file with its lines as they stand, header included. */
export interface IniSection {
  /** Trimmed; null for what stands before the first header. */
  name: string | null;
  lines: string[];
}

/** Splits ini text into sections, byte for byte: joined again they are the text. */
export function iniSections(text: string): IniSection[] {
  const sections: IniSection[] = [{ name: null, lines: [] }];
  for (const line of text.split('\n')) {
    const name = /^\[(.*)\][ \t]*(?:[#;].*)?\r?$/.exec(line)?.[1];
    if (name !== undefined) sections.push({ name: name.trim(), lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** The text of sections. */
export function iniText(sections: readonly IniSection[]): string {
  return sections.flatMap((section) => section.lines).join('\n');
}

/** A line that no ini reader takes: content before any header. Null when there is none. */
export function iniError(sections: readonly IniSection[]): string | null {
  const stray = sections[0]?.lines.find((line) => /^\s*[^\s#;]/.test(line));
  if (stray !== undefined) return `a line before the first section: ${JSON.stringify(stray.slice(0, 60))}`;
  const names = sections.map((section) => section.name);
  const twice = names.find((name, index) => name !== null && names.indexOf(name) !== index);
  return twice === undefined ? null : `section [${twice}] is there twice`;
}

/** Keys of a section, lower-cased, with their values; continuation lines belong to the key above. */
export function iniValues(section: IniSection): Map<string, string> {
  const values = new Map<string, string>();
  for (const { key, lines } of iniEntries(section)) {
    if (key === null) continue;
    const text = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^[#;]/.test(line));
    values.set(key, text.join('\n').replace(/^[^=:]*[=:]?\s*/, ''));
  }
  return values;
}

/** The lines of a section, grouped by the key they belong to (null: header, comments, blank lines before a key). */
export function iniEntries(section: IniSection): { key: string | null; lines: string[] }[] {
  const entries: { key: string | null; lines: string[] }[] = [{ key: null, lines: [] }];
  const header = section.name === null ? 0 : 1;
  entries[0]?.lines.push(...section.lines.slice(0, header));
  for (const line of section.lines.slice(header)) {
    const key = /^([^\s#;=:[][^=:]*?)\s*(?:[=:]|$)/.exec(line)?.[1];
    if (key !== undefined) entries.push({ key: key.toLowerCase(), lines: [] });
    entries.at(-1)?.lines.push(line);
  }
  return entries;
}
