// A gateway of a rack with what is wired to it: console, power, field devices.
import type { RunningGateway } from "../../rigs/gateway.ts";
import { openConsole } from "../../rigs/console/console.ts";
import { parseConsoleSource } from "../../rigs/console/source.ts";
import { provenPower } from "../../rigs/power/power.ts";
import { makeSwitch } from "../../rigs/power/switch.ts";
import { findRemoteGateway } from "../../rigs/remote/remoteGateway.ts";
import { lifeOf } from "../../rigs/remote/lifeSigns.ts";
import type { Profile } from "../profile/profile.ts";
import { startFieldRack } from "./fieldRack.ts";
import type { RackGateway } from "./rackFile.ts";

/**
 * Opens the console, gives power, starts the field devices and waits until the gateway answers. Throws an Error that
 * says which wire failed, with the last lines of the console.
 */
export async function startRackGateway(entry: RackGateway, profile: Profile): Promise<RunningGateway> {
  await using stack = new AsyncDisposableStack();
  const console =
    entry.console === undefined ? undefined : stack.use(await openConsole(parseConsoleSource(entry.console)));
  const field = entry.field === undefined ? undefined : stack.use(await startFieldRack(entry.field));
  const power =
    entry.power === undefined
      ? undefined
      : provenPower({
          power: makeSwitch(entry.power),
          ...(entry.reset === undefined ? {} : { reset: makeSwitch(entry.reset) }),
          life: lifeOf(entry.url),
          aliveWithinMs: profile.patience.bootMs,
        });
  if (power !== undefined && !(await lifeOf(entry.url).isAlive(firstLookMs))) await power.restore();
  const found = await findRemoteGateway(entry.url, profile.gateway, profile.patience.bootMs).catch(
    (thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const said = console === undefined ? "" : `; the console's last lines: ${console.lastLines()}`;
      throw new Error(why + said, { cause: thrown });
    },
  );
  const whole = stack.move();
  return {
    ...found,
    name: entry.name,
    console: console?.lines ?? [],
    ...(power === undefined ? {} : { power }),
    ...(field === undefined ? {} : { field }),
    ...(entry.servers === undefined ? {} : { servers: serversOf(entry.servers) }),
    ...(entry.hostAddress === undefined ? {} : { host: { address: entry.hostAddress, listen: "0.0.0.0" } }),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

const firstLookMs = 3000;

function serversOf({
  modbusSlave,
  opcua,
}: NonNullable<RackGateway["servers"]>): NonNullable<RunningGateway["servers"]> {
  return {
    ...(modbusSlave === undefined ? {} : { modbusSlave }),
    ...(opcua === undefined ? {} : { opcua }),
  };
}
