// Cuts a stream's bytes into whole lines, however they are cut into chunks.

const newline = 0x0a;

export class WholeLines {
  #rest: Buffer | undefined;

  /** The bytes up to the last newline, with the rest of the chunk before; undefined without a newline. */
  take(chunk: Buffer): Buffer | undefined {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) {
      this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
      return undefined;
    }
    const whole = chunk.subarray(0, end);
    const lines = this.#rest === undefined ? whole : Buffer.concat([this.#rest, whole]);
    this.#rest = end < chunk.length ? chunk.subarray(end) : undefined;
    return lines;
  }
}
