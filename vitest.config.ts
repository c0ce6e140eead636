import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = fileURLToPath(new URL('./src/', import.meta.url));

export default defineConfig({
  resolve: { alias: [{ find: /^#(.*)\.js$/, replacement: `${src}$1.ts` }] },
  test: {
    // A worker thread's exit would kill a bwrap it spawned with --die-with-parent.
    pool: 'forks',
    maxWorkers: 2,
    // Real tools on a busy machine: a time-out only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', 'dist/**'],
  },
});
