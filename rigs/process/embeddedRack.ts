// The field devices around an embedded gateway, started with it.
import type { FieldRack } from "../field/device.ts";
import type { FieldPoint } from "../field/point.ts";
import { startFieldProcess } from "../fieldProcess/fieldProcess.ts";
import type { SimulatedDevice } from "../fieldProcess/simulated.ts";
import { hasSocat } from "../serial/ptyPair.ts";
import { linePoints, nodePoints, sequencePoints, typePoints } from "./embeddedPoints.ts";

const tcpDevices = 32;
/** As many as one request reads: with two more each poll would be two requests. */
const tagsOfDevice = 62;
const unitsOfLine = 31;
/** Well below the timeout of the gateway, and a fifth of the polls. */
const loadRestMs = 250;

interface EmbeddedRackOptions {
  /** Devices for load only, default 32. */
  readonly loadDevices?: number;
  /** Units on the serial line; default 31. */
  readonly units?: number;
  /** Factor for the poll interval of the gateway; default 1. */
  readonly pollsAreRarer?: number;
  /** Address of this machine on which the devices listen; default loopback. */
  readonly host?: string;
}

/** All points of the rack, by device. */
function pointsOf({ loadDevices = tcpDevices, units = unitsOfLine, pollsAreRarer = 1 }: EmbeddedRackOptions) {
  const slower = (points: readonly FieldPoint[]): FieldPoint[] =>
    points.map((point) => ({ ...point, pollIntervalMs: point.pollIntervalMs * pollsAreRarer }));
  const loads = Array.from({ length: loadDevices }, (_, index) => {
    const name = `load-${String(index + 1).padStart(2, "0")}`;
    return { name, points: slower(sequencePoints(name, 1, tagsOfDevice)) };
  });
  return {
    plc: slower(typePoints("plc", 1)),
    loads,
    ua: slower(nodePoints("ua")),
    line: slower(linePoints("line", units)),
  };
}

export function embeddedPoints(): FieldPoint[] {
  const { plc, loads, ua, line } = pointsOf({});
  return [...plc, ...loads.flatMap((load) => load.points), ...ua, ...line];
}

/** Starts 33 Modbus TCP devices, an OPC UA server, and a serial line with 31 units where socat is installed. */
export async function startEmbeddedRack(options: EmbeddedRackOptions = {}): Promise<FieldRack> {
  const points = pointsOf(options);
  const at = options.host === undefined ? {} : { host: options.host };
  const hasLine = hasSocat();
  const devices: SimulatedDevice[] = [
    { kind: "modbus-tcp", name: "plc", points: points.plc, ...at },
    ...points.loads.map((load) => ({ kind: "modbus-tcp", ...load, restMs: loadRestMs, ...at }) as const),
    { kind: "opcua", name: "ua", points: points.ua, ...at },
    ...(hasLine ? [{ kind: "modbus-rtu", name: "line", points: points.line } as const] : []),
  ];
  const missing = hasLine
    ? []
    : ["missing: socat (serial lines without hardware). Fix: apt-get install socat"];
  return { ...(await startFieldProcess(devices)), missing };
}
