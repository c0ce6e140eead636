const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

/** Escapes that the four languages share, undone; one that is unknown keeps its text. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/g,
    (all: string, braced?: string, short?: string, long?: string, byte?: string, octal?: string, single?: string) => {
      const code = braced ?? short ?? long ?? byte;
      if (code !== undefined) {
        const point = Number.parseInt(code, 16);
        return point <= 0x10ffff ? String.fromCodePoint(point) : all;
      }
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (single === undefined || single === '\n' || single === '\r\n') return '';
      return SIMPLE[single] ?? (/["'`\\$]/.test(single) ? single : all);
    },
  );
}
