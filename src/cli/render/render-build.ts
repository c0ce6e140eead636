import type { ConstructReport } from '#construct/index.js';
import { plainText } from './plain-text.js';

/** The task as a person wants to see it first: where it is, what each stage holds, what is worth knowing. */
export function renderBuild({ folder, task, layers, notes, seconds }: ConstructReport): string {
  const stages = task.stages.map(
    (stage, k) =>
      `  m${k}  ${String(stage.f2p).padStart(4)} F2P ${String(stage.p2p).padStart(5)} P2P ${String(stage.sourceLines).padStart(5)} source lines  ${plainText(stage.title)}\n`,
  );
  const solved = layers.filter((layer) => layer.solved > 0).map((layer) => `${layer.solved} by ${layer.layer}`);
  const total = Object.values(seconds).reduce((sum, part) => sum + part, 0);
  return [
    `${plainText(folder)}\n`,
    ...stages,
    `file patches taken out: ${solved.join(', ')}\n`,
    ...notes.map((note) => `note: ${plainText(note)}\n`),
    `took ${total.toFixed(1)} s (${Object.entries(seconds)
      .map(([step, part]) => `${step} ${part.toFixed(1)}`)
      .join(', ')})\n`,
  ].join('');
}
