// Values of points as 16-bit registers. Written from the Modbus specification and the rack's declared orders, apart from
// the codec of the reference gateway: a mistake in one of the two shows up against the other. Golden vectors test both.
import type { TagDataType } from "../../interface/resources/tags.ts";
import type { ModbusAddress, PointValue, WordOrder } from "../field/point.ts";

interface NumberLayout {
  readonly bits: 8 | 16 | 32 | 64;
  readonly kind: "unsigned" | "signed" | "real";
}

const numbers: Partial<Record<TagDataType, NumberLayout>> = {
  uint8: { bits: 8, kind: "unsigned" },
  int8: { bits: 8, kind: "signed" },
  uint16: { bits: 16, kind: "unsigned" },
  int16: { bits: 16, kind: "signed" },
  uint32: { bits: 32, kind: "unsigned" },
  int32: { bits: 32, kind: "signed" },
  uint64: { bits: 64, kind: "unsigned" },
  int64: { bits: 64, kind: "signed" },
  float: { bits: 32, kind: "real" },
  double: { bits: 64, kind: "real" },
};

/** The registers of a value. Text and raw bytes are filled with zeros, and cut at the end of the registers. */
export function encodeRegisters(dataType: TagDataType, at: ModbusAddress, value: PointValue): Buffer {
  const layout = numbers[dataType];
  const content =
    layout !== undefined
      ? wordsOfBits(toBits(layout, value), layout.bits)
      : dataType === "boolean"
        ? [value === true ? 1 : 0]
        : wordsOfBytes(dataType === "raw" ? rawBytes(String(value)) : textBytes(String(value), at.quantity));
  const words = Array.from({ length: at.quantity }, (_, index) => content[index] ?? 0);
  return onWire(words, at.order);
}

/** The value in registers; the inverse of `encodeRegisters`. */
export function decodeRegisters(dataType: TagDataType, at: ModbusAddress, registers: Buffer): PointValue {
  const words = offWire(registers, at.order);
  const layout = numbers[dataType];
  if (layout !== undefined) return fromBits(layout, bitsOf(words.slice(0, Math.ceil(layout.bits / 16))));
  if (dataType === "boolean") return words[0] !== 0;
  const bytes = Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
  if (dataType === "raw") return bytes.toString("base64");
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}

/** ABCD sends the most significant word first and its high byte first; the others swap words, bytes or both. */
function swaps(order: WordOrder): { words: boolean; bytes: boolean } {
  return { words: order === "CDAB" || order === "DCBA", bytes: order === "BADC" || order === "DCBA" };
}

function onWire(words: readonly number[], order: WordOrder): Buffer {
  const swap = swaps(order);
  const sent = swap.words ? words.toReversed() : words;
  return Buffer.from(
    sent.flatMap((word) => (swap.bytes ? [word & 0xff, word >> 8] : [word >> 8, word & 0xff])),
  );
}

function offWire(registers: Buffer, order: WordOrder): number[] {
  const swap = swaps(order);
  const words = Array.from({ length: registers.length >> 1 }, (_, index) =>
    swap.bytes ? registers.readUInt16LE(index * 2) : registers.readUInt16BE(index * 2),
  );
  return swap.words ? words.toReversed() : words;
}

/** The bits of a number as a non-negative integer. Throws a RangeError for an integer that the bits cannot hold. */
function toBits({ bits, kind }: NumberLayout, value: PointValue): bigint {
  if (kind !== "real") {
    const whole = typeof value === "number" ? BigInt(Math.trunc(value)) : BigInt(value);
    const pattern = BigInt.asUintN(bits, whole);
    if (integerOf(kind, bits, pattern) !== whole)
      throw new RangeError(`${value} does not fit ${bits} bits ${kind}`);
    return pattern;
  }
  const [pattern = 0] =
    bits === 32
      ? new Uint32Array(Float32Array.of(Number(value)).buffer)
      : new BigUint64Array(Float64Array.of(Number(value)).buffer);
  return BigInt(pattern);
}

function fromBits({ bits, kind }: NumberLayout, pattern: bigint): number | bigint {
  if (kind === "real") {
    const [value = 0] =
      bits === 32
        ? new Float32Array(Uint32Array.of(Number(pattern)).buffer)
        : new Float64Array(BigUint64Array.of(pattern).buffer);
    return value;
  }
  const whole = integerOf(kind, bits, pattern);
  const isExact = whole >= Number.MIN_SAFE_INTEGER && whole <= Number.MAX_SAFE_INTEGER;
  return isExact ? Number(whole) : whole;
}

function integerOf(kind: "signed" | "unsigned", bits: number, pattern: bigint): bigint {
  return kind === "signed" ? BigInt.asIntN(bits, pattern) : BigInt.asUintN(bits, pattern);
}

function wordsOfBits(pattern: bigint, bits: number): number[] {
  const count = Math.ceil(bits / 16);
  return Array.from({ length: count }, (_, index) =>
    Number((pattern >> BigInt(16 * (count - 1 - index))) & 0xffffn),
  );
}

function bitsOf(words: readonly number[]): bigint {
  return words.reduce((pattern, word) => (pattern << 16n) | BigInt(word), 0n);
}

function wordsOfBytes(bytes: Uint8Array): number[] {
  return Array.from(
    { length: Math.ceil(bytes.length / 2) },
    (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0),
  );
}

function rawBytes(base64: string): Uint8Array {
  return Buffer.from(base64, "base64");
}

/** UTF-8, cut between characters. */
function textBytes(text: string, registers: number): Uint8Array {
  const room = new Uint8Array(registers * 2);
  new TextEncoder().encodeInto(text, room);
  return room;
}
