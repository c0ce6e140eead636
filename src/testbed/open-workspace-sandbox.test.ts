import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Environment } from '#documents/environment.js';
import { probeSandboxes, type SandboxKind } from '#sandbox/index.js';
import { withTemporaryFolder } from '#store/index.js';
import { openWorkspaceSandbox } from './open-workspace-sandbox.js';

const usable = (await probeSandboxes()).filter((probe) => probe.usable).map(({ kind }) => kind);

const environment: Environment = {
  digest: 'none',
  recipe: { kind: 'node', toolchains: {}, install: [], inputs: [], packages: {} },
  mounts: [{ from: 'node_modules', to: 'node_modules' }],
  scratch: ['node_modules/.cache', 'out'],
  owned: ['node_modules'],
  env: { HERE: '{workspace}', THERE: '{environment}/bin', TZ: 'Asia/Tokyo' },
  path: ['{environment}/bin'],
  prepare: [],
};

interface Place {
  workspace: string;
  run: (script: string) => Promise<string>;
}

async function inSandbox<T>(
  kind: SandboxKind,
  prepare: (workspace: string, folder: string) => Promise<void>,
  work: (place: Place) => Promise<T>,
): Promise<{ result: T; left: string[] }> {
  return withTemporaryFolder('joined', async (folder) => {
    const [workspace, content] = [join(folder, 'workspace'), join(folder, 'content')];
    await mkdir(join(content, 'node_modules/pkg'), { recursive: true });
    await mkdir(join(content, 'node_modules/.cache'));
    await mkdir(join(content, 'bin'));
    await writeFile(join(content, 'node_modules/pkg/index.js'), 'module.exports = 7;');
    await writeFile(join(content, 'bin/tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
    await mkdir(workspace);
    await prepare(workspace, folder);
    const sandbox = await openWorkspaceSandbox({
      kind,
      environment,
      environmentFolder: content,
      hostWorkspace: workspace,
      limits: { pids: null, memoryBytes: null, cpus: null, diskBytes: null },
      label: 'test-joined',
    });
    const run = async (script: string): Promise<string> => {
      const { stdout, stderr } = await sandbox.exec({ argv: ['sh', '-c', script], timeoutMs: 20_000 });
      return `${stdout}${stderr}`;
    };
    try {
      const result = await work({ workspace, run });
      await sandbox.close();
      expect(await readdir(join(content, 'node_modules'))).toEqual(['.cache', 'pkg']);
      expect(await readdir(join(content, 'node_modules/.cache'))).toEqual([]);
      return { result, left: await readdir(workspace) };
    } finally {
      await sandbox.close();
    }
  });
}

describe.each(usable)('A workspace in the %s sandbox', (kind) => {
  it('has its dependencies, its tools, its variables, a home and scratch space', async () => {
    const { result } = await inSandbox(
      kind,
      async () => undefined,
      async ({ run }) => ({
        required: await run(`node -p 'require("pkg")'`),
        tool: await run('tool'),
        variables: await run(
          'test "$HERE" = "$(pwd)" && test "$THERE" = "$(dirname "$(command -v tool)")" && echo "$TZ $CI $PYTHONHASHSEED"',
        ),
        written: await run('echo x > node_modules/.cache/x && echo y > "$HOME/y" && echo z > "$TMPDIR/z" && echo done'),
      }),
    );
    expect(result).toEqual({ required: '7\n', tool: 'tool\n', variables: 'Asia/Tokyo 1 0\n', written: 'done\n' });
  });

  it('gives each opening scratch space of its own and leaves nothing of it', async () => {
    const { result } = await inSandbox(
      kind,
      async () => undefined,
      async ({ run }) => {
        await run('echo x > node_modules/.cache/x');
        return run('ls node_modules/.cache');
      },
    );
    expect(result).toBe('x\n');
    const again = await inSandbox(
      kind,
      async () => undefined,
      ({ run }) => run('ls node_modules/.cache'),
    );
    expect(again.result).toBe('');
  });

  it('follows no link of the workspace when it joins the environment in', async () => {
    const { result } = await inSandbox(
      kind,
      async (workspace, folder) => {
        await mkdir(join(folder, 'elsewhere'));
        await symlink(join(folder, 'elsewhere'), join(workspace, 'node_modules'));
      },
      async ({ workspace, run }) => ({
        required: await run(`node -p 'require("pkg")'`),
        link: (await lstat(join(workspace, 'node_modules'))).isSymbolicLink(),
        elsewhere: await readdir(join(workspace, '../elsewhere')),
      }),
    );
    expect(result).toEqual({ required: '7\n', link: false, elsewhere: [] });
  });
});
