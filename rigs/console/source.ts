// The sources of a console: a serial port or pty, a unix socket, TCP (raw, or with the telnet of RFC 2217), or one whose
// address is found at each opening.
import { once } from "node:events";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { openPort } from "../serial/port.ts";
import { setBaudRate } from "./portControl.ts";
import { TelnetFilter } from "./telnet.ts";

export type ConsoleSource =
  | { readonly kind: "serial"; readonly path: string; readonly baudRate: number }
  | { readonly kind: "unix"; readonly path: string }
  | TcpSource
  | { readonly kind: "found"; readonly words: string; readonly find: () => TcpSource };

interface TcpSource {
  readonly kind: "tcp";
  readonly host: string;
  readonly port: number;
  readonly telnet?: boolean;
  /** Speed that the port is set to by RFC 2217; default the one that its server has set. */
  readonly baudRate?: number;
}

const connectWithinMs = 5000;

/** An open wire to the console. */
export interface ConsoleWire {
  readonly stream: Duplex;
  /** Removes protocol bytes from the received ones; answers the reply that they need. */
  readonly filter: (bytes: Buffer) => { readonly bytes: Buffer; readonly reply?: Buffer };
  /** What arrived while it was opened. */
  readonly first?: Buffer;
}

export function inWords(source: ConsoleSource): string {
  if (source.kind === "found") return source.words;
  return source.kind === "tcp" ? `${source.host}:${source.port}` : source.path;
}

/** Parses `/dev/ttyUSB0`, `/dev/ttyUSB0@9600`, `unix:/run/console`, `tcp:host:port` or `rfc2217:host:port@9600`. */
export function parseConsoleSource(text: string): ConsoleSource {
  const [, scheme = "", rest = ""] = /^(unix|tcp|rfc2217):(.+)$/.exec(text) ?? [];
  if (scheme === "unix") return { kind: "unix", path: rest };
  if (scheme !== "") {
    const isTelnet = scheme === "rfc2217";
    const [, host = "", digits = "", speed] = /^(.+):(\d+)(?:@(\d+))?$/.exec(rest) ?? [];
    const port = Number(digits);
    if (port < 1 || port > 65_535 || (speed !== undefined && !isTelnet))
      throw new Error(
        `console ${text}: expected ${scheme}:HOST:PORT${isTelnet ? " or rfc2217:HOST:PORT@BAUD" : ""}`,
      );
    const baudRate = speed === undefined ? {} : { baudRate: Number(speed) };
    return { kind: "tcp", host, port, telnet: isTelnet, ...baudRate };
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
    if (source.kind === "found") return await openSocket(source.find());
    if (source.kind !== "serial") return await openSocket(source);
    return { stream: await openPort({ path: source.path, baudRate: source.baudRate }), filter: asItIs };
  } catch (thrown) {
    throw new Error(
      `console ${inWords(source)}: cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      { cause: thrown },
    );
  }
}

async function openSocket(source: TcpSource | (ConsoleSource & { kind: "unix" })): Promise<ConsoleWire> {
  const socket = source.kind === "unix" ? connect(source.path) : connect(source.port, source.host);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(connectWithinMs) });
    if (source.kind === "unix" || source.telnet !== true) return { stream: socket, filter: asItIs };
    const { telnet, first } =
      source.baudRate === undefined
        ? { telnet: new TelnetFilter(), first: Buffer.alloc(0) }
        : await setBaudRate(socket, source.baudRate, connectWithinMs);
    return { stream: socket, filter: (bytes) => telnet.take(bytes), first };
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

const asItIs = (bytes: Buffer): { readonly bytes: Buffer } => ({ bytes });
