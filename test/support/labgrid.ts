// A lab of labgrid for tests: its coordinator, one exporter, which serves one end of a serial line by ser2net and a relay
// over HTTP, and places. Everything listens on loopback and is gone at the end.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { execa } from "execa";
import { stringify } from "yaml";
import { boundToParent } from "../../rigs/host/boundChild.ts";
import { openPtyPair } from "../../rigs/serial/ptyPair.ts";
import { temporaryFolder } from "./commandLine.ts";
import { pythonTools } from "./equipment.ts";

export interface Lab extends AsyncDisposable {
  /** HOST:PORT */
  readonly coordinator: string;
  /** The end of the serial line that ser2net opens, and the end of the device. */
  readonly line: { readonly near: string; readonly far: string };
  /** All switchings of the relay so far. */
  readonly switched: readonly boolean[];
  /** Environment of a program that finds labgrid-client, and speaks to this coordinator as somebody else. */
  readonly environment: Readonly<Record<string, string>>;
  /** Output of labgrid-client; a failure is part of it. */
  client(...words: string[]): Promise<string>;
  stopCoordinator(): Promise<void>;
  startCoordinator(): Promise<void>;
  stopExporter(): Promise<void>;
  startExporter(): Promise<void>;
}

export interface LabOptions {
  /** Tags of each place. */
  readonly places: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Called for each switching of the relay. */
  readonly switchTo?: (isOn: boolean) => Promise<unknown>;
  /** Address of the gateway, as the exporter offers it. */
  readonly address?: string;
}

const exporterName = "cellar";
const readyWithinMs = 20_000;

export async function startLab({ places, switchTo, address = "127.0.0.1" }: LabOptions): Promise<Lab> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder()).path;
  const line = stack.use(await openPtyPair());
  const relay = await startRelay(stack, switchTo);
  const groups = Object.keys(places);
  // The first place has the line; a serial port belongs to one group.
  const resources = groups.map((group, index) => [
    group,
    {
      NetworkPowerPort: { model: "rest", host: `${relay.url}/{index}`, index: 0 },
      NetworkService: { address, username: "root" },
      ...(index === 0 ? { console: { cls: "RawSerialPort", port: line.near, speed: 115_200 } } : {}),
    },
  ]);
  await writeFile(join(folder, "exporter.yaml"), stringify(Object.fromEntries(resources)));
  await writeFile(join(folder, "places.yaml"), stringify(placesFile(places)));
  let listen = "127.0.0.1:0";
  let coordinator: Program | undefined;
  let exporter: Program | undefined;
  const lab = {
    async startCoordinator() {
      coordinator = await startProgram(folder, "labgrid-coordinator", ["-l", listen], /^listening on (.+)$/);
      listen = coordinator.found;
    },
    async stopCoordinator() {
      await coordinator?.stop();
    },
    async startExporter() {
      const words = ["-c", listen, "-n", exporterName, "--hostname", "127.0.0.1", "exporter.yaml"];
      exporter = await startProgram(folder, "labgrid-exporter", words, /connected to (coordinator)/);
    },
    async stopExporter() {
      await exporter?.stop();
    },
  };
  stack.defer(() => lab.stopCoordinator());
  await lab.startCoordinator();
  stack.defer(() => lab.stopExporter());
  await lab.startExporter();
  const environment = {
    PATH: `${pythonTools}${delimiter}${process.env["PATH"] ?? ""}`,
    LG_COORDINATOR: listen,
    LG_HOSTNAME: "desk",
    LG_USERNAME: "ada",
  };
  const whole = stack.move();
  return {
    ...lab,
    coordinator: listen,
    line,
    switched: relay.switched,
    environment,
    async client(...words) {
      const { stdout, stderr } = await execa(join(pythonTools, "labgrid-client"), words, {
        env: environment,
        reject: false,
      });
      return `${stdout}\n${stderr}`.trim();
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

/** Places as the coordinator stores them: each has the group of its name. */
function placesFile(places: LabOptions["places"]): Record<string, unknown> {
  const match = { exporter: exporterName, cls: "*", name: null, rename: null };
  return Object.fromEntries(
    Object.entries(places).map(([name, tags]) => [
      name,
      { aliases: [], comment: "", tags, matches: [{ ...match, group: name }], created: 0, changed: 0 },
    ]),
  );
}

interface Program {
  readonly found: string;
  stop(): Promise<void>;
}

/** A program that cannot outlive the test; ready when it prints a line that fits. */
async function startProgram(
  cwd: string,
  name: string,
  words: readonly string[],
  ready: RegExp,
): Promise<Program> {
  const [program, ...rest] = boundToParent([join(pythonTools, name), ...words]);
  const child = execa(program, rest, {
    cwd,
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: 3000,
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const said: string[] = [];
  createInterface({ input: child.all }).on("line", (text_) => {
    said.push(text_);
    const found = ready.exec(text_)?.[1];
    if (found !== undefined) resolve(found);
  });
  const failed = (why: string): void => reject(new Error(`${name} ${why}: ${said.join("\n")}`));
  const late = setTimeout(() => failed(`not ready within ${readyWithinMs} ms`), readyWithinMs);
  void child.then(() => failed("ended"));
  const found = await promise.finally(() => clearTimeout(late));
  return {
    found,
    async stop() {
      child.kill("SIGTERM");
      await child;
    },
  };
}

/** A relay that keeps state: PUT of 1 or 0 switches it, GET reads it. */
async function startRelay(stack: AsyncDisposableStack, switchTo: LabOptions["switchTo"]) {
  const switched: boolean[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === "PUT") {
        const isOn = (await text(request)) === "1";
        switched.push(isOn);
        await switchTo?.(isOn);
      }
      response.end((switched.at(-1) ?? true) ? "1" : "0");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return {
    switched,
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
  };
}
