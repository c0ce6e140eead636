import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { taskLayout } from '#documents/layout.js';
import { errorCodeOf, Fault } from '#kernel/faults.js';

/**
 * Task folders that patterns name, each once, sorted. `*` and `?` match inside one path part, `**` any number of parts.
 * @param base folder that relative patterns start from
 * @param place says where a pattern stands, for messages
 * @throws Fault `task-not-found` (input) where a pattern matches no folder with a task.json
 */
export async function findTasks(
  patterns: readonly string[],
  base: string,
  place: (index: number) => string,
): Promise<string[]> {
  const found = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    const folders = await expand(pattern, base);
    const tasks: string[] = [];
    for (const folder of folders) if (await isThere(taskLayout(folder).document)) tasks.push(folder);
    if (tasks.length === 0) {
      throw new Fault({
        code: 'task-not-found',
        kind: 'input',
        message: `${place(index)}: ${JSON.stringify(pattern)} matches no folder with a task.json (looked from ${base})`,
        hint: 'Give task folders, or patterns such as tasks/*, relative to the experiment file.',
      });
    }
    for (const task of tasks) found.add(task);
  }
  return [...found].sort();
}

async function expand(pattern: string, base: string): Promise<string[]> {
  if (!/[*?]/.test(pattern)) return [resolve(base, pattern)];
  const parts = resolve(base, pattern).split('/').slice(1);
  let folders = ['/'];
  for (const part of parts) {
    const next: string[] = [];
    for (const folder of folders) {
      if (part === '**') next.push(folder, ...(await foldersBelow(folder)));
      else if (!/[*?]/.test(part)) next.push(join(folder, part));
      else
        next.push(
          ...(await foldersIn(folder)).filter((name) => matcher(part).test(name)).map((name) => join(folder, name)),
        );
    }
    folders = [...new Set(next)];
  }
  return folders;
}

function matcher(part: string): RegExp {
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  // As in a shell, a pattern that does not begin with a dot matches no name that does.
  const hidden = part.startsWith('.') ? '' : '(?!\\.)';
  return new RegExp(`^${hidden}${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw thrown;
  }
}

async function foldersBelow(folder: string): Promise<string[]> {
  const below: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    below.push(path, ...(await foldersBelow(path)));
  }
  return below;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
