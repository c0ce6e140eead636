// What a sandbox costs by itself: open, one command that does nothing, close. Usage: sandbox-start [rounds]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, probeSandboxes, type SandboxKind, toolchainMounts } from '#sandbox/index.js';

const rounds = Number(process.argv[2] ?? 30);
const PARTS = ['open', 'exec', 'close', 'all'] as const;

console.log(`${rounds} rounds each, milliseconds`);
for (const probe of await probeSandboxes()) {
  if (!probe.usable) console.log(`${probe.kind}: skipped (${probe.reason})`);
  else await measure(probe.kind);
}

async function measure(kind: SandboxKind): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-start-'));
  const times: Record<(typeof PARTS)[number], number[]> = { open: [], exec: [], close: [], all: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const marks = [performance.now()];
      const toolchains = toolchainMounts();
      const sandbox = await openSandbox(kind, {
        mounts: [...toolchains.mounts, { from: folder, to: '/work', mode: 'rw' }],
        network: 'none',
        limits: { pids: 256, memoryBytes: 1024 ** 3, cpus: 2, diskBytes: 1024 ** 3 },
        env: toolchains.env,
        cwd: '/work',
        label: 'sandbox-start',
      });
      marks.push(performance.now());
      await sandbox.exec({ argv: ['true'] });
      marks.push(performance.now());
      await sandbox.close();
      marks.push(performance.now());
      const [start = 0, opened = 0, ran = 0, closed = 0] = marks;
      times.open.push(opened - start);
      times.exec.push(ran - opened);
      times.close.push(closed - ran);
      times.all.push(closed - start);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const part of PARTS) {
    console.log(
      `${kind} ${part}: least ${quantile(times[part], 0)} p50 ${quantile(times[part], 0.5)} p95 ${quantile(times[part], 0.95)}`,
    );
  }
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);
}
