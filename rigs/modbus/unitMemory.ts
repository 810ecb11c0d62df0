// The units behind a port or line, and the points that lie in them.
import type { InstantMs } from "../host/instant.ts";
import type { FieldWrite } from "../field/device.ts";
import type { FieldPoint, ModbusAddress, PointValue } from "../field/point.ts";
import { decodeRegisters, encodeRegisters } from "./codec.ts";
import { ModbusUnit } from "./unit.ts";

interface Place {
  readonly at: ModbusAddress;
  readonly unit: ModbusUnit;
  /** The bytes of the point in the unit's memory. */
  readonly bytes: Buffer;
  readonly isBit: boolean;
}

export class UnitMemory {
  readonly #units = new Map<number, ModbusUnit>();
  readonly #places = new Map<FieldPoint, Place>();
  readonly #listeners = new Set<(write: FieldWrite) => void>();

  constructor(points: readonly FieldPoint[]) {
    for (const point of points) {
      const { at } = point;
      if (at.kind !== "modbus")
        throw new Error(`${point.id}: a Modbus device has registers and coils, not nodes`);
      const unit = this.#unit(at.unit);
      unit.declare(at.table, at.address, at.quantity);
      const isBit = at.table === "coils" || at.table === "discrete-inputs";
      const bytes = isBit
        ? unit.bit(at.table, at.address)
        : unit.registers(at.table, at.address, at.quantity);
      this.#places.set(point, { at, unit, bytes, isBit });
    }
  }

  get unitIds(): number[] {
    return [...this.#units.keys()];
  }

  /** Addresses of the last change that no request has asked for yet. */
  get unread(): number {
    return this.#units.values().reduce((sum, { unread }) => sum + unread, 0);
  }

  unit(id: number): ModbusUnit | undefined {
    return this.#units.get(id);
  }

  set(point: FieldPoint, value: PointValue): void {
    const { at, bytes, isBit, unit } = this.#placeOf(point);
    unit.changed(at.table, at.address, at.quantity);
    if (isBit) bytes[0] = value === true ? 1 : 0;
    // The two types used for load are written in place.
    else if (at.order === "ABCD" && point.dataType === "uint32") bytes.writeUInt32BE(Number(value));
    else if (at.order === "ABCD" && point.dataType === "uint16") bytes.writeUInt16BE(Number(value));
    else encodeRegisters(point.dataType, at, value).copy(bytes);
  }

  setAll(changes: Iterable<readonly [FieldPoint, PointValue]>): InstantMs {
    const low = performance.now();
    for (const unit of this.#units.values()) unit.beginChange();
    for (const [point, value] of changes) this.set(point, value);
    return { low, high: performance.now() };
  }

  get(point: FieldPoint): PointValue {
    const { at, bytes, isBit } = this.#placeOf(point);
    return isBit ? bytes[0] !== 0 : decodeRegisters(point.dataType, at, bytes);
  }

  onWrite(listener: (write: FieldWrite) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #unit(id: number): ModbusUnit {
    let unit = this.#units.get(id);
    if (unit === undefined) {
      const made = new ModbusUnit(id);
      made.onWrite = (table, address, quantity) => this.#tell(made, table, address, quantity);
      this.#units.set(id, (unit = made));
    }
    return unit;
  }

  #tell(unit: ModbusUnit, table: string, address: number, quantity: number): void {
    if (this.#listeners.size === 0) return;
    const atMs = performance.now();
    for (const [point, place] of this.#places) {
      const { at } = place;
      const isTouched = at.address < address + quantity && address < at.address + at.quantity;
      if (place.unit !== unit || at.table !== table || !isTouched) continue;
      for (const listener of this.#listeners) listener({ point, value: this.get(point), atMs });
    }
  }

  #placeOf(point: FieldPoint): Place {
    const place = this.#places.get(point);
    if (place === undefined) throw new Error(`unknown point ${point.id}`);
    return place;
  }
}
