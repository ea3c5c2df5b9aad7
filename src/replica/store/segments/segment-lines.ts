const decoder = new TextDecoder();
const LINE_BREAK = 10;

/** The JSON of single items in the bytes of a segment. JSON has no line breaks inside, so each item is one line. */
export class SegmentLines {
  readonly bytes: Uint8Array;
  readonly #count: number;
  /** Where each item starts, and where the last one ends. */
  #starts: Uint32Array | undefined;

  constructor(bytes: Uint8Array, count: number) {
    this.bytes = bytes;
    this.#count = count;
  }

  json(index: number): string {
    this.#starts ??= this.#findStarts();
    const [start, next] = [this.#starts[index] as number, this.#starts[index + 1] as number];
    // Without the separator, or the closing bracket.
    return decoder.decode(this.bytes.subarray(start, index === this.#count - 1 ? next - 1 : next - 2));
  }

  #findStarts(): Uint32Array {
    const starts = new Uint32Array(this.#count + 1);
    starts[0] = 1;
    for (let index = 1; index < this.#count; index++) {
      starts[index] = this.bytes.indexOf(LINE_BREAK, starts[index - 1]) + 1;
    }
    starts[this.#count] = this.bytes.length;
    return starts;
  }
}
