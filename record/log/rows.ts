// The rows of a log, read piece by piece: the log of a certification run is longer than a text may be.
import { createReadStream } from "node:fs";

const pieceBytes = 1 << 20;
const newline = 0x0a;

export class LogRows implements AsyncIterable<readonly string[]> {
  /** Whether the file ends within a row, as that of a killed run may. */
  isCutOff = false;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Some whole rows at a time, without their newlines. Throws when the file cannot be read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly string[]> {
    let pieces: Buffer[] = [];
    for await (const piece of createReadStream(this.#file, { highWaterMark: pieceBytes })) {
      const bytes = piece as Buffer;
      const last = bytes.lastIndexOf(newline);
      if (last < 0) {
        pieces.push(bytes);
        continue;
      }
      yield Buffer.concat([...pieces, bytes.subarray(0, last)])
        .toString("utf8")
        .split("\n");
      pieces = [bytes.subarray(last + 1)];
    }
    this.isCutOff = pieces.some(({ length }) => length > 0);
  }
}
