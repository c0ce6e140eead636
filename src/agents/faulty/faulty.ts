import { z } from 'zod';
import { certain } from '#kernel/faults.js';
import { seededRandom } from '#kernel/random.js';
import type { UntrustedFolder } from '#store/index.js';
import { checkOptions } from '../check-options.js';
import type { AgentFacts, AgentScaffold, AgentSessionRequest, AgentTurn } from '../contract.js';
import { turnFacts } from '../turn-facts.js';
import { chooseDefect } from './choose-defect.js';
import { type Defect, lineText, MUTATIONS } from './defects.js';

const options = z.strictObject({
  /** The stage at which the defect is made, from 0. */
  stage: z.number().int().nonnegative().default(0),
  seed: z.union([z.string(), z.number()]).nullable().default(null),
  mutation: z.enum(MUTATIONS).nullable().default(null),
  /** Only lines that contain this text. */
  match: z.string().min(1).nullable().default(null),
});

/** Does each stage by its reference, but spoils one line at one stage and builds on it from then on. */
export const faulty: AgentScaffold = {
  name: 'faulty',
  capabilities: { hostSide: true, executesModelOutput: false, resume: 'stateless', usage: 'none' },
  check: (configuration) => {
    checkOptions(configuration, options);
  },
  open: async (request) => {
    const wish = checkOptions(request.configuration, options);
    return {
      turn: (turn) => runTurn(request, turn, wish),
      interrupt: async () => undefined,
      close: async () => undefined,
      liveProcesses: () => [],
    };
  },
};

async function runTurn(
  request: AgentSessionRequest,
  turn: AgentTurn,
  wish: z.infer<typeof options>,
): Promise<AgentFacts> {
  const startedAt = performance.now();
  const reference = certain(request.reference, 'the reference of the faulty agent');
  const facts = (error: string | null) => turnFacts({ error, durationMs: performance.now() - startedAt });
  await reference.applyStage(turn.stage);
  if (turn.stage < wish.stage) return facts(null);
  // Chosen again at every stage: equal seeds choose equally, so nothing need be remembered between processes.
  const random = seededRandom(`${wish.seed ?? request.seed}/faulty/${request.task}/${wish.stage}`);
  const defect = await chooseDefect(reference, { ...wish, random });
  if (defect === null) return facts(`stage ${wish.stage} of ${request.task} adds no line that can be spoilt as wished`);
  const made = await spoil(request.files, defect, turn.stage === wish.stage);
  return facts(
    made || turn.stage > wish.stage ? null : `${defect.path} does not contain ${JSON.stringify(defect.before)}`,
  );
}

/** Puts the defect in: at first wherever its line stands, later only where a stage took it out again. */
async function spoil(files: UntrustedFolder, defect: Defect, first: boolean): Promise<boolean> {
  const text = (await files.read(defect.path))?.toString('utf8');
  if (text === undefined) return false;
  const lines = text.split('\n');
  const at = lineText(text, defect.line) === defect.before ? defect.line - 1 : lines.indexOf(defect.before);
  if (!first && lines.includes(defect.after)) return true;
  if (at < 0) return false;
  lines[at] = defect.after;
  await files.write(defect.path, Buffer.from(lines.join('\n'), 'utf8'));
  return true;
}
