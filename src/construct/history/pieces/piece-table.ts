import { type Language, MAX_SOURCE_BYTES, type SyntaxFacts } from '#languages/index.js';
import { analysePiece, wrapPiece } from './analyse-piece.js';
import { type BlobFacts, FAMILIES, isLfsPointer, textFacts } from './blob-facts.js';
import { cutPieces, type Piece, type Shell } from './cut-pieces.js';
import { lexicalPythonFunction } from './lexical-python.js';
import { lexicalScriptStatement } from './lexical-script.js';
import { lexicalScriptDefinition } from './lexical-script-definition.js';
import { OutlineTrace } from './outline-trace.js';
import type { PieceFacts, PieceImport } from './piece-facts.js';

/** One version of a file as pieces of a table. */
export interface Outline {
  pieces: number[];
  blob: BlobFacts;
}

type Counts = Pick<SyntaxFacts, 'calls' | 'identifiers'>;

/**
 * Every distinct piece of text is parsed once, however many versions of how many files hold it. Most of a version is
 * the same as the version before, so a history costs what is new in it.
 */
export class PieceTable {
  private readonly idOf = new Map<string, number>();
  private readonly facts: PieceFacts[] = [];
  /** Counts of shells' own parses, which the parses of the pieces inside contain. */
  private readonly shellCounts = new Map<number, Counts>();
  /** Shells (and what is in them) that are callbacks: what they define is their own business. */
  private readonly callbacks = new Set<number>();
  private heldBytes = 0;
  private last: OutlineTrace | null = null;

  /** Bytes of text that the table keeps as keys. */
  get sizeBytes(): number {
    return this.heldBytes;
  }

  factsOf(id: number): PieceFacts {
    return this.facts[id] as PieceFacts;
  }

  async outline(source: Buffer, language: Language): Promise<Outline> {
    const refused = refusalOf(source);
    if (refused !== null) return { pieces: [], blob: unparsedBlob(refused) };
    const shellIds = new Map<Shell, number>();
    const pieces: number[] = [];
    const before = this.last?.language === language.name ? this.last : null;
    const trace = new OutlineTrace(source, language.name);
    for (const piece of cutPieces(source, FAMILIES[language.name])) {
      const outer = piece.isShell ? (piece.shell?.outer ?? null) : piece.shell;
      const outerId = outer === null ? -1 : (shellIds.get(outer) ?? -1);
      let id = piece.isShell ? -1 : (before?.match(source, piece, outerId) ?? -1);
      if (id < 0) {
        const found = this.lookUp(source, piece, language, outerId);
        id = typeof found === 'number' ? found : await found;
        before?.follow(id);
      }
      if (piece.isShell && piece.shell !== null) shellIds.set(piece.shell, id);
      trace.add(piece, outerId, id);
      pieces.push(id);
    }
    this.last = trace;
    const problems = pieces.map((id) => this.factsOf(id).problem);
    const problem = problems.includes('gave-up') ? 'gave-up' : problems.includes('errors') ? 'errors' : null;
    return {
      pieces,
      blob: {
        ...textFacts(source, language.name),
        imports: this.importsOf(pieces),
        exportedLater: this.exportedLaterIn(pieces),
        problem,
      },
    };
  }

  /** The piece's id: at once where its text is known or tokens tell, otherwise after it has been parsed. */
  private lookUp(source: Buffer, piece: Piece, language: Language, outerId: number): number | Promise<number> {
    const own =
      piece.isShell && piece.shell !== null
        ? `${source.toString('latin1', piece.start, piece.shell.headEnd)}\0${source.toString('latin1', piece.shell.tailStart, piece.end)}`
        : source.toString('latin1', piece.start, piece.end);
    const key = `${language.name}\0${outerId}\0${own}`;
    const known = this.idOf.get(key);
    if (known !== undefined) return known;
    const id = this.facts.length;
    this.idOf.set(key, id);
    this.heldBytes += key.length * 2;
    const lexical = this.lexical(source, piece, language, outerId);
    if (lexical !== null) {
      this.facts.push(lexical);
      if (FAMILIES[language.name] === 'script' && this.callbacks.has(outerId)) this.callbacks.add(id);
      return id;
    }
    // Reserved before the wait, so that nobody else takes the place.
    this.facts.push(PENDING);
    return this.parse(source, piece, language, { id, outerId });
  }

  private async parse(
    source: Buffer,
    piece: Piece,
    language: Language,
    { id, outerId }: { id: number; outerId: number },
  ): Promise<number> {
    const around = this.shellCounts.get(outerId) ?? null;
    const { facts, counts } = await analysePiece(language, wrapPiece(source, piece, language.name), around);
    this.facts[id] = facts;
    if (piece.isShell && counts !== null) {
      this.shellCounts.set(id, counts);
      if (facts.definitions.length === 0) this.callbacks.add(id);
    }
    return id;
  }

  /** Facts that tokens alone give; null where the piece has to be parsed. */
  private lexical(source: Buffer, piece: Piece, language: Language, outerId: number): PieceFacts | null {
    const family = FAMILIES[language.name];
    if (family === 'script' && this.callbacks.has(outerId)) return lexicalScriptStatement(ownText(source, piece));
    if (piece.isShell) return null;
    const owner = outerId < 0 ? null : this.factsOf(outerId).definitions[0];
    if (owner === undefined) return null;
    if (family === 'script') return lexicalScriptDefinition(ownText(source, piece), owner);
    if (family !== 'python') return null;
    const place = {
      owners: owner === null ? [] : owner.qualifiedName.split('.'),
      exported: owner === null || owner.exported,
    };
    return lexicalPythonFunction(ownText(source, piece), place);
  }

  private importsOf(pieces: readonly number[]): PieceImport[] {
    const found: PieceImport[] = [];
    for (const id of pieces) for (const statement of this.factsOf(id).imports) found.push(statement);
    return found;
  }

  private exportedLaterIn(pieces: readonly number[]): string[] {
    const found: string[] = [];
    for (const id of pieces) for (const name of this.factsOf(id).exportedLater) found.push(name);
    return found;
  }
}

/** What is known of a file that was not parsed: nothing but why. */
export function unparsedBlob(problem: NonNullable<BlobFacts['problem']>): BlobFacts {
  return { imports: [], exportedLater: [], problem, generated: false, packageName: '', buildTags: '' };
}

const PENDING: PieceFacts = {
  definitions: [],
  imports: [],
  calls: new Map(),
  identifiers: new Map(),
  titles: [],
  exportedLater: [],
  text: '',
  problem: null,
};

function ownText(source: Buffer, { isShell, shell, start, end }: Piece): string {
  if (!isShell || shell === null) return source.toString('utf8', start, end);
  return source.toString('utf8', start, shell.headEnd) + source.toString('utf8', shell.tailStart, end);
}

function refusalOf(source: Buffer): 'too-large' | 'binary' | 'lfs-pointer' | null {
  if (source.length > MAX_SOURCE_BYTES) return 'too-large';
  if (source.includes(0)) return 'binary';
  return isLfsPointer(source) ? 'lfs-pointer' : null;
}
