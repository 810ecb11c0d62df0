/**
 * The only way to what a case learns from anything but the gateway's interface: a rig, a connection of its own, this
 * machine. While a case runs, answers are recorded; when it is replayed, they come from the record, and `live` is not
 * called.
 */
export interface Outside {
  /** Asks and waits. `key` names what is asked; equal keys are answered in their order. */
  ask<T>(key: string, live: () => Promise<T>): Promise<T>;
  /** Reads without waiting. */
  read<T>(key: string, live: () => T): T;
  /** Receives what something outside reports by itself; `live` starts it and passes each item on. */
  feed<T, R>(key: string, sink: (item: T) => void, live: (sink: (item: T) => void) => R): R | undefined;
}

const timePrefix = "time of ";

/** Key for reading the clock where the time decides what a case does next. */
export function timeOf(what: string): string {
  return `${timePrefix}${what}`;
}

/** Whether the key reads the clock: a replay can read its own where the record has no such reading. */
export function isTimeKey(key: string): boolean {
  return key.startsWith(timePrefix);
}
