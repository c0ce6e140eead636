import type { CommitIdentity, CommitObject } from '#git/index.js';
import type { FileChange, HistoryCommit, Identity, TextMark } from '../history.js';
import type { LineageTracker } from '../identity/lineage-tracker.js';
import type { RawHistory } from '../raw/raw-history.js';
import type { Mailmap } from './mailmap.js';
import type { PathEvents } from './path-events.js';

interface RecordRequest {
  raw: RawHistory;
  tracker: LineageTracker;
  events: PathEvents;
  mailmap: Mailmap;
}

/** One record for each commit, with its file changes; what parsing tells is filled in later. */
export function commitRecords(request: RecordRequest): HistoryCommit[] {
  const { raw } = request;
  const commits: HistoryCommit[] = [];
  for (let index = 0; index < raw.commitCount; index += 1) commits.push(commitRecord(request, index));
  let mainline = commits.length - 1;
  while (mainline >= 0) {
    const commit = commits[mainline];
    if (commit === undefined) break;
    commit.onMainline = true;
    mainline = commit.firstParent;
  }
  return commits;
}

function commitRecord({ raw, tracker, events, mailmap }: RecordRequest, index: number): HistoryCommit {
  const object = raw.objectOf(index);
  const parents = raw.parentsOf(index);
  const isMerge = parents.length > 1;
  const changes = tracker.apply(index, raw.changesOf(index), isMerge);
  const ownChanges = isMerge
    ? changes.flatMap((change, at) => (isOwn(change, events, parents[0] ?? -1) ? [at] : []))
    : [];
  for (const at of ownChanges) tracker.touch(changes[at]?.lineage ?? -1, index);
  for (const change of changes) {
    if (change.from !== null && change.status === 'renamed') events.add(change.from, index, null);
    events.add(change.path, index, change.newBlob);
  }
  const message = object.message;
  return {
    index,
    id: raw.idOf(index),
    tree: object.tree,
    parents,
    author: identityOf(object.author, mailmap),
    committer: identityOf(object.committer, mailmap),
    authoredAt: object.author.at,
    committedAt: object.committer.at,
    message,
    subject: subjectOf(message),
    marks: marksOf(object),
    changes,
    ownChanges,
    exactRenamesOnly: raw.isExactOnly(index),
    definitions: [],
    importsAdded: [],
    importsRemoved: [],
    graphChanges: [],
    calls: new Map(),
    testCalls: new Map(),
    identifiers: new Map(),
    testIdentifiers: new Map(),
    reworked: new Map(),
    firstParent: parents[0] ?? -1,
    onMainline: false,
    inScope: true,
    problems: [],
  };
}

/** A merge wrote a file itself where no commit of its branches left that content there. */
function isOwn(change: FileChange, events: PathEvents, firstParent: number): boolean {
  return !events.wasLeft(change.path, change.newBlob, firstParent);
}

function identityOf(identity: CommitIdentity, mailmap: Mailmap): Identity {
  const mapped = mailmap(identity.name, identity.email);
  return { name: identity.name, email: identity.email, mappedName: mapped.name, mappedEmail: mapped.email };
}

function subjectOf(message: string): string {
  return (message.trimStart().split('\n', 1)[0] ?? '').trimEnd();
}

function marksOf(object: CommitObject): TextMark[] {
  const marks: TextMark[] = [];
  if (object.encodingUnknown) marks.push('unknown-encoding');
  else if (object.decodedAs === 'declared') marks.push('declared-encoding');
  if (object.decodedAs === 'latin1-fallback') marks.push('latin1-fallback');
  if (object.author.email === null || object.author.name === '') marks.push('identity-odd');
  if (object.author.at === null) marks.push('date-odd');
  if (object.message.trim() === '') marks.push('message-empty');
  return marks;
}
