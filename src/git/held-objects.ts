import { type GitPlace, runGit } from './run-git.js';

/** Every object that the repository holds: slow, but nothing is ever fetched for it. */
export async function heldObjects(place: GitPlace): Promise<Set<string>> {
  const held = new Set<string>();
  await runGit(place, {
    args: ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'],
    onStdout: byLines((line) => held.add(line)),
  });
  return held;
}

export function byLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
