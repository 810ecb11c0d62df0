// Cuts the bytes of a serial line into requests. Their length is known from their beginning, so that an answer need not
// wait for the silence after a frame.
import { crc16 } from "./crc16.ts";

const shortest = 8;
const longest = 256;

export class RtuRequests {
  #bytes: Buffer = Buffer.alloc(0);

  /** Complete requests with a correct checksum; other bytes are dropped. */
  *take(chunk: Buffer): Generator<Buffer> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (this.#bytes.length >= shortest) {
      const length = lengthOf(this.#bytes);
      if (length === undefined || length > longest) {
        // An unknown function: all bytes so far are the frame.
        const all = this.#bytes;
        this.#bytes = Buffer.alloc(0);
        if (isWhole(all)) yield all;
        return;
      }
      if (this.#bytes.length < length) return;
      const frame = this.#bytes.subarray(0, length);
      if (isWhole(frame)) {
        this.#bytes = this.#bytes.subarray(length);
        yield frame;
      } else this.#bytes = this.#bytes.subarray(1);
    }
  }

  /** Drops an incomplete frame after a silence longer than a frame may contain. */
  forget(): void {
    this.#bytes = Buffer.alloc(0);
  }
}

function lengthOf(bytes: Buffer): number | undefined {
  const functionCode = bytes[1] ?? 0;
  if (functionCode >= 1 && functionCode <= 6) return 8;
  if (functionCode === 15 || functionCode === 16) return 9 + (bytes[6] ?? 0);
  return functionCode === 22 ? 10 : undefined;
}

function isWhole(frame: Buffer): boolean {
  return frame.length > 3 && crc16(frame.subarray(0, -2)) === frame.readUInt16LE(frame.length - 2);
}
