export const GO_NAMES: ReadonlySet<string> = new Set([]);
