export const TYPESCRIPT_NAMES: ReadonlySet<string> = new Set([]);
