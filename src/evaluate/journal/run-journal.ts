import { type RunEvent, runEvent } from '#documents/run-events.js';
import type { Clock } from '#kernel/clock.js';
import { Fault } from '#kernel/faults.js';
import { type JournalEntry, openJournal, readJournal } from '#store/index.js';
import { foldRun, type RunState } from './fold-run.js';

/** A run's journal: every append is on disk before it returns, and `state` follows. */
export interface RunJournal {
  readonly state: RunState;
  readonly path: string;
  append(event: RunEvent): Promise<void>;
  close(): Promise<void>;
}

/** Opens a run's journal for appending. The caller holds the experiment's lock. @throws Fault `journal-broken` (input) */
export async function openRunJournal(path: string, clock: Clock): Promise<RunJournal> {
  const journal = await openJournal(path, clock);
  const events = journal.entries.map((entry) => eventOf(entry, path));
  return {
    path,
    get state() {
      return foldRun(events);
    },
    append: async (event) => {
      await journal.append(event.type, event.data);
      events.push(event);
    },
    close: () => journal.close(),
  };
}

/** What a run's journal says, without touching it. */
export async function readRunState(path: string): Promise<RunState> {
  const { entries } = await readJournal(path);
  return foldRun(entries.map((entry) => eventOf(entry, path)));
}

function eventOf(entry: JournalEntry, path: string): RunEvent {
  const parsed = runEvent.safeParse({ type: entry.type, data: entry.data });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Fault({
    code: 'journal-broken',
    kind: 'input',
    message: `${path}: line ${entry.seq + 1}: field ${issue?.path.map(String).join('.') ?? 'type'}: ${issue?.message ?? 'invalid'}`,
    hint: 'The journal is of another version, or was edited. Use the program that wrote it, or move this attempt aside.',
  });
}
