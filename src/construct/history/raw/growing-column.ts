/** A typed array that grows: millions of small numbers without an object each. */
export class GrowingColumn<T extends Uint8Array | Uint32Array | Int32Array> {
  private filled = 0;

  constructor(
    private held: T,
    private readonly make: (length: number) => T,
  ) {}

  get length(): number {
    return this.filled;
  }

  push(value: number): void {
    if (this.filled === this.held.length) {
      const larger = this.make(this.held.length * 2);
      larger.set(this.held);
      this.held = larger;
    }
    this.held[this.filled] = value;
    this.filled += 1;
  }

  /** What was pushed, without copying. */
  values(): T {
    return this.held.subarray(0, this.filled) as T;
  }
}

export const bytesColumn = (): GrowingColumn<Uint8Array> =>
  new GrowingColumn(new Uint8Array(4096), (length) => new Uint8Array(length));
export const countsColumn = (): GrowingColumn<Uint32Array> =>
  new GrowingColumn(new Uint32Array(4096), (length) => new Uint32Array(length));

/** Bytes that grow, with the place where each piece begins. */
export class GrowingBytes {
  private held = Buffer.allocUnsafe(1 << 20);
  private filled = 0;

  get length(): number {
    return this.filled;
  }

  push(piece: Buffer): void {
    if (this.filled + piece.length > this.held.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.held.length * 2, this.filled + piece.length));
      this.held.copy(larger, 0, 0, this.filled);
      this.held = larger;
    }
    piece.copy(this.held, this.filled);
    this.filled += piece.length;
  }

  values(): Buffer {
    return this.held.subarray(0, this.filled);
  }
}
