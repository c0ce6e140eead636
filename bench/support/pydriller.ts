import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reads changed methods of evenly spread commits, as its documentation shows; one line of JSON at the end. */
const SCRIPT = `
import json, sys, time
try:
    import pydriller
    from pydriller import Git
except ImportError:
    print("null")
    sys.exit(0)
from importlib.metadata import version
path, wanted = sys.argv[1], int(sys.argv[2])
git = Git(path)
commits = list(git.get_list_commits())
step = max(1, len(commits) // wanted)
chosen = commits[::step][:wanted]
start = time.monotonic()
methods = 0
failed = 0
for commit in chosen:
    for file in commit.modified_files:
        try:
            methods += len(file.changed_methods)
        except Exception:
            failed += 1
seconds = time.monotonic() - start
print(json.dumps({"version": version("pydriller"), "commits": len(chosen), "perSecond": len(chosen) / seconds, "methods": methods, "failed": failed}))
`;

interface Rate {
  version: string;
  commits: number;
  perSecond: number;
  /** Files whose parsing ended in an exception; their time counts. */
  failed: number;
}

/** How many commits a second PyDriller takes to tell changed methods; null where it is not installed. */
export async function pydrillerRate(repository: string, commits: number): Promise<Rate | null> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-pydriller-'));
  try {
    // It wants a work tree's repository, and may write its configuration.
    const clone = join(folder, 'clone');
    if ((await run(['git', 'clone', '-q', '--no-checkout', repository, clone])) === null) return null;
    const output = await run(['python3', '-c', SCRIPT, clone, `${commits}`]);
    return output === null ? null : (JSON.parse(output.trim().split('\n').at(-1) ?? 'null') as Rate | null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The output of a program, or null where it cannot be started or fails. */
async function run([program = '', ...args]: readonly string[]): Promise<string | null> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return code === 0 ? Buffer.concat(parts).toString() : null;
}
