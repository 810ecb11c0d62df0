// Checks every wire of a gateway of a rack: before a night, and for `rackproof doctor --rack`.
import { existsSync } from "node:fs";
import {
  type FieldDevice,
  type HeldPlace,
  type WireCheck,
  isProgram,
  lifeOf,
  makeSwitch,
  openConsole,
} from "../../rigs/index.ts";
import { messageOf } from "../../record/index.ts";
import { loadProfile } from "../profile/load.ts";
import { consoleSource } from "./consoleSource.ts";
import { startFieldDevice } from "./fieldRack.ts";
import type { RackGateway, RemoteRackGateway } from "./rackFile.ts";

/** What a wire belongs to: the gateway itself, or a part of the rig that a run can omit. */
export type WirePart = "gateway" | "profile" | "console" | "power" | "reset" | "network" | `field ${string}`;

export interface PartCheck extends WireCheck {
  readonly part: WirePart;
}

const answerWithinMs = 3000;
/** A gateway that polls a line must have sent a request by then. */
const firstPollWithinMs = 5000;

/** One check a wire; a field device may have several. Never throws: failures are in the checks. */
export async function checkWires(gateway: RackGateway, place?: HeldPlace): Promise<PartCheck[]> {
  return gateway.kind === "remote"
    ? checkRemote(gateway, place)
    : checkEmbedded(gateway.kind, gateway.profileFile);
}

async function checkEmbedded(kind: string, profileFile: string | undefined): Promise<PartCheck[]> {
  const started: PartCheck = {
    part: "gateway",
    wire: `gateway ${kind}`,
    ok: true,
    detail: "started for each run",
  };
  // A gateway that the harness starts accepts the password of the run.
  const environment = { ...process.env, RACKPROOF_PASSWORD: "any" };
  const profile = profileFile === undefined ? [] : [await checkProfile(profileFile, environment)];
  return [started, ...profile];
}

async function checkRemote(gateway: RemoteRackGateway, place?: HeldPlace): Promise<PartCheck[]> {
  const checks = [
    await attempt(
      "gateway",
      `gateway ${gateway.url}`,
      "Fix: check that the gateway is on and the address correct",
      async () => {
        if (!(await lifeOf(gateway.url).isAlive(answerWithinMs))) throw new Error("no connection accepted");
        return "connections accepted";
      },
    ),
    await checkProfile(gateway.profileFile),
  ];
  const { console: source, power, reset, network } = gateway;
  if (network !== undefined) {
    checks.push(
      await attempt(
        "network",
        `network ${network.restore.join(" ")}`,
        "Fix: install the program, or correct the command",
        () => {
          const [program = ""] = network.restore;
          if (!(program.includes("/") ? existsSync(program) : isProgram(program)))
            throw new Error(`missing: ${program}`);
          return Promise.resolve("program found; not run by this check");
        },
      ),
    );
  }
  if (source !== undefined) {
    checks.push(
      await attempt(
        "console",
        `console ${source}`,
        "Fix: check that the adapter is plugged in and no other program uses the port",
        async () => {
          await using _console = await openConsole(consoleSource(source, place));
          return "opens";
        },
      ),
    );
  }
  for (const [part, settings] of [
    ["power", power],
    ["reset", reset],
  ] as const) {
    if (settings === undefined) continue;
    const one = makeSwitch(settings, { place: place?.wish });
    checks.push(
      await attempt(
        part,
        `${part} ${one.name}`,
        "Fix: check that this machine can reach the switch",
        async () => (await one.check?.()) ?? inWords(await one.read?.()),
      ),
    );
  }
  for (const entry of gateway.field ?? []) {
    const part = `field ${entry.name}` as const;
    try {
      await using device = await startFieldDevice(entry);
      if (entry.kind === "modbus-rtu") await untilPolled(device);
      checks.push(...(await device.check()).map((check) => ({ part, ...check })));
    } catch (thrown) {
      checks.push({ part, wire: entry.name, ok: false, detail: messageOf(thrown) });
    }
  }
  return checks;
}

function inWords(isOn: boolean | undefined): string {
  return isOn === undefined
    ? "state cannot be read; not switched by this check"
    : `reports ${isOn ? "on" : "off"}`;
}

async function checkProfile(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PartCheck> {
  return attempt("profile", `profile ${file}`, "Fix: correct the line that is named", async () => {
    const { name } = await loadProfile(file, { environment });
    return `profile of ${name}`;
  });
}

async function untilPolled(device: Pick<FieldDevice, "requests">): Promise<void> {
  const startedMs = performance.now();
  while ((device.requests ?? 1) === 0 && performance.now() - startedMs < firstPollWithinMs)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function attempt(
  part: WirePart,
  wire: string,
  advice: string,
  action: () => Promise<string>,
): Promise<PartCheck> {
  try {
    return { part, wire, ok: true, detail: await action() };
  } catch (thrown) {
    const detail = messageOf(thrown);
    return { part, wire, ok: false, detail: detail.includes("Fix:") ? detail : `${detail}; ${advice}` };
  }
}
