// The memory of one Modbus unit, and its answers to requests.
import type { ModbusTable } from "../field/point.ts";

const addresses = 65_536;
const mostBits = 2000;
const mostRegisters = 125;
const mostWrittenBits = 1968;
const mostWrittenRegisters = 123;
const coilOn = 0xff00;

export const exceptions = { function: 1, address: 2, value: 3, failure: 4 } as const;

/** A table of coils takes a byte each, a table of registers two. */
interface Memory {
  readonly bytes: Buffer;
  /** 1 for addresses that the unit has; all others are answered with exception 2. */
  readonly exists: Uint8Array;
  /** 1 for addresses whose last value no request has asked for. */
  readonly isUnread: Uint8Array;
}

/** Reports the addresses of a table that a client wrote. */
export type WriteListener = (table: ModbusTable, address: number, quantity: number) => void;

export class ModbusUnit {
  readonly id: number;
  readonly #tables = new Map<ModbusTable, Memory>();
  onWrite: WriteListener | undefined;
  #unread = 0;

  constructor(id: number) {
    this.id = id;
  }

  /** Adds addresses; their values are zero. */
  declare(table: ModbusTable, address: number, quantity: number): void {
    this.#table(table).exists.fill(1, address, address + quantity);
  }

  /** The bytes of registers from the address on; writing to them sets a value of the device. */
  registers(table: ModbusTable, address: number, quantity: number): Buffer {
    return this.#table(table).bytes.subarray(address * 2, (address + quantity) * 2);
  }

  /** The coil or discrete input at the address: one byte, 0 or 1. */
  bit(table: ModbusTable, address: number): Buffer {
    return this.#table(table).bytes.subarray(address, address + 1);
  }

  /** Addresses of the last change of the device that no request has asked for yet. */
  get unread(): number {
    return this.#unread;
  }

  /** Begins a change: only its addresses count as unread. */
  beginChange(): void {
    if (this.#unread === 0) return;
    for (const { isUnread } of this.#tables.values()) isUnread.fill(0);
    this.#unread = 0;
  }

  /** Notes that the device has another value at the addresses. */
  changed(table: ModbusTable, address: number, quantity: number): void {
    this.#mark(table, address, quantity, 1);
  }

  #mark(table: ModbusTable, address: number, quantity: number, mark: 0 | 1): void {
    const { isUnread } = this.#table(table);
    for (let at = address; at < address + quantity; at++) {
      this.#unread += mark - (isUnread[at] ?? 0);
      isUnread[at] = mark;
    }
  }

  /** The answer's PDU to a request's PDU. */
  answer(pdu: Buffer): Buffer {
    const functionCode = pdu[0] ?? 0;
    const refuse = (code: number): Buffer => Buffer.from([functionCode | 0x80, code]);
    switch (functionCode) {
      case 1:
        return this.#readBits("coils", pdu, refuse);
      case 2:
        return this.#readBits("discrete-inputs", pdu, refuse);
      case 3:
        return this.#readRegisters("holding-registers", pdu, refuse);
      case 4:
        return this.#readRegisters("input-registers", pdu, refuse);
      case 5:
        return this.#writeCoil(pdu, refuse);
      case 6:
        return this.#writeRegister(pdu, refuse);
      case 15:
        return this.#writeCoils(pdu, refuse);
      case 16:
        return this.#writeRegisters(pdu, refuse);
      case 22:
        return this.#maskRegister(pdu, refuse);
      default:
        return refuse(exceptions.function);
    }
  }

  #table(table: ModbusTable): Memory {
    let memory = this.#tables.get(table);
    if (memory === undefined) {
      const isBits = table === "coils" || table === "discrete-inputs";
      memory = {
        bytes: Buffer.alloc(isBits ? addresses : addresses * 2),
        exists: new Uint8Array(addresses),
        isUnread: new Uint8Array(addresses),
      };
      this.#tables.set(table, memory);
    }
    return memory;
  }

  #has(table: ModbusTable, address: number, quantity: number): boolean {
    const end = address + quantity;
    if (end > addresses) return false;
    const first = this.#table(table).exists.indexOf(0, address);
    return first < 0 || first >= end;
  }

  #readBits(table: ModbusTable, pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length !== 5) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    const quantity = pdu.readUInt16BE(3);
    if (quantity < 1 || quantity > mostBits) return refuse(exceptions.value);
    if (!this.#has(table, address, quantity)) return refuse(exceptions.address);
    if (this.#unread > 0) this.#mark(table, address, quantity, 0);
    const answer = Buffer.alloc(2 + Math.ceil(quantity / 8));
    answer[0] = pdu[0] ?? 0;
    answer[1] = answer.length - 2;
    const { bytes } = this.#table(table);
    for (let index = 0; index < quantity; index++) {
      const at = 2 + (index >> 3);
      if (bytes[address + index] !== 0) answer[at] = (answer[at] ?? 0) | (1 << (index & 7));
    }
    return answer;
  }

  #readRegisters(table: ModbusTable, pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length !== 5) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    const quantity = pdu.readUInt16BE(3);
    if (quantity < 1 || quantity > mostRegisters) return refuse(exceptions.value);
    if (!this.#has(table, address, quantity)) return refuse(exceptions.address);
    if (this.#unread > 0) this.#mark(table, address, quantity, 0);
    const answer = Buffer.allocUnsafe(2 + quantity * 2);
    answer[0] = pdu[0] ?? 0;
    answer[1] = quantity * 2;
    this.#table(table).bytes.copy(answer, 2, address * 2, (address + quantity) * 2);
    return answer;
  }

  #writeCoil(pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length !== 5) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    const value = pdu.readUInt16BE(3);
    if (value !== 0 && value !== coilOn) return refuse(exceptions.value);
    if (!this.#has("coils", address, 1)) return refuse(exceptions.address);
    this.#table("coils").bytes[address] = value === 0 ? 0 : 1;
    this.onWrite?.("coils", address, 1);
    return pdu;
  }

  #writeRegister(pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length !== 5) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    if (!this.#has("holding-registers", address, 1)) return refuse(exceptions.address);
    pdu.copy(this.#table("holding-registers").bytes, address * 2, 3, 5);
    this.onWrite?.("holding-registers", address, 1);
    return pdu;
  }

  #writeCoils(pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length < 7) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    const quantity = pdu.readUInt16BE(3);
    const isWhole = pdu[5] === Math.ceil(quantity / 8) && pdu.length === 6 + Math.ceil(quantity / 8);
    if (quantity < 1 || quantity > mostWrittenBits || !isWhole) return refuse(exceptions.value);
    if (!this.#has("coils", address, quantity)) return refuse(exceptions.address);
    const { bytes } = this.#table("coils");
    for (let index = 0; index < quantity; index++)
      bytes[address + index] = ((pdu[6 + (index >> 3)] ?? 0) >> (index & 7)) & 1;
    this.onWrite?.("coils", address, quantity);
    return pdu.subarray(0, 5);
  }

  #writeRegisters(pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length < 8) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    const quantity = pdu.readUInt16BE(3);
    const isWhole = pdu[5] === quantity * 2 && pdu.length === 6 + quantity * 2;
    if (quantity < 1 || quantity > mostWrittenRegisters || !isWhole) return refuse(exceptions.value);
    if (!this.#has("holding-registers", address, quantity)) return refuse(exceptions.address);
    pdu.copy(this.#table("holding-registers").bytes, address * 2, 6);
    this.onWrite?.("holding-registers", address, quantity);
    return pdu.subarray(0, 5);
  }

  #maskRegister(pdu: Buffer, refuse: (code: number) => Buffer): Buffer {
    if (pdu.length !== 7) return refuse(exceptions.value);
    const address = pdu.readUInt16BE(1);
    if (!this.#has("holding-registers", address, 1)) return refuse(exceptions.address);
    const register = this.registers("holding-registers", address, 1);
    const and = pdu.readUInt16BE(3);
    const or = pdu.readUInt16BE(5);
    register.writeUInt16BE((register.readUInt16BE() & and) | (or & ~and & 0xffff));
    this.onWrite?.("holding-registers", address, 1);
    return pdu;
  }
}
