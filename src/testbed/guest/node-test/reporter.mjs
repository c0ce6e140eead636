// The reporter that node:test is started with: knows when the last event has been given out.
import { createRequire } from 'node:module';

const { onReported, onAllReported } = createRequire(import.meta.url)('./preload.cjs');

// biome-ignore lint/correctness/useYield: a reporter is an async generator, and this one prints nothing
export default async function* report(source) {
  for await (const event of source) onReported(event);
  onAllReported();
}
