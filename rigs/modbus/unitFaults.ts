// The present fault of each unit: one at a time for each unit, or for all.
import type { FaultOptions, FieldFault } from "../field/device.ts";

export interface ActiveFault {
  readonly fault: FieldFault;
  readonly options: FaultOptions;
}

const everyUnit = -1;

export class UnitFaults {
  readonly #active = new Map<number, ActiveFault>();

  /** Begins a fault of one unit, or of all; disposing the answer ends it. */
  begin(fault: FieldFault, options: FaultOptions): Disposable {
    const unit = options.unit ?? everyUnit;
    const active = { fault, options };
    this.#active.set(unit, active);
    return {
      [Symbol.dispose]: () => {
        if (this.#active.get(unit) === active) this.#active.delete(unit);
      },
    };
  }

  of(unit: number): ActiveFault | undefined {
    return this.#active.size === 0 ? undefined : (this.#active.get(unit) ?? this.#active.get(everyUnit));
  }
}
