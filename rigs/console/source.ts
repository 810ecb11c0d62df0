// The sources of a console: a serial port or pty, a unix socket, or TCP (raw, or with the telnet of RFC 2217).
import { once } from "node:events";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { TelnetFilter } from "./telnet.ts";

export type ConsoleSource =
  | { readonly kind: "serial"; readonly path: string; readonly baudRate: number }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly telnet?: boolean };

const connectWithinMs = 5000;

/** An open wire to the console. */
export interface ConsoleWire {
  readonly stream: Duplex;
  /** Removes protocol bytes from the received ones; answers the reply that they need. */
  readonly filter: (bytes: Buffer) => { readonly bytes: Buffer; readonly reply?: Buffer };
}

export function inWords(source: ConsoleSource): string {
  return source.kind === "tcp" ? `${source.host}:${source.port}` : source.path;
}

/** Parses `/dev/ttyUSB0`, `/dev/ttyUSB0@9600`, `unix:/run/console`, `tcp:host:port` or `rfc2217:host:port`. */
export function parseConsoleSource(text: string): ConsoleSource {
  const [, scheme = "", rest = ""] = /^(unix|tcp|rfc2217):(.+)$/.exec(text) ?? [];
  if (scheme === "unix") return { kind: "unix", path: rest };
  if (scheme !== "") {
    const colon = rest.lastIndexOf(":");
    const port = Number(rest.slice(colon + 1));
    if (colon < 1 || !Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`console ${text}: expected ${scheme}:HOST:PORT`);
    return { kind: "tcp", host: rest.slice(0, colon), port, telnet: scheme === "rfc2217" };
  }
  const [path = "", baud = "115200"] = text.split("@");
  if (!path.startsWith("/") || !/^\d+$/.test(baud)) {
    throw new Error(
      `console ${text}: expected a path of a serial port (/dev/ttyUSB0@115200), unix:PATH, tcp:HOST:PORT or rfc2217:HOST:PORT`,
    );
  }
  return { kind: "serial", path, baudRate: Number(baud) };
}

/** Opens the wire; throws an Error that names it when it cannot be opened. */
export async function openWire(source: ConsoleSource): Promise<ConsoleWire> {
  try {
    if (source.kind === "serial")
      return { stream: await openPort(source.path, source.baudRate), filter: asItIs };
    const socket = source.kind === "unix" ? connect(source.path) : connect(source.port, source.host);
    await once(socket, "connect", { signal: AbortSignal.timeout(connectWithinMs) }).catch(
      (thrown: unknown) => {
        socket.destroy();
        throw thrown;
      },
    );
    if (source.kind === "unix" || source.telnet !== true) return { stream: socket, filter: asItIs };
    const telnet = new TelnetFilter();
    return { stream: socket, filter: (bytes) => telnet.take(bytes) };
  } catch (thrown) {
    throw new Error(
      `console ${inWords(source)}: cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  }
}

const asItIs = (bytes: Buffer): { readonly bytes: Buffer } => ({ bytes });

async function openPort(path: string, baudRate: number): Promise<Duplex> {
  const { SerialPort } = await import("serialport");
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  await new Promise<void>((resolve, reject) => {
    port.open((refused) => (refused === null ? resolve() : reject(refused)));
  });
  return port;
}
