export const PYTHON_NAMES: ReadonlySet<string> = new Set([]);
