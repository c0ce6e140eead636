import { TextDecoder } from 'node:util';

/** Who and when, as a commit says it. */
export interface CommitIdentity {
  name: string;
  /** Null where the line has none. */
  email: string | null;
  /** ISO 8601 UTC; null where the date is missing or outside what a date can be. */
  at: string | null;
}

export interface CommitObject {
  tree: string;
  parents: string[];
  author: CommitIdentity;
  committer: CommitIdentity;
  /** Value of the `encoding` header; null without one. */
  encoding: string | null;
  /** The message for reading. */
  message: string;
  /** How the text was decoded. */
  decodedAs: 'utf-8' | 'declared' | 'latin1-fallback';
  /** The `encoding` header names nothing known. */
  encodingUnknown: boolean;
}

/** Largest instant a date can hold, in milliseconds. */
const MAX_DATE_MS = 8.64e15;

/**
 * Reads a commit object's bytes. Text is decoded by its `encoding` header, else as UTF-8, else as latin-1; nothing in a
 * malformed commit makes this throw.
 */
export function parseCommitObject(bytes: Buffer): CommitObject {
  const headEnd = bytes.indexOf('\n\n');
  const head = headEnd < 0 ? bytes : bytes.subarray(0, headEnd);
  const messageBytes = headEnd < 0 ? bytes.subarray(bytes.length) : bytes.subarray(headEnd + 2);
  const headers = readHeaders(head);
  const encoding = headers.encoding?.toString('latin1') ?? null;
  const decoder = decoderFor(encoding);
  const message = decode(messageBytes, decoder);
  return {
    tree: headers.tree,
    parents: headers.parents,
    author: readIdentity(headers.author, decoder),
    committer: readIdentity(headers.committer, decoder),
    encoding,
    message: message.text,
    decodedAs: message.as,
    encodingUnknown: encoding !== null && decoder === null,
  };
}

interface Headers {
  tree: string;
  parents: string[];
  author: Buffer;
  committer: Buffer;
  encoding: Buffer | null;
}

const NOTHING = Buffer.alloc(0);

function readHeaders(head: Buffer): Headers {
  const headers: Headers = { tree: '', parents: [], author: NOTHING, committer: NOTHING, encoding: null };
  let at = 0;
  while (at < head.length) {
    const lineEnd = head.indexOf(0x0a, at);
    const end = lineEnd < 0 ? head.length : lineEnd;
    const blank = head.indexOf(0x20, at);
    // Lines that begin with a blank continue a header (signatures); none of them is needed.
    if (blank > at && blank < end) {
      const name = head.toString('latin1', at, blank);
      const value = head.subarray(blank + 1, end);
      if (name === 'tree') headers.tree = value.toString('latin1');
      else if (name === 'parent') headers.parents.push(value.toString('latin1'));
      else if (name === 'author' && headers.author === NOTHING) headers.author = value;
      else if (name === 'committer' && headers.committer === NOTHING) headers.committer = value;
      else if (name === 'encoding') headers.encoding = value;
    }
    at = end + 1;
  }
  return headers;
}

function readIdentity(line: Buffer, decoder: TextDecoder | null): CommitIdentity {
  const open = line.indexOf(0x3c);
  const close = line.lastIndexOf(0x3e);
  const hasEmail = open >= 0 && close > open;
  const name = hasEmail ? line.subarray(0, open) : line.subarray(0, nameEnd(line));
  return {
    name: decode(name, decoder).text.trim(),
    email: hasEmail ? decode(line.subarray(open + 1, close), decoder).text.trim() : null,
    at: instantOf(/ *(-?[0-9]+)(?: [+-][0-9]+)?$/.exec(line.toString('latin1', hasEmail ? close + 1 : 0))?.[1]),
  };
}

/** Where the name of an identity without an e-mail address ends: before its date, if any. */
function nameEnd(line: Buffer): number {
  const date = / -?[0-9]+ [+-][0-9]+$/.exec(line.toString('latin1'));
  return date === null ? line.length : date.index;
}

function instantOf(seconds: string | undefined): string | null {
  if (seconds === undefined) return null;
  const ms = Number(seconds) * 1000;
  return Math.abs(ms) <= MAX_DATE_MS ? new Date(ms).toISOString() : null;
}

function decoderFor(encoding: string | null): TextDecoder | null {
  if (encoding === null) return null;
  try {
    return new TextDecoder(encoding.trim());
  } catch {
    // Not a name anybody knows; the caller falls back and marks it.
    return null;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer, declared: TextDecoder | null): { text: string; as: CommitObject['decodedAs'] } {
  if (declared !== null) return { text: declared.decode(bytes), as: 'declared' };
  try {
    return { text: strictUtf8.decode(bytes), as: 'utf-8' };
  } catch {
    return { text: bytes.toString('latin1'), as: 'latin1-fallback' };
  }
}
