// One device as the master sees it: what is due, what it answered, and whether it is reachable.
import type { Tag } from "../../../interface/resources/tags.ts";
import type { Clock } from "../../base/clock.ts";
import type { EventRaiser } from "../../foundation/gateway.ts";
import type { ValueTable } from "../../groups/tags/values.ts";
import type { Conduct } from "../../product/conduct.ts";
import { type Block, blocksOf, split } from "./blocks.ts";
import { type ModbusConnection, ModbusException } from "./connection.ts";
import { bytesOf, decode } from "./registers.ts";
import type { CommandSettings, DeviceSettings } from "./settings.ts";

const modbusEvents = {
  slaveConnected: 39,
  slaveFailed: 40,
  functionRecovered: 41,
  functionFailed: 42,
} as const;

export type PolledCommand = CommandSettings & { readonly tag: Tag };

interface PolledBlock {
  readonly block: Block<PolledCommand>;
  dueMs: number;
  /** The last answer, so that registers that stayed the same are not decoded again. */
  last: Buffer | undefined;
  isFailed: boolean;
}

const defaultTimeoutMs = 500;
const illegalAddress = 2;
const failuresToLose = 2;

export class PolledDevice {
  readonly name: string;
  readonly unitId: number;
  readonly timeoutMs: number;
  readonly commands: readonly PolledCommand[];
  readonly #values: ValueTable;
  readonly #clock: Clock;
  readonly #events: EventRaiser;
  readonly #retryMs: Conduct["fieldRetryMs"];
  #blocks: PolledBlock[];
  #state: "unknown" | "connected" | "failed" = "unknown";
  #failures = 0;
  #notBeforeMs = 0;

  constructor(
    provider: string,
    settings: DeviceSettings,
    values: ValueTable,
    clock: Clock,
    events: EventRaiser,
    { fieldRetryMs, shortestPollMs }: Pick<Conduct, "fieldRetryMs" | "shortestPollMs">,
  ) {
    this.name = settings.name;
    this.unitId = settings.unitId;
    this.timeoutMs = settings.timeoutMs ?? defaultTimeoutMs;
    this.#values = values;
    this.#clock = clock;
    this.#events = events;
    this.#retryMs = fieldRetryMs;
    this.commands = settings.commands.map((command) => ({
      ...command,
      pollIntervalMs: Math.max(command.pollIntervalMs, shortestPollMs),
      tag: {
        prvdName: provider,
        srcName: settings.name,
        tagName: command.name,
        dataType: command.dataType,
        dataSize: bytesOf(command),
        dataUnit: command.dataUnit ?? "",
        access: command.access ?? "r",
      },
    }));
    const readable = this.commands.filter(({ access }) => access !== "w");
    this.#blocks = blocksOf(readable).map((block) => this.#polled(block));
  }

  get isFailed(): boolean {
    return this.#state === "failed";
  }

  /** When the next block is to be read, on the monotonic clock; never for a device without readable commands. */
  get nextDueMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#blocks) next = Math.min(next, dueMs);
    return Math.max(next, this.#notBeforeMs);
  }

  /** Reads the block that is due longest. Throws when the device does not answer. */
  async poll(connection: ModbusConnection): Promise<void> {
    const [first, ...others] = this.#blocks;
    if (first === undefined) return;
    const polled = others.reduce((a, b) => (b.dueMs < a.dueMs ? b : a), first);
    const { block } = polled;
    const startedMs = this.#clock.monotonicMs();
    // The pace stays the same; missed turns are not made up for.
    polled.dueMs = Math.max(polled.dueMs + block.pollIntervalMs, startedMs);
    try {
      this.#take(polled, await this.#read(connection, block));
      this.#answered(polled);
    } catch (thrown) {
      if (!(thrown instanceof ModbusException)) throw thrown;
      this.#refused(polled, thrown);
      throw thrown;
    }
  }

  /** Reads one command's value from the device itself. */
  async readNow(connection: ModbusConnection, command: PolledCommand): Promise<void> {
    const [block] = split({ ...emptyBlock, table: command.table, commands: [command] });
    if (block === undefined) return;
    this.#take(this.#polled(block), await this.#read(connection, block));
    // The value of the tag is now another than in the last poll: an equal answer of the next poll is a change.
    for (const polled of this.#blocks) if (polled.block.commands.includes(command)) polled.last = undefined;
  }

  /** The device did not answer, or could not be reached. */
  failed(reason: string): void {
    this.#failures += 1;
    if (this.#state === "failed" || this.#failures >= failuresToLose) {
      const backOffMs = Math.min(
        this.#retryMs.longest,
        this.#retryMs.shortest * 2 ** Math.min(10, this.#failures - failuresToLose),
      );
      this.#notBeforeMs = this.#clock.monotonicMs() + backOffMs;
    }
    if (this.#failures < failuresToLose || this.#state === "failed") return;
    this.#state = "failed";
    this.#events.raise(modbusEvents.slaveFailed, { message: `${this.name} failed: ${reason}` });
  }

  /** The app stopped: the next answer is the first again. */
  rest(): void {
    this.#state = "unknown";
    this.#failures = 0;
    this.#notBeforeMs = 0;
    for (const polled of this.#blocks) polled.isFailed = false;
  }

  #polled(block: Block<PolledCommand>): PolledBlock {
    return { block, dueMs: 0, last: undefined, isFailed: false };
  }

  #read(connection: ModbusConnection, { table, address, quantity }: Block): Promise<Buffer> {
    return connection.read({ unitId: this.unitId, table, address, quantity, timeoutMs: this.timeoutMs });
  }

  #take(polled: PolledBlock, bytes: Buffer): void {
    const { block, last } = polled;
    const nowMs = this.#clock.nowMs();
    const isSame = last?.equals(bytes) === true;
    polled.last = bytes;
    const isBits = block.table === "coils" || block.table === "discrete-inputs";
    for (const command of block.commands) {
      const offset = command.address - block.address;
      if (isSame) this.#values.confirm(command.tag, nowMs);
      else
        this.#values.set(
          command.tag,
          isBits ? bytes[offset] === 1 : decode(bytes, offset * 2, command),
          nowMs,
        );
    }
  }

  #answered(polled: PolledBlock): void {
    if (this.#state !== "connected") {
      this.#state = "connected";
      this.#events.raise(modbusEvents.slaveConnected, { message: `${this.name} is connected` });
    }
    this.#failures = 0;
    this.#notBeforeMs = 0;
    if (!polled.isFailed) return;
    polled.isFailed = false;
    this.#events.raise(modbusEvents.functionRecovered, {
      message: `${this.name}: ${wording(polled.block)} recovered`,
    });
  }

  #refused(polled: PolledBlock, exception: ModbusException): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
    if (this.#state !== "connected") {
      this.#state = "connected";
      this.#events.raise(modbusEvents.slaveConnected, { message: `${this.name} is connected` });
    }
    // One address that the device does not have must not take its neighbours along.
    if (exception.exceptionCode === illegalAddress && polled.block.commands.length > 1) {
      const parts = split(polled.block).map((block) => ({ ...this.#polled(block), dueMs: polled.dueMs }));
      this.#blocks = [...this.#blocks.filter((one) => one !== polled), ...parts];
      return;
    }
    if (polled.isFailed) return;
    polled.isFailed = true;
    this.#events.raise(modbusEvents.functionFailed, {
      message: `${this.name}: ${wording(polled.block)} failed: ${exception.message}`,
    });
  }
}

const emptyBlock = { address: 0, quantity: 0, pollIntervalMs: 0 };

function wording({ table, address, quantity, commands }: Block): string {
  const names = commands.length === 1 ? commands[0]?.name : `${commands.length} commands`;
  return `reading ${quantity} of the ${table} from ${address} (${names})`;
}
