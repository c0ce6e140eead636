import { join } from 'node:path';
import type { Verdict } from '#documents/verdict.js';
import { Fault } from '#kernel/faults.js';
import { type GatePlace, readVerdicts } from './journal/index.js';
import { keepVerdict } from './keep-verdict.js';
import type { RunContext } from './run-context.js';

/** The gates of one run: held beside it on its snapshots, so that no byte and no delay of a verdict can reach the agent. */
export class GateLine {
  private readonly pending: Promise<void>[] = [];
  private failure: { thrown: unknown } | null = null;

  constructor(private readonly context: RunContext) {}

  /** Holds a gate as soon as there is room, unless it was held on this snapshot before. Returns at once. */
  enqueue(place: GatePlace, tree: string): void {
    const held = this.context.request.gateSlots
      .use(() => this.hold(place, tree))
      .catch((thrown: unknown) => {
        this.failure ??= { thrown };
      });
    this.pending.push(held);
  }

  /** Waits for every gate. @throws what broke one, other than faults of the operator's world, which the journal holds */
  async settle(): Promise<void> {
    await Promise.all(this.pending);
    if (this.failure !== null) throw this.failure.thrown;
  }

  private async hold(place: GatePlace, tree: string): Promise<void> {
    const { request, journal, layout } = this.context;
    const known = (await readVerdicts(layout, [place])).get(place) ?? null;
    if (known?.valid === true && known.snapshot === tree) {
      if (journal.state.gates.get(place)?.verdict !== known.id) await this.record(place, known);
      return;
    }
    if (request.stop.soon.aborted || request.stop.now.aborted) return;
    await journal.append({ type: 'gate-started', data: { place, tree } });
    request.faultPoint('gate-started');
    try {
      const graded = await this.grade(place, tree, known);
      // What was cut short by the operator says nothing.
      if (request.stop.now.aborted) return;
      await keepVerdict(this.context.layout, graded);
      request.faultPoint('gate-kept');
      await this.record(place, graded.verdict);
    } catch (thrown) {
      if (request.stop.now.aborted) return;
      if (!(thrown instanceof Fault) || thrown.kind === 'internal') throw thrown;
      const { code, message } = thrown;
      await journal.append({ type: 'gate-failed', data: { place, code, message } });
    }
  }

  private grade(place: GatePlace, tree: string, before: Verdict | null): Promise<{ verdict: Verdict; output: Buffer }> {
    const { request, repository, labels } = this.context;
    const { plan, task, agent, attempt, clock } = request;
    return request.grade({
      package: task.package,
      stage: place,
      repository,
      snapshotTree: tree,
      agent: agent.name,
      attempt,
      round: 0,
      sandbox: { kind: plan.experiment.sandbox.kind, limits: plan.limits },
      environmentFolder: task.environmentFolder,
      cacheFolder: join(plan.folder, 'grading-cache'),
      // Neither agent nor attempt: equal trees are graded once.
      seed: `${plan.experiment.protocol.seed}/${task.package.task.id}/${place}`,
      derivedFrom: before?.id ?? null,
      clock,
      label: labels.gates,
      // A grading that is cut short throws: what it saw by then must neither be judged nor kept.
      signal: request.stop.now,
      twins: true,
    });
  }

  private async record(place: GatePlace, verdict: Verdict): Promise<void> {
    const { id, snapshot, gateDigest, valid } = verdict;
    await this.context.journal.append({
      type: 'gate-ended',
      data: { place, tree: snapshot, verdict: id, gateDigest, valid },
    });
  }
}
