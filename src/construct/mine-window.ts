import { pathKey } from '#kernel/bytes.js';
import type { Progress } from '#kernel/events.js';
import { Fault } from '#kernel/faults.js';
import type { History } from './history/index.js';
import type { MineRequest } from './mine-request.js';

/**
 * The request with its paths as git writes them: `./src/` is `src`, and the top of the repository is no restriction.
 * @throws Fault `path-not-inside`, `window-empty` (input)
 */
export function withPlainWindow(request: MineRequest): MineRequest {
  const { sinceMs, untilMs, paths: asked, ...rest } = request;
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs > untilMs)
    throw new Fault({
      code: 'window-empty',
      kind: 'input',
      message: `--since ${new Date(sinceMs).toISOString()} is after --until ${new Date(untilMs).toISOString()}: nothing lies between`,
      hint: 'Exchange the two, or leave one of them out.',
    });
  const paths = [...new Set((asked ?? []).map(plainPath))];
  return {
    ...rest,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(paths.length === 0 || paths.includes('') ? {} : { paths }),
  };
}

function plainPath(asked: string): string {
  const parts = asked.split('/').filter((part) => part !== '' && part !== '.');
  if (asked === '' || asked.startsWith('/') || parts.includes('..'))
    throw new Fault({
      code: 'path-not-inside',
      kind: 'input',
      message: `--path ${JSON.stringify(asked)}: is no path inside the repository`,
      hint: "Paths are relative to the repository's top, without `..`: --path src/parser",
    });
  return parts.join('/');
}

/** As histories know paths: an argument is text, a path in git is bytes, in UTF-8 nearly always. */
export function keyOfArgument(path: string): string {
  return pathKey(Buffer.from(path, 'utf8'));
}

/** A path that was never there is most often misspelt; without a word the empty result would look like a finding. */
export function noteUnknownPaths({ commits }: History, paths: readonly string[], progress: Progress): void {
  for (const path of paths) {
    const key = keyOfArgument(path);
    const isBelow = (held: string | null): boolean => held !== null && (held === key || held.startsWith(`${key}/`));
    if (commits.some(({ changes }) => changes.some((change) => isBelow(change.path) || isBelow(change.from)))) continue;
    progress({
      kind: 'notice',
      level: 'warning',
      message: `--path ${path}: no file was ever there in this history; paths are relative to the repository's top`,
    });
  }
}
