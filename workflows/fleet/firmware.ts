// Another firmware on a gateway for one turn. What is to be restored is noted on the disk first: a killed agent, started
// anew, restores it before the next turn of the gateway.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { RackGateway } from "../../harness/index.ts";
import { messageOf, writeWhole } from "../../record/index.ts";

export interface FirmwareSurroundings {
  readonly gateway: RackGateway;
  /** Folder of the agent. */
  readonly out: string;
  /** Environment of the command: the lease. */
  readonly environment: Readonly<Record<string, string>>;
  /** Aborted when the gateway must not be used any more. */
  readonly lost: AbortSignal;
  /** For the log of acts. */
  readonly act: (what: string) => void;
}

const defaultWithinSec = 900;
const msPerSec = 1000;

/** Firmware of one turn; its end restores the former one. */
export class TurnFirmware implements AsyncDisposable {
  readonly #surroundings: FirmwareSurroundings;

  constructor(surroundings: FirmwareSurroundings) {
    this.#surroundings = surroundings;
  }

  /** Installs it; answers why that failed. */
  async install(firmware: string, restore: string): Promise<string | undefined> {
    await writeWhole(this.#note(), `${restore}\n`);
    return this.#run(firmware);
  }

  /** Restores what a turn has left; answers why that failed. */
  async restore(): Promise<string | undefined> {
    const left = await readFile(this.#note(), "utf8").catch(() => undefined);
    if (left === undefined) return undefined;
    const failure = await this.#run(left.trim());
    if (failure !== undefined) return `${failure}; noted in ${this.#note()}`;
    await rm(this.#note());
    return undefined;
  }

  async #run(firmware: string): Promise<string | undefined> {
    const { gateway, environment, lost, act } = this.#surroundings;
    const settings = gateway.kind === "remote" ? gateway.install : undefined;
    if (settings === undefined)
      return `firmware ${firmware} cannot be installed: the rack file has no install for ${gateway.name}. Fix: install it by hand, and delete the note`;
    const [program = "", ...words] = settings.command.map((word) => word.replaceAll("{firmware}", firmware));
    act(`install ${firmware}`);
    try {
      await execa(program, words, {
        env: environment,
        timeout: (settings.withinSec ?? defaultWithinSec) * msPerSec,
        cancelSignal: lost,
      });
      act(`installed ${firmware}`);
      return undefined;
    } catch (thrown) {
      return `firmware ${firmware} was not installed: ${messageOf(thrown).split("\n")[0] ?? ""}`;
    }
  }

  #note(): string {
    const { out, gateway } = this.#surroundings;
    return join(out, "firmware", encodeURIComponent(gateway.name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.restore();
  }
}
