import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { seededRandom } from '#kernel/random.js';

/** Writes a bare repository of so many commits, a quarter of them merges of short branches, and returns its folder. */
export async function generateHistory(gitDir: string, commits: number): Promise<string> {
  await mkdir(gitDir, { recursive: true });
  await git(gitDir, ['init', '-q', '--bare', '-b', 'main', gitDir], null);
  await git(gitDir, ['fast-import', '--quiet', '--done'], script(commits));
  return gitDir;
}

function* script(commits: number): Generator<string> {
  const random = seededRandom('generated history');
  const paths = Array.from({ length: 2_000 }, (_, at) => `src/d${at % 40}/e${at % 7}/f${at}.py`);
  let tip = 0;
  for (let mark = 1; mark <= commits; mark += 1) {
    const isMerge = mark % 4 === 0 && mark > 4;
    yield `commit refs/heads/main\nmark :${mark}\ncommitter C <c@example.com> ${1_000_000_000 + mark * 60} +0000\n`;
    const message = `change ${mark}\n`;
    yield `data ${message.length}\n${message}`;
    if (isMerge) yield `from :${mark - 3}\nmerge :${mark - 1}\n`;
    else if (mark > 1) yield `from :${mark % 4 === 2 && mark > 4 ? mark - 2 : tip}\n`;
    for (let change = 0; change < 3; change += 1) {
      const content = `value = ${mark}\n${'line of code\n'.repeat(20 + random.below(60))}`;
      yield `M 100644 inline ${paths[random.below(paths.length)]}\ndata ${content.length}\n${content}\n`;
    }
    tip = mark;
  }
  yield 'done\n';
}

function git(gitDir: string, args: readonly string[], input: Iterable<string> | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...args], {
      env: { ...process.env, GIT_DIR: gitDir },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`git ${args[0]} ended with ${code}`))));
    void (async () => {
      for (const text of input ?? [])
        if (!child.stdin.write(text)) await new Promise<void>((drained) => child.stdin.once('drain', () => drained()));
      child.stdin.end();
    })();
  });
}
