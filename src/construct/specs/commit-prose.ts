import { asSentence, historySentence, sentencesOf, specSentence } from './clean-prose.js';

/** What the stage's commit messages say about behaviour. */
export interface CommitProse {
  /** The best one-line statement of the change, or null where no subject says anything. */
  title: string | null;
  /** The title names something that is added, not only an area or the work on it. */
  titleSaysWhat: boolean;
  statements: string[];
  /** Subjects of commits that were squashed: steps on the way, some of them given up. */
  steps: string[];
}

const TRAILER =
  /^(?:co-authored-by|signed-off-by|reviewed-by|acked-by|tested-by|change-id|cc|fixes|closes|refs|see-also|reported-by|suggested-by)\s*:/i;
const MERGE = /^merge\s+(?:pull request|branch|remote|tag|commit|\w+\/)/i;

/** Subjects and bodies, without trailers, lists of squashed commits that tell how, and marks of conventions. */
export function commitProse(messages: readonly string[]): CommitProse {
  const subjects: { text: string; weight: number }[] = [];
  const statements: string[] = [];
  const steps: string[] = [];
  for (const message of messages) {
    const lines = message.split('\n').map((line) => line.trimEnd());
    const isMerge = MERGE.test(lines[0] ?? '');
    // A merge of a pull request has the request's title below.
    const from = isMerge ? lines.findIndex((line, at) => at > 0 && line.trim() !== '') : 0;
    if (from < 0) continue;
    const subject = plainSubject(lines[from] ?? '');
    if (subject !== null) subjects.push({ text: subject.text, weight: subject.weight + (isMerge ? 1 : 0) });
    const body = bodyParagraphs(lines.slice(from + 1));
    statements.push(...body.paragraphs.flatMap(sentencesOf).flatMap(statement));
    steps.push(...body.bullets.flatMap(statement));
  }
  const best = [...subjects].sort((a, b) => b.weight - a.weight)[0];
  return {
    title: best === undefined ? null : asSentence(best.text),
    titleSaysWhat:
      best !== undefined &&
      best.weight > 0 &&
      /\b(?:add|support|allow|introduc|implement|show|make|accept|return)/i.test(best.text),
    statements,
    steps: [...subjects.filter((subject) => subject !== best).map(({ text }) => asSentence(text)), ...steps],
  };
}

/** `feat(cors)!: allow several origins (#1)` is `allow several origins (cors)`. */
function plainSubject(line: string): { text: string; weight: number } | null {
  const match = /^(?:\p{Extended_Pictographic}|:\w+:)?\s*(?:([a-z]+)(?:\(([^)]*)\))?!?:\s+)?(.*)$/iu.exec(line.trim());
  const [, type = '', scope = '', rest = ''] = match ?? [];
  if (/^(?:chore|ci|build|style|refactor|test|tests|docs?|perf|release)$/i.test(type)) return null;
  const text = historySentence(
    /^[a-z]+$/i.test(type) && !/^(?:feat|feature|fix|bugfix|hotfix|add|new)$/i.test(type) ? `${type}: ${rest}` : rest,
  );
  if (text === null) return null;
  const isScoped = scope !== '' && !text.toLowerCase().includes(scope.toLowerCase()) && specSentence(scope) !== null;
  const weight = /^feat/i.test(type) ? 2 : /\b(?:add|support|allow|introduc|implement|new)/i.test(text) ? 1 : 0;
  return { text: isScoped ? `${text.replace(/\.$/, '')} (${scope})` : text, weight };
}

function bodyParagraphs(lines: readonly string[]): { paragraphs: string[]; bullets: string[] } {
  const paragraphs: string[] = [];
  const bullets: string[] = [];
  let open: string[] = [];
  let into = paragraphs;
  const close = (): void => {
    if (open.length > 0) into.push(open.join(' '));
    open = [];
  };
  for (const line of lines) {
    if (TRAILER.test(line.trim())) continue;
    const bullet = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(line);
    if (line.trim() === '' || bullet !== null) close();
    if (bullet !== null) {
      into = bullets;
      open.push(plainSubject(bullet[1] ?? '')?.text ?? '');
    } else if (line.trim() !== '' && !/^(?:#{1,6}\s|---|```|<!--)/.test(line.trim())) {
      if (open.length === 0) into = paragraphs;
      open.push(line.trim());
    }
  }
  close();
  return { paragraphs, bullets };
}

/** None where it says how; a squashed commit's own subject of two words is a note to its author. */
function statement(sentence: string): string[] {
  const kept = historySentence(sentence);
  return kept === null || kept.split(/\s+/).length < 4 ? [] : [asSentence(kept)];
}
