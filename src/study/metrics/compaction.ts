import { scored } from './certainty.js';
import type { Metric } from './metric.js';
import type { StageResult } from './run.js';
import { stagesFrom, verdictAt } from './verdict-view.js';

/** Bins of tool calls in a stage. */
export const CALL_BINS: readonly { readonly from: number; readonly to: number | null }[] = [
  { from: 0, to: 40 },
  { from: 40, to: 100 },
  { from: 100, to: null },
];

/** F2P of later stages of similar effort, with and without a compaction of the agent's context. */
export function f2pByCompaction(bin: { from: number; to: number | null }, compacted: boolean): Metric {
  const calls = bin.to === null ? `${bin.from}+` : bin.from === 0 ? `<${bin.to}` : `${bin.from}–${bin.to - 1}`;
  const how = compacted ? 'compacted' : 'whole';
  return {
    id: `f2p-calls-${bin.from}-${how}`,
    short: `${calls} calls, ${how}`,
    label: `F2P at ${calls} tool calls, context ${how}`,
    definition: `F2P rate over stages from m1 on with measured context, ${calls} tool calls, ${compacted ? 'with' : 'without'} compaction.`,
    unit: 'stage',
    better: null,
    observe: (run) =>
      stagesFrom(run, 1).flatMap((stage) => {
        const result = run.stages[stage] ?? null;
        const count = toolCalls(result);
        if (result === null || result.line.contextMeasured === null || count === null) return [null];
        if (!result.line.contextMeasured || count < bin.from || (bin.to !== null && count >= bin.to)) return [];
        if (result.line.compacted === null) return [null];
        return result.line.compacted === compacted ? [scored(verdictAt(run, stage).f2p)] : [];
      }),
  };
}

function toolCalls(result: StageResult | null): number | null {
  const calls = result?.line.toolCalls ?? null;
  return calls === null ? null : calls.explore + calls.edit + calls.test + calls.build + calls.other;
}
