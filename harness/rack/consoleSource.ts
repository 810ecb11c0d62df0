// The console of a gateway of a rack: an address, or the serial port of its place of labgrid.
import { type ConsoleSource, type HeldPlace, type LeaseCheck, parseConsoleSource } from "../../rigs/index.ts";

/** The lease of a run, with the place of labgrid that it has acquired. */
export interface HeldLease extends LeaseCheck {
  readonly place?: HeldPlace | undefined;
}

const ofPlace = /^labgrid(?::([^@]+))?(?:@(\d+))?$/;

/** Whether the text means a serial port of the place: `labgrid`, `labgrid:NAME`, `labgrid@9600`. */
export function isPlaceConsole(text: string | undefined): boolean {
  return text !== undefined && ofPlace.test(text);
}

/** The address at each opening: an exporter that is started again serves the port elsewhere. */
export function consoleSource(text: string, place: HeldPlace | undefined): ConsoleSource {
  const [whole, name, speed] = ofPlace.exec(text) ?? [];
  if (whole === undefined) return parseConsoleSource(text);
  return {
    kind: "found",
    words: text,
    find() {
      if (place === undefined) throw new Error("the place of labgrid is not acquired");
      const { host, port, baudRate } = place.console(name);
      return {
        kind: "tcp",
        host,
        port,
        telnet: true,
        baudRate: speed === undefined ? baudRate : Number(speed),
      };
    },
  };
}
