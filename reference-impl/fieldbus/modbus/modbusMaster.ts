// The apps modbusmaster: field devices over TCP and serial lines become tags.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Foundation, Group } from "../../foundation/gateway.ts";
import type { TagValue } from "../../groups/tags/dataTypes.ts";
import type { Sample } from "../../groups/tags/history.ts";
import type { TagProvider, TagRegistry } from "../../groups/tags/provider.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import { badInput } from "../../base/refusal.ts";
import { openSetting } from "../../store/setting.ts";
import { Channel } from "./channel.ts";
import { ModbusException } from "./connection.ts";
import { type PolledCommand, PolledDevice } from "./polledDevice.ts";
import { encode } from "./registers.ts";
import { checkModbusSettings, type DeviceSettings, ModbusSettings } from "./settings.ts";

export const tcpProvider = "modbus_tcp_master";
const serialProvider = "modbus_serial_master";
const oneFlag = { dataType: "boolean", table: "holding-registers" } as const;
const updated = 37;
const updateFailed = 38;

interface Place {
  readonly channel: Channel;
  readonly device: PolledDevice;
  readonly command: PolledCommand;
}

export interface ModbusSurroundings {
  readonly providers: TagRegistry;
  readonly values: ValueTable;
  readonly isProviderRunning: (provider: string) => boolean;
}

/** Polls from `start` on, as the section says that was stored when the gateway booted. */
export function createModbusMaster(foundation: Foundation, surroundings: ModbusSurroundings): Group {
  const { store, events } = foundation;
  const setting = openSetting(store, "section/modbusmaster/general", ModbusSettings, () =>
    deliveredSettings(foundation),
  );
  const work = new AsyncDisposableStack();
  const begin = (provider: string, devices: readonly DeviceSettings[]): void => {
    const field = new ModbusField(provider, devices, foundation, surroundings);
    work.use(field);
    work.use(surroundings.providers.add(field));
  };
  return {
    handlers: {},
    sections: [
      {
        app: "modbusmaster",
        section: "general",
        labels: [],
        read: () => setting.get(),
        check(document) {
          try {
            checkModbusSettings(document);
          } catch (thrown) {
            events.raise(updateFailed, { message: "the configuration of the Modbus masters was refused" });
            throw thrown;
          }
        },
        write(document) {
          const isNew = JSON.stringify(document) !== JSON.stringify(setting.get());
          setting.set(checkModbusSettings(document));
          if (isNew)
            events.raise(updated, { message: "the configuration of the Modbus masters was updated" });
        },
      },
    ],
    resetParts: [{ scopes: ["all"], reset: () => setting.reset() }],
    start() {
      const enabled = setting.get().devices.filter(({ enable }) => enable ?? true);
      begin(
        tcpProvider,
        enabled.filter(({ transport }) => transport.kind === "tcp"),
      );
      begin(
        serialProvider,
        enabled.filter(({ transport }) => transport.kind === "serial"),
      );
    },
    [Symbol.asyncDispose]: () => work.disposeAsync(),
  };
}

/** A delivered section that does not fit leaves the gateway without devices, with a line in the log. */
function deliveredSettings({ delivered, log }: Foundation): ModbusSettings {
  const document = delivered("modbusmaster", "general") ?? { devices: [] };
  try {
    return checkModbusSettings(document);
  } catch (thrown) {
    log("modbusmaster", `the delivered section is not used: ${String(thrown)}`);
    return { devices: [] };
  }
}

/** All devices of one app, as a provider of tags. */
class ModbusField implements TagProvider, AsyncDisposable {
  readonly name: string;
  readonly #tags: readonly Tag[];
  readonly #places = new Map<Tag, Place>();
  readonly #channels: Channel[] = [];
  readonly #values: ValueTable;

  constructor(
    provider: string,
    settings: readonly DeviceSettings[],
    { clock, events, product }: Foundation,
    { values, isProviderRunning }: ModbusSurroundings,
  ) {
    this.name = provider;
    this.#values = values;
    for (const [, onOneWire] of Map.groupBy(settings, wireOf)) {
      const [first] = onOneWire;
      if (first === undefined) continue;
      const devices = onOneWire.map(
        (one) => new PolledDevice(provider, one, values, clock, events, product.conduct),
      );
      const channel = new Channel(first.transport, devices, clock, () => isProviderRunning(provider));
      this.#channels.push(channel);
      for (const device of devices)
        for (const command of device.commands) this.#places.set(command.tag, { channel, device, command });
    }
    this.#tags = [...this.#places.keys()];
  }

  tags(): readonly Tag[] {
    return this.#tags;
  }

  async read(tag: Tag): Promise<Sample> {
    const { channel, device, command } = this.#placeOf(tag);
    await answered(channel.submit(device, (connection) => device.readNow(connection, command)));
    const sample = this.#values.latest(tag);
    if (sample === undefined) throw badInput("dataValue: the tag has no value yet");
    return sample;
  }

  /** Writes to the device and reads back what it then holds. */
  async write(tag: Tag, value: TagValue): Promise<void> {
    const { channel, device, command } = this.#placeOf(tag);
    const { table } = command;
    if (table !== "coils" && table !== "holding-registers")
      throw badInput("access: the tag can only be read");
    const { unitId, timeoutMs } = device;
    const bytes = encode(value, table === "coils" ? oneFlag : command);
    await answered(
      channel.submit(device, async (connection) => {
        await connection.write({ unitId, table, address: command.address, bytes, timeoutMs });
        if (command.access !== "w") await device.readNow(connection, command);
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#channels.map((channel) => channel[Symbol.asyncDispose]()));
  }

  #placeOf(tag: Tag): Place {
    const place = this.#places.get(tag);
    if (place === undefined) throw badInput(`the tag ${tag.tagName} is not one of ${this.name}`);
    return place;
  }
}

/** Devices on one serial line share it; every TCP device has a connection of its own. */
function wireOf({ transport, name }: DeviceSettings): string {
  return transport.kind === "serial" ? transport.port : `${transport.host} ${transport.port} ${name}`;
}

/** A device that does not answer or rejects is not the gateway's error: the caller gets it. */
async function answered(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    const what = thrown instanceof ModbusException ? "the device refused" : "the device did not answer";
    throw badInput(`${what}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
