export const RUST_NAMES: ReadonlySet<string> = new Set([]);
