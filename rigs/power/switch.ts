// Switches that give and take power, or press a reset button: one small interface, and a driver for each kind.
import { execa } from "execa";
import modbus from "modbus-serial";
import { Agent } from "undici";

/** A switch claims that it is on or off; whether the gateway has power is for others to prove. */
export interface Switch {
  /** In words, for messages. */
  readonly name: string;
  /** Throws an Error when the switch cannot be reached. */
  set(isOn: boolean): Promise<void>;
  /** What the switch itself says; absent where it cannot tell. */
  read?(): Promise<boolean>;
}

export type SwitchSettings =
  | {
      readonly driver: "command";
      /** Program and words, without a shell. */
      readonly on: readonly string[];
      readonly off: readonly string[];
      /** Prints something that `isOn` fits while the power is on. */
      readonly read?: readonly string[];
      readonly isOn?: string;
    }
  | {
      readonly driver: "modbus-coil";
      readonly host: string;
      readonly port: number;
      readonly unit: number;
      readonly coil: number;
    }
  | {
      readonly driver: "serial-relay";
      readonly path: string;
      readonly baudRate: number;
      /** Bytes as hexadecimal digits. */
      readonly on: string;
      readonly off: string;
    }
  | {
      readonly driver: "http";
      readonly on: HttpRequest;
      readonly off: HttpRequest;
      readonly read?: HttpRequest;
      /** Text in the answer while the power is on. */
      readonly isOn?: string;
    }
  | { readonly driver: "labgrid"; readonly place: string };

interface HttpRequest {
  readonly url: string;
  readonly method?: "GET" | "POST" | "PUT";
  readonly body?: string;
}

const answerWithinMs = 5000;

export function makeSwitch(settings: SwitchSettings): Switch {
  switch (settings.driver) {
    case "command":
      return commandSwitch(settings);
    case "labgrid":
      return commandSwitch({
        on: ["labgrid-client", "-p", settings.place, "power", "on"],
        off: ["labgrid-client", "-p", settings.place, "power", "off"],
        read: ["labgrid-client", "-p", settings.place, "power", "get"],
        isOn: "on",
      });
    case "modbus-coil":
      return coilSwitch(settings);
    case "serial-relay":
      return serialSwitch(settings);
    case "http":
      return httpSwitch(settings);
  }
}

function commandSwitch({
  on,
  off,
  read,
  isOn = "on",
}: Omit<Extract<SwitchSettings, { driver: "command" }>, "driver">): Switch {
  const run = async ([program = "", ...words]: readonly string[]): Promise<string> => {
    const { stdout } = await execa(program, words, { timeout: answerWithinMs });
    return stdout;
  };
  return {
    name: `command ${on[0] ?? ""}`,
    set: async (wanted) => void (await run(wanted ? on : off)),
    ...(read === undefined ? {} : { read: async () => says(await run(read), isOn) }),
  };
}

function coilSwitch({ host, port, unit, coil }: Extract<SwitchSettings, { driver: "modbus-coil" }>): Switch {
  const withClient = async <T>(
    action: (client: InstanceType<typeof modbus.default>) => Promise<T>,
  ): Promise<T> => {
    const client = new modbus.default();
    client.on("error", () => undefined);
    try {
      await client.connectTCP(host, { port });
      client.setID(unit);
      client.setTimeout(answerWithinMs);
      return await action(client);
    } finally {
      client.destroy(() => undefined);
    }
  };
  return {
    name: `coil ${coil} of unit ${unit} on ${host}:${port}`,
    set: (isOn) => withClient(async (client) => void (await client.writeCoil(coil, isOn))),
    read: () => withClient(async (client) => (await client.readCoils(coil, 1)).data[0] === true),
  };
}

function serialSwitch({
  path,
  baudRate,
  on,
  off,
}: Extract<SwitchSettings, { driver: "serial-relay" }>): Switch {
  return {
    name: `relay on ${path}`,
    async set(isOn) {
      const { SerialPort } = await import("serialport");
      const port = new SerialPort({ path, baudRate, autoOpen: false });
      const done = <T>(start: (done: (refused: Error | null | undefined) => void) => T): Promise<void> =>
        new Promise((resolve, reject) => {
          start((refused) => (refused ? reject(refused) : resolve()));
        });
      await done((ready) => port.open(ready));
      try {
        await done((ready) => port.write(Buffer.from(isOn ? on : off, "hex"), ready));
        await done((ready) => port.drain(ready));
      } finally {
        await done((ready) => port.close(ready));
      }
    },
  };
}

function httpSwitch({ on, off, read, isOn = "on" }: Extract<SwitchSettings, { driver: "http" }>): Switch {
  const ask = async ({ url, method = "POST", body }: HttpRequest): Promise<string> => {
    await using stack = new AsyncDisposableStack();
    const agent = new Agent({ headersTimeout: answerWithinMs, connect: { timeout: answerWithinMs } });
    stack.defer(() => agent.destroy());
    const { origin, pathname, search } = new URL(url);
    const answer = await agent.request({ origin, path: pathname + search, method, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${url} answered ${answer.statusCode}`);
    return text;
  };
  return {
    name: `outlet ${new URL(on.url).host}`,
    set: async (wanted) => void (await ask(wanted ? on : off)),
    ...(read === undefined ? {} : { read: async () => says(await ask({ method: "GET", ...read }), isOn) }),
  };
}

/** Whether the answer has the words, as words: "connection lost" does not say that something is on. */
function says(answer: string, words: string): boolean {
  const escaped = words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(^|\\W)${escaped}(\\W|$)`).test(answer);
}
