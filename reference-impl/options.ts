import { parseArgs } from "node:util";

/** How the reference gateway is started. */
export interface GatewayOptions {
  readonly stateFolder: string;
  readonly address: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly pathPrefix: string;
  readonly tokenLifetimeSec: number;
  readonly isSnapshotSupported: boolean;
  /** Acknowledged changes survive a power cut of the machine, not only the end of the process. */
  readonly isSynced: boolean;
  /** Hashes of passwords cost next to nothing: for a gateway whose passwords are worth nothing when it ends. */
  readonly areHashesLight: boolean;
  /** How long after a configuration was applied the gateway reboots; the interface states 5000. */
  readonly rebootDelayMs: number;
  /** So many sign-in failures in a row lock a name. */
  readonly failuresToLock: number;
  /** How long an answer has to leave before the reboot that it announces. */
  readonly answerGraceMs: number;
  readonly adminPassword: string;
  /** JSON file with the sections that the gateway is delivered with, by `app/section`; a reset restores them. */
  readonly deliveredFile: string | undefined;
  /** Where the gateway gets the time, `HOST:PORT`; by default from this machine. */
  readonly timeServer: string | undefined;
  /** Pause between two questions to the time server. */
  readonly timePollMs: number;
  /** JSON file with the certificate and key (PEM) that the gateway is delivered with; by default it makes its own. */
  readonly certificateFile: string | undefined;
}

/** Reads the command line and the environment; throws an Error that says what was expected. */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GatewayOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      state: { type: "string" },
      address: { type: "string", default: "127.0.0.1" },
      "http-port": { type: "string", default: "0" },
      "https-port": { type: "string", default: "0" },
      "path-prefix": { type: "string", default: "/api/v1" },
      "token-lifetime-sec": { type: "string", default: "3600" },
      "reboot-delay-ms": { type: "string", default: "5000" },
      "no-snapshot": { type: "boolean", default: false },
      "no-sync": { type: "boolean", default: false },
      "light-hashes": { type: "boolean", default: false },
      delivered: { type: "string" },
      certificate: { type: "string" },
      "time-server": { type: "string" },
      "time-poll-ms": { type: "string", default: "64000" },
    },
  });
  if (values.state === undefined)
    throw new Error("--state: expected the folder that keeps the gateway's state");
  return {
    stateFolder: values.state,
    address: values.address,
    httpPort: port("--http-port", values["http-port"]),
    httpsPort: port("--https-port", values["https-port"]),
    pathPrefix: values["path-prefix"].replace(/\/+$/, ""),
    tokenLifetimeSec: whole("--token-lifetime-sec", values["token-lifetime-sec"], 1, 31_536_000),
    rebootDelayMs: whole("--reboot-delay-ms", values["reboot-delay-ms"], 0, 2_000_000_000),
    isSnapshotSupported: !values["no-snapshot"],
    isSynced: !values["no-sync"],
    areHashesLight: values["light-hashes"],
    failuresToLock: 5,
    answerGraceMs: 50,
    deliveredFile: values.delivered,
    certificateFile: values.certificate,
    timeServer: values["time-server"],
    timePollMs: whole("--time-poll-ms", values["time-poll-ms"], 50, 2_000_000_000),
    // The reference gateway alone has a default password: it is a gateway to develop against, on loopback.
    adminPassword: environment["RACKPROOF_ADMIN_PASSWORD"] ?? "admin@123",
  };
}

function port(name: string, text: string): number {
  return whole(name, text, 0, 65_535);
}

function whole(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high)
    throw new Error(`${name} ${text}: expected a whole number from ${low} to ${high}`);
  return value;
}
