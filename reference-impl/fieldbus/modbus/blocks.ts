// Neighbouring registers are read together: one request instead of many.
import { registersOf } from "./registers.ts";
import type { CommandSettings } from "./settings.ts";

export interface Block<T extends CommandSettings = CommandSettings> {
  readonly table: CommandSettings["table"];
  readonly address: number;
  /** Registers or coils. */
  readonly quantity: number;
  readonly pollIntervalMs: number;
  readonly commands: readonly T[];
}

const mostRegisters = 125;
const mostCoils = 2000;

/** Groups commands of one unit by table and interval; a block never reaches over an address that nobody asked for. */
export function blocksOf<T extends CommandSettings>(commands: readonly T[]): Block<T>[] {
  const groups = Map.groupBy(commands, ({ table, pollIntervalMs }) => `${table} ${pollIntervalMs}`);
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => a.address - b.address);
    const blocks: { address: number; end: number; commands: T[] }[] = [];
    for (const command of sorted) {
      const end = command.address + registersOf(command);
      const last = blocks.at(-1);
      const most =
        command.table === "coils" || command.table === "discrete-inputs" ? mostCoils : mostRegisters;
      if (
        last !== undefined &&
        command.address <= last.end &&
        Math.max(end, last.end) - last.address <= most
      ) {
        last.commands.push(command);
        last.end = Math.max(end, last.end);
      } else {
        blocks.push({ address: command.address, end, commands: [command] });
      }
    }
    return blocks.map((block) => toBlock(block.commands, block.address, block.end));
  });
}

/** One block a command, for a device that refuses them together. */
export function split<T extends CommandSettings>(block: Block<T>): Block<T>[] {
  return block.commands.map((command) =>
    toBlock([command], command.address, command.address + registersOf(command)),
  );
}

function toBlock<T extends CommandSettings>(commands: readonly T[], address: number, end: number): Block<T> {
  const [first] = commands;
  if (first === undefined) throw new Error("a block has at least one command");
  return {
    table: first.table,
    address,
    quantity: end - address,
    pollIntervalMs: first.pollIntervalMs,
    commands,
  };
}
